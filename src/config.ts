import { isIP } from 'node:net'
import { z } from 'zod'

/** Every setting of the service. This file is the only reader of the environment; `.env.example` explains each. */
export interface Config {
  environment: 'production' | 'development'
  /** Parts of the outside world that are played by simulators. Empty in production. */
  simulated: string[]
  baseUrl: URL
  siteUrl: URL
  listen: { host: string; port: number }
  /** For probes and metrics alone, on the same host; null means none. */
  operationsPort: number | null
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: string[]
  databaseUrl: string
  /** The database address of the role that owns the tables; null where one role does both. */
  migrationDatabaseUrl: string | null
  databaseConnectionsMax: number
  /** Null in a process that sends no e-mail. */
  smtpUrl: string | null
  mailFrom: string
  /** Newest first. None in a process that opens no secret. */
  sealingKeys: Array<{ id: string; key: Uint8Array }>
  /** Newest first: the first one hashes, all of them find. None in a process that looks no key up. */
  hashingKeys: Uint8Array[]
  metricsToken: string | null
  tracesEndpoint: string | null
  logLevel: string
  shutdownGraceSeconds: number
  /** Asked for the names of web sites and webhooks; none means the machine's own. */
  dnsServers: string[]
  simulatedWeb: SimulatedWebConfig | null
  /** How often the verified site of a watched company is looked at again. */
  websiteCheckDays: number
  /** How long the audit trail keeps network addresses. */
  addressRetentionDays: number
  register: RegisterConfig
  webhooks: WebhookConfig
  /** Examples for people who do not know what to enter. */
  demoDomains: string[]
  /** Pages beside the service that only a developer has, such as the mailbox. Empty in production. */
  developmentPages: Array<{ name: string; url: string }>
}

/** How hard a webhook is tried, and when its destination is given up on. */
export interface WebhookConfig {
  /** Before each attempt, counted from the one before it; as many attempts as there are numbers. */
  retrySeconds: number[]
  timeoutSeconds: number
  /** Without one success. */
  disableAfterSeconds: number
  /** How long nothing is sent after five failures in a row; doubles with every pause that did not help. */
  pauseSeconds: number
  /** Requests a minute to a host that has not accepted any yet, from all accounts together. */
  unprovenPerMinute: number
}

/** The internet, played on this machine for development and tests. */
export interface SimulatedWebConfig {
  dnsServer: string
  httpPort: number
  httpsPort: number
  certificateAuthorityFile: string
}

/** Companies House. Without a key its REST API is never asked; without stream keys no stream is followed. */
interface RegisterConfig {
  restUrl: URL
  restKey: string | null
  streamUrl: URL
  streamKeys: string[]
  bulkUrl: URL
}

export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(
      `The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\nSee .env.example.`,
    )
    this.name = 'ConfigError'
  }
}

const KEY_BYTES = 32

const key = z
  .string()
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64')))
  .refine((bytes) => bytes.length === KEY_BYTES, `must be ${KEY_BYTES} random bytes in base64`)

const sealingKeys = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim().split(':')))
  .pipe(
    z.array(
      z
        .tuple([z.string().regex(/^[a-z0-9]{1,16}$/, 'each key needs a name before the colon: name:base64'), key])
        .transform(([id, bytes]) => ({ id, key: bytes })),
    ),
  )

const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((item) => item !== ''))

const nameServer = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || isIP(/^\[?(.+?)\]?:\d{1,5}$/.exec(text)?.[1] ?? '') !== 0,
    'must be IP addresses',
  )

const HOUR = 3_600
const RETRY_SECONDS = [0, 5, 60, 300, 1_800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

const delay = z
  .string()
  .transform(Number)
  .pipe(
    z
      .number()
      .min(0)
      .max(7 * 24 * HOUR),
  )
const delays = list.pipe(z.array(delay).min(1).max(30))

const port = z.coerce.number().int().min(1).max(65_535)

const simulatedWeb = z
  .string()
  .transform((text) => Object.fromEntries(text.split(/\s+/).map((part) => part.split('=', 2))) as unknown)
  .pipe(z.object({ dns: nameServer, http: port, https: port, ca: z.string() }))
  .transform(({ dns, http, https, ca }): SimulatedWebConfig => {
    return { dnsServer: dns, httpPort: http, httpsPort: https, certificateAuthorityFile: ca }
  })

const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((text) => new URL(text))
  .refine((url) => url.pathname === '/' && !url.search && !url.hash, 'must be an address without a path')

const webAddress = z.url({ protocol: /^https?$/, error: 'must be http or https addresses' })

const developmentPages = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((item) => item.trim() !== ''))
  .transform((items) => items.map((item) => item.split(/=(.*)/s).map((part) => part.trim())))
  .pipe(
    z.array(z.tuple([z.string().min(1), webAddress], { error: 'must be name=address' }).rest(z.literal(''))).max(10),
  )
  .transform((pages) => pages.map(([name, url]) => ({ name, url })))

