import type { Random } from '../random.ts'
import type { Cast } from './cast.ts'
import type { Schema } from './operations.ts'

/** Returns a value that the schema takes and the service has a use for: a known name where there is one. */
export function validValue(random: Random, cast: Cast, schema: Schema, name = ''): unknown {
  const known = KNOWN[name]
  if (known && random.isTrue(0.9)) return known(random, cast)
  const [first] = schema.anyOf ?? []
  if (first) return random.isTrue(0.15) ? null : validValue(random, cast, first, name)
  if (schema.enum) return random.pick(schema.enum)
  switch (schema.type) {
    case 'object':
      return validObject(random, cast, schema)
    case 'array': {
      const length = (schema.minItems ?? 0) + random.below(6)
      return Array.from({ length }, () => validValue(random, cast, schema.items ?? {}, SINGULAR[name] ?? ''))
    }
    case 'integer':
      return (schema.minimum ?? 0) + random.below(Math.min(100, (schema.maximum ?? 100) - (schema.minimum ?? 0) + 1))
    case 'boolean':
      return random.isTrue(0.5)
    case undefined:
    default:
      return validText(random, schema)
  }
}

function validObject(random: Random, cast: Cast, { properties = {}, required = [] }: Schema): unknown {
  const members = Object.entries(properties).filter(([name]) => required.includes(name) || random.isTrue(0.6))
  return Object.fromEntries(members.map(([name, schema]) => [name, validValue(random, cast, schema, name)]))
}

const SINGULAR: Record<string, string> = { domains: 'domain', company_numbers: 'company_number' }

function validText(random: Random, { format }: Schema): string {
  if (format === 'date') return random.pick(['2026-01-31', '2024-02-29', '1999-12-31'])
  if (format === 'date-time') return random.pick(['2026-01-31T10:00:00Z', '2026-02-01T00:00:00.5+01:00'])
  return random.pick(['Alder', 'Kestrel mill', 'a', 'York', 'x'.repeat(40), 'Ünïcode & Söhne', '12345'])
}

const KNOWN: Record<string, (random: Random, cast: Cast) => unknown> = {
  domain: (random, { domains }) =>
    random.isTrue(0.03) ? `not-there-${random.below(200)}.co.uk` : toWritten(random, random.pick(domains)),
  company_number: (random, { companyNumbers }) =>
    random.isTrue(0.2) ? `TS00000${1 + random.below(7)}` : random.pick(companyNumbers),
  company_name: (random, { companyNames }) =>
    random.pick(companyNames ?? ['ALDERFINCH JOINERY LIMITED', 'Alderfinch Joinery Ltd', 'Unknown Ltd']),
  email: (random, { emails }) => (random.isTrue(0.3) ? `new-${random.below(1_000)}@example.com` : random.pick(emails)),
  password: (random) => random.pick(['seven quiet harbours', 'password', 'correct horse battery']),
  new_password: (random) => random.pick(['seven quiet harbours', 'password']),
  webhook_url: (random) => `https://hooks.co.uk/${random.below(5)}`,
  wait_seconds: () => 0,
  postcode: (random) => random.pick(['YO1', 'YO2 2BN', 'YO']),
  company_status: (random) => random.pick(['active', 'dissolved', 'liquidation']),
  incorporated_from: (random) => random.pick(['2011-03-14', '2000-01-01']),
  incorporated_to: (random) => random.pick(['2011-03-14', '2020-01-01']),
  region: (random) => random.pick(['yorkshire-and-the-humber', 'london']),
  sic_section: (random) => random.pick(['C', 'J']),
  redirect_uris: () => ['http://127.0.0.1:9/callback'],
  client_name: (random) => random.pick(NAMES),
  grant_types: () => ['authorization_code', 'refresh_token'],
  response_types: () => ['code'],
  token_endpoint_auth_method: () => 'none',
  scope: () => 'service:mcp offline_access',
  response_type: () => 'code',
  code_challenge_method: () => 'S256',
  grant_type: (random) => random.pick(['authorization_code', 'refresh_token', 'client_credentials']),
  next: () => '/console',
}

const NAMES = ['Alderfinch Joinery', 'Kestrelmill', 'limited', 'The Company']

function toWritten(random: Random, domain: string): string {
  return random.isTrue(0.7)
    ? domain
    : random.pick([`https://www.${domain}/about?x=1`, `info@${domain}`, domain.toUpperCase()])
}
