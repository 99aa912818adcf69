/** Checks that production does not run on examples, simulators or connections in clear. */
import type { Settings } from './settings.ts'

const HTTPS_IN_PRODUCTION = [
  'BASE_URL',
  'SITE_URL',
  'REGISTER_REST_URL',
  'REGISTER_DOCUMENT_URL',
  'REGISTER_STREAM_URL',
  'REGISTER_BULK_URL',
] as const

const MAKE_YOUR_OWN = 'is the example’s key, which is public (openssl rand -base64 32 makes one)'

/** Returns each problem as `NAME: what is wrong`. */
export function listProductionProblems(values: Settings, unused: readonly string[]): string[] {
  const problems: string[] = []
  if (values.SIMULATED.length > 0) problems.push('SIMULATED: production does not run on simulators')
  if (values.SIMULATED_WEB) problems.push('SIMULATED_WEB: production does not run on simulators')
  if (values.DEVELOPMENT_PAGES.length > 0) problems.push('DEVELOPMENT_PAGES: production has none')
  for (const name of HTTPS_IN_PRODUCTION) {
    if (values[name].protocol !== 'https:') problems.push(`${name}: must be https in production`)
  }
  if (values.PAGE_ARCHIVE_S3_ENDPOINT && isPlainOnInternet(values.PAGE_ARCHIVE_S3_ENDPOINT)) {
    problems.push('PAGE_ARCHIVE_S3_ENDPOINT: must be https in production, unless the store is on a private network')
  }
  if (values.SECOND_READER_URL && isPlainOnInternet(values.SECOND_READER_URL)) {
    problems.push('SECOND_READER_URL: must be https in production, unless the model runs on a private network')
  }
  if (values.TIME_STAMP_URL && isLoopback(values.TIME_STAMP_URL)) {
    problems.push(
      'TIME_STAMP_URL: production does not run on simulators, and an authority on this machine proves nothing',
    )
  }
  const isExample = (bytes: Uint8Array) => bytes.every((byte) => byte === 0)
  if (values.SEALING_KEYS?.some((sealing) => isExample(sealing.key))) problems.push(`SEALING_KEYS: ${MAKE_YOUR_OWN}`)
  if (values.HASHING_KEY && isExample(values.HASHING_KEY)) problems.push(`HASHING_KEY: ${MAKE_YOUR_OWN}`)
  if (!values.METRICS_TOKEN && !unused.includes('METRICS_TOKEN'))
    problems.push('METRICS_TOKEN: is missing (production does not show its metrics to everyone)')
  if (EXAMPLE_TOKENS.includes(values.METRICS_TOKEN ?? ''))
    problems.push('METRICS_TOKEN: is the example’s token, which is public (openssl rand -hex 24 makes one)')
  if (values.SMTP_URL && isPlainMail(values.SMTP_URL))
    problems.push('SMTP_URL: must be smtps://, or smtp:// with ?requireTLS=true, unless the server is on this machine')
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const) {
    if (values.DATABASE_TLS === 'required' && isPlainDatabase(values[name])) problems.push(`${name}: ${WITHOUT_TLS}`)
  }
  return problems
}

const EXAMPLE_TOKENS = ['at-least-sixteen-characters', 'replace-by-openssl-rand-hex-24']

const WITHOUT_TLS =
  'must end with ?sslmode=verify-full (or require, with a certificate this machine trusts), unless the database is on this machine; where a network of its own protects the connection, set DATABASE_TLS=off-private-network'

/** Passwords and links would cross a network in clear. */
function isPlainMail(smtpUrl: string): boolean {
  const url = new URL(smtpUrl)
  const isWithTls = url.protocol === 'smtps:' || url.searchParams.get('requireTLS') === 'true'
  const isWeakened = url.searchParams.get('ignoreTLS') === 'true'
  return !isLoopback(url) && (!isWithTls || isWeakened)
}

/** The driver checks the certificate in all three modes, unless `uselibpqcompat` makes it as lax as libpq. */
const CHECKED_MODES = ['require', 'verify-ca', 'verify-full']

function isPlainDatabase(databaseUrl: string | undefined): boolean {
  if (databaseUrl === undefined) return false
  const url = new URL(databaseUrl)
  const isChecked = CHECKED_MODES.includes(url.searchParams.get('sslmode') ?? '')
  return !isLoopback(url) && (!isChecked || url.searchParams.has('uselibpqcompat'))
}

/** A key and questions, or pages, would cross the internet in clear. */
function isPlainOnInternet(url: URL): boolean {
  const isPrivate = isLoopback(url) || PRIVATE_HOST.test(url.hostname)
  return url.protocol !== 'https:' && !isPrivate
}

/** A name without a dot, a name of the cluster, or a private address. */
const PRIVATE_HOST =
  /^(?:[^.:]+|.+\.(?:internal|local|svc)|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[f[cd].*\])$/i

function isLoopback({ hostname, searchParams }: URL): boolean {
  const host = (searchParams.get('host') ?? hostname).replace(/^\[|\]$/g, '')
  return host === '' || host.startsWith('/') || host === 'localhost' || host === '::1' || host.startsWith('127.')
}