const DOMAIN = /^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i
const domains = list.pipe(z.array(z.string().max(253).regex(DOMAIN, 'must be domains')).max(20))

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' })

const settings = z.object({
  ENVIRONMENT: z.enum(['production', 'development']).default('production'),
  SIMULATED: list,
  BASE_URL: origin,
  SITE_URL: origin,
  HOST: z.string().default('0.0.0.0'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  OPERATIONS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  TRUSTED_PROXIES: list,
  DATABASE_URL: databaseUrl,
  MIGRATION_DATABASE_URL: databaseUrl.optional(),
  DATABASE_TLS: z.enum(['required', 'off-private-network']).default('required'),
  DATABASE_CONNECTIONS_MAX: z.coerce.number().int().min(2).max(500).default(20),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z.string().min(3),
  SEALING_KEYS: sealingKeys.optional(),
  HASHING_KEY: key.optional(),
  HASHING_KEY_PREVIOUS: key.optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  SHUTDOWN_GRACE_SECONDS: z.coerce.number().int().min(1).max(600).default(25),
  DNS_SERVERS: list.pipe(z.array(nameServer)),
  SIMULATED_WEB: simulatedWeb.optional(),
  WEBSITE_CHECK_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  ADDRESS_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(90),
  REGISTER_REST_URL: origin.prefault('https://api.company-information.service.gov.uk'),
  REGISTER_REST_KEY: z.string().optional(),
  REGISTER_STREAM_URL: origin.prefault('https://stream.companieshouse.gov.uk'),
  REGISTER_STREAM_KEYS: list,
  REGISTER_BULK_URL: origin.prefault('https://download.companieshouse.gov.uk'),
  WEBHOOK_RETRY_SECONDS: delays.prefault(RETRY_SECONDS.join()),
  WEBHOOK_TIMEOUT_SECONDS: z.coerce.number().min(1).max(60).default(15),
  WEBHOOK_DISABLE_AFTER_SECONDS: z.coerce
    .number()
    .min(1)
    .default(5 * 24 * HOUR),
  WEBHOOK_PAUSE_SECONDS: z.coerce.number().min(0.1).max(HOUR).default(30),
  WEBHOOK_UNPROVEN_PER_MINUTE: z.coerce.number().min(1).max(60_000).default(6),
  DEMO_DOMAINS: domains,
  DEVELOPMENT_PAGES: developmentPages,
})

export const SETTING_NAMES = Object.keys(settings.shape)

/** The kinds of process; `command` is an operator's, `register` loads the register as the owner of its tables. */
export type ProcessKind = 'all' | 'serve' | 'work' | 'follow' | 'migrate' | 'register' | 'command'

export const SECRET_NAMES = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'SMTP_URL',
  'SEALING_KEYS',
  'HASHING_KEY',
  'HASHING_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'REGISTER_REST_KEY',
  'REGISTER_STREAM_KEYS',
]

/** The secrets a kind of process uses. The others are not read, so that a process that is taken over gives away less. */
export const SECRETS_OF: Record<ProcessKind, readonly string[]> = {
  all: SECRET_NAMES,
  serve: ['DATABASE_URL', 'SEALING_KEYS', 'HASHING_KEY', 'HASHING_KEY_PREVIOUS', 'METRICS_TOKEN', 'REGISTER_REST_KEY'],
  work: [
    'DATABASE_URL',
    'SMTP_URL',
    'SEALING_KEYS',
    'HASHING_KEY',
    'HASHING_KEY_PREVIOUS',
    'METRICS_TOKEN',
    'REGISTER_REST_KEY',
  ],
  follow: ['DATABASE_URL', 'METRICS_TOKEN', 'REGISTER_STREAM_KEYS'],
  migrate: ['DATABASE_URL', 'MIGRATION_DATABASE_URL'],
  register: ['DATABASE_URL', 'MIGRATION_DATABASE_URL'],
  command: ['DATABASE_URL', 'SEALING_KEYS', 'HASHING_KEY', 'HASHING_KEY_PREVIOUS', 'REGISTER_REST_KEY'],
}

