/** The environment variables of the service, from text to typed values. */
import { isIP } from 'node:net'
import { z } from 'zod'

/** The internet, played on this machine for development and tests. */
export interface SimulatedWebConfig {
  dnsServer: string
  httpPort: number
  httpsPort: number
  certificateAuthorityFile: string
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
const domains = list
  .pipe(z.array(z.string().max(253).regex(DOMAIN, 'must be domains')).max(20))
  .transform((names) => names.map((name) => name.toLowerCase().replace(/^www\./, '')))

const READER_TASKS = ['find', 'check', 'check-all'] as const
const readerTasks = list.pipe(z.array(z.enum(READER_TASKS, 'must be of find, check and check-all')).min(1).max(3))

const money = z.coerce.number().min(0).max(1_000_000)
const prices = list
  .transform((items) => items.map(Number))
  .pipe(z.array(z.number().min(0).max(1_000_000)).length(2, 'must be two numbers: input,output'))
  .transform(([input = 0, output = 0]) => ({ input, output }))

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' })

export const settings = z.object({
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
  DATABASE_POOLER: z.enum(['none', 'pgbouncer']).default('none'),
  DATABASE_CONNECTIONS_MAX: z.coerce.number().int().min(2).max(500).default(20),
  PAGE_ARCHIVE: z.enum(['off', 'postgres', 'folder', 's3']).default('postgres'),
  PAGE_ARCHIVE_DIRECTORY: z.string().min(1).max(1_000).optional(),
  PAGE_ARCHIVE_S3_ENDPOINT: origin.optional(),
  PAGE_ARCHIVE_S3_REGION: z.string().min(1).max(64).default('us-east-1'),
  PAGE_ARCHIVE_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  PAGE_ARCHIVE_S3_ACCESS_KEY: z.string().min(1).max(256).optional(),
  PAGE_ARCHIVE_S3_SECRET_KEY: z.string().min(1).max(256).optional(),
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
  PEOPLE_FEATURES: z.enum(['on', 'off']).default('on'),
  ADDRESS_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(90),
  REGISTER_REST_URL: origin.prefault('https://api.company-information.service.gov.uk'),
  REGISTER_REST_KEY: z.string().optional(),
  REGISTER_DOCUMENT_URL: origin.prefault('https://document-api.company-information.service.gov.uk'),
  REGISTER_DOCUMENT_STORAGE: domains.prefault('amazonaws.com'),
  REGISTER_STREAM_URL: origin.prefault('https://stream.companieshouse.gov.uk'),
  REGISTER_STREAM_KEYS: list,
  REGISTER_BULK_URL: origin.prefault('https://download.companieshouse.gov.uk'),
  SECOND_READER_URL: webAddress.transform((text) => new URL(text)).optional(),
  SECOND_READER_API: z.enum(['openai', 'anthropic']).default('openai'),
  SECOND_READER_MODEL: z.string().min(1).max(200).optional(),
  SECOND_READER_KEY: z.string().min(1).optional(),
  SECOND_READER_TASKS: readerTasks.prefault('find,check'),
  SECOND_READER_PRICES: prices.optional(),
  SECOND_READER_BUDGET_PER_DAY: money.default(5),
  SECOND_READER_TIMEOUT_SECONDS: z.coerce.number().min(1).max(20).default(10),
  WEBHOOK_RETRY_SECONDS: delays.prefault(RETRY_SECONDS.join()),
  WEBHOOK_TIMEOUT_SECONDS: z.coerce.number().min(1).max(60).default(15),
  WEBHOOK_DISABLE_AFTER_SECONDS: z.coerce
    .number()
    .min(1)
    .default(5 * 24 * HOUR),
  WEBHOOK_PAUSE_SECONDS: z.coerce.number().min(0.1).max(HOUR).default(30),
  WEBHOOK_UNPROVEN_PER_MINUTE: z.coerce.number().min(1).max(60_000).default(6),
  TIME_STAMP_URL: webAddress.transform((text) => new URL(text)).optional(),
  TIME_STAMP_CA_FILE: z.string().min(1).max(1_000).optional(),
  TIME_STAMP_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(30).default(10),
  DOCUMENT_CERTIFICATE_FILE: z.string().min(1).max(1_000).optional(),
  DOCUMENT_KEY_FILE: z.string().min(1).max(1_000).optional(),
  EVIDENCE_KEYS_LOST: list,
  DEMO_DOMAINS: domains,
  PRIVACY_URL: z.url({ protocol: /^https$/ }).optional(),
  TERMS_URL: z.url({ protocol: /^https$/ }).optional(),
  DEVELOPMENT_PAGES: developmentPages,
})

export type Settings = z.infer<typeof settings>

export const SETTING_NAMES = Object.keys(settings.shape)