/** Pure: names to typed settings. All problems are reported together, by name and never with the value. */
export function loadConfig(env: Record<string, string | undefined>, kind: ProcessKind = 'all'): Config {
  const used = SECRETS_OF[kind]
  const unused = SECRET_NAMES.filter((name) => !used.includes(name))
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== undefined && value !== '' && !unused.includes(name)),
  )
  const missing = NEEDED_WHERE_USED.filter((name) => used.includes(name) && !(name in given))
  const parsed = settings.safeParse(given)
  const describe = (name: string, message: string) => (name in given ? `${name}: ${message}` : `${name}: is missing`)
  const issues = parsed.error?.issues.map((issue) => describe(String(issue.path[0]), issue.message)) ?? []
  if (!parsed.success || missing.length > 0) {
    throw new ConfigError([...issues, ...missing.map((name) => `${name}: is missing`)])
  }
  const problems = parsed.data.ENVIRONMENT === 'production' ? productionProblems(parsed.data, unused) : []
  if (problems.length > 0) throw new ConfigError(problems)
  return toConfig(parsed.data)
}

const NEEDED_WHERE_USED = ['SMTP_URL', 'SEALING_KEYS', 'HASHING_KEY']

const HTTPS_IN_PRODUCTION = [
  'BASE_URL',
  'SITE_URL',
  'REGISTER_REST_URL',
  'REGISTER_STREAM_URL',
  'REGISTER_BULK_URL',
] as const

const MAKE_YOUR_OWN = 'is the example’s key, which is public (openssl rand -base64 32 makes one)'

function productionProblems(values: z.infer<typeof settings>, unused: readonly string[]): string[] {
  const problems: string[] = []
  if (values.SIMULATED.length > 0) problems.push('SIMULATED: production does not run on simulators')
  if (values.SIMULATED_WEB) problems.push('SIMULATED_WEB: production does not run on simulators')
  if (values.DEVELOPMENT_PAGES.length > 0) problems.push('DEVELOPMENT_PAGES: production has none')
  for (const name of HTTPS_IN_PRODUCTION) {
    if (values[name].protocol !== 'https:') problems.push(`${name}: must be https in production`)
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

function isLoopback({ hostname, searchParams }: URL): boolean {
  const host = (searchParams.get('host') ?? hostname).replace(/^\[|\]$/g, '')
  return host === '' || host.startsWith('/') || host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function toConfig(values: z.infer<typeof settings>): Config {
  return {
    environment: values.ENVIRONMENT,
    simulated: values.SIMULATED,
    baseUrl: values.BASE_URL,
    siteUrl: values.SITE_URL,
    listen: { host: values.HOST, port: values.PORT },
    operationsPort: values.OPERATIONS_PORT ?? null,
    trustedProxies: values.TRUSTED_PROXIES,
    databaseUrl: values.DATABASE_URL,
    migrationDatabaseUrl: values.MIGRATION_DATABASE_URL ?? null,
    databaseConnectionsMax: values.DATABASE_CONNECTIONS_MAX,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM,
    sealingKeys: values.SEALING_KEYS ?? [],
    hashingKeys: [values.HASHING_KEY, values.HASHING_KEY_PREVIOUS].filter((one) => one !== undefined),
    metricsToken: values.METRICS_TOKEN ?? null,
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    logLevel: values.LOG_LEVEL,
    shutdownGraceSeconds: values.SHUTDOWN_GRACE_SECONDS,
    dnsServers: values.DNS_SERVERS,
    simulatedWeb: values.SIMULATED_WEB ?? null,
    websiteCheckDays: values.WEBSITE_CHECK_DAYS,
    addressRetentionDays: values.ADDRESS_RETENTION_DAYS,
    register: {
      restUrl: values.REGISTER_REST_URL,
      restKey: values.REGISTER_REST_KEY ?? null,
      streamUrl: values.REGISTER_STREAM_URL,
      streamKeys: values.REGISTER_STREAM_KEYS,
      bulkUrl: values.REGISTER_BULK_URL,
    },
    webhooks: {
      retrySeconds: values.WEBHOOK_RETRY_SECONDS,
      timeoutSeconds: values.WEBHOOK_TIMEOUT_SECONDS,
      disableAfterSeconds: values.WEBHOOK_DISABLE_AFTER_SECONDS,
      pauseSeconds: values.WEBHOOK_PAUSE_SECONDS,
      unprovenPerMinute: values.WEBHOOK_UNPROVEN_PER_MINUTE,
    },
    demoDomains: values.DEMO_DOMAINS,
    developmentPages: values.DEVELOPMENT_PAGES,
  }
}
