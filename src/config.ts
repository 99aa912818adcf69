import { listProductionProblems } from './config/production.ts'
import { type Settings, type SimulatedWebConfig, settings } from './config/settings.ts'

/** Every setting of the service. The environment is read nowhere else; `.env.example` explains each. */
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
  /** Between this process and its databases; the address for migrations always leads past it. */
  databasePooler: 'none' | 'pgbouncer'
  databaseConnectionsMax: number
  pageArchive: PageArchiveConfig
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
  /** Other appointments of officers, and whether they are disqualified, can be read. */
  peopleFeatures: boolean
  /** How long the audit log keeps network addresses. */
  addressRetentionDays: number
  register: RegisterConfig
  webhooks: WebhookConfig
  /** The language model that reads what the rules leave open; null without one. */
  secondReader: SecondReaderConfig | null
  /** The authority that confirms times of evidence records; null without one. */
  timeStamp: TimeStampConfig | null
  /** PEM certificates of authorities to trust, also where none is asked any more; null accepts any that signs its stamps. */
  timeStampCertificatesFile: string | null
  /** The operator's own certificate for documents, with its key; null where the service makes one. */
  documentCertificate: { certificateFile: string; keyFile: string } | null
  /** Public halves of evidence keys, and hashes of certificates, that the operator vouches for, as their sealing key is lost. */
  evidenceKeysLost: string[]
  /** Examples for people who do not know what to enter, and for visitors without an account. */
  demoDomains: string[]
  /** The operator's own privacy notice and terms; null where ours are shown. */
  privacyUrl: string | null
  termsUrl: string | null
  /** Pages beside the service that only a developer has, such as the mailbox. Empty in production. */
  developmentPages: Array<{ name: string; url: string }>
}

/** Where the pages that answers quote are kept. */
export interface PageArchiveConfig {
  /** `off` keeps none. The other three begin in the database. */
  keepsIn: 'off' | 'postgres' | 'folder' | 's3'
  /** Both are read, whichever is written; null where there is none. */
  directory: string | null
  s3: ObjectStoreConfig | null
}

/** A bucket behind an endpoint that speaks the API of S3. */
export interface ObjectStoreConfig {
  endpoint: URL
  region: string
  bucket: string
  accessKey: string
  secretKey: string
}

/** A language model behind a chat endpoint. */
export interface SecondReaderConfig {
  url: URL
  api: 'openai' | 'anthropic'
  model: string
  /** Null for a server without one, and in a process that asks no model. */
  key: string | null
  tasks: ReadonlyArray<'find' | 'check'>
  /** Every match is checked, not only the less certain ones. */
  checksAll: boolean
  /** For a million tokens, in the currency of the budget. */
  prices: { input: number; output: number }
  budgetPerDay: number
  /** For one question with all attempts at it. */
  timeoutSeconds: number
}

/** A time-stamp authority (RFC 3161). */
export interface TimeStampConfig {
  url: URL
  timeoutSeconds: number
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

/** Companies House. Without a key its REST API is never asked; without stream keys no stream is followed. */
interface RegisterConfig {
  restUrl: URL
  restKey: string | null
  /** Where filed documents are asked for, with the key of REST. */
  documentUrl: URL
  /** The domains to which the document host may lead: where the documents themselves are. */
  documentStorage: string[]
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
  'SECOND_READER_KEY',
  'PAGE_ARCHIVE_S3_ACCESS_KEY',
  'PAGE_ARCHIVE_S3_SECRET_KEY',
]

/** The secrets a kind of process uses. The others are not read, so that a process that is taken over gives away less. */
export const SECRETS_OF: Record<ProcessKind, readonly string[]> = {
  all: SECRET_NAMES,
  serve: [
    'DATABASE_URL',
    'SEALING_KEYS',
    'HASHING_KEY',
    'HASHING_KEY_PREVIOUS',
    'METRICS_TOKEN',
    'REGISTER_REST_KEY',
    'PAGE_ARCHIVE_S3_ACCESS_KEY',
    'PAGE_ARCHIVE_S3_SECRET_KEY',
  ],
  work: [
    'DATABASE_URL',
    'SMTP_URL',
    'SEALING_KEYS',
    'HASHING_KEY',
    'HASHING_KEY_PREVIOUS',
    'METRICS_TOKEN',
    'REGISTER_REST_KEY',
    'SECOND_READER_KEY',
    'PAGE_ARCHIVE_S3_ACCESS_KEY',
    'PAGE_ARCHIVE_S3_SECRET_KEY',
  ],
  follow: ['DATABASE_URL', 'METRICS_TOKEN', 'REGISTER_STREAM_KEYS'],
  migrate: ['DATABASE_URL', 'MIGRATION_DATABASE_URL'],
  register: ['DATABASE_URL', 'MIGRATION_DATABASE_URL'],
  command: [
    'DATABASE_URL',
    'SEALING_KEYS',
    'HASHING_KEY',
    'HASHING_KEY_PREVIOUS',
    'REGISTER_REST_KEY',
    'SECOND_READER_KEY',
    'PAGE_ARCHIVE_S3_ACCESS_KEY',
    'PAGE_ARCHIVE_S3_SECRET_KEY',
  ],
}

/** Pure: names to typed settings. All problems are reported together, by name and never with the value. */
export function loadConfig(env: Record<string, string | undefined>, kind: ProcessKind = 'all'): Config {
  const used = SECRETS_OF[kind]
  const unused = SECRET_NAMES.filter((name) => !used.includes(name))
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== undefined && value !== '' && !unused.includes(name)),
  )
  const missing = [
    ...NEEDED_WHERE_USED.filter((name) => used.includes(name) && !(name in given)),
    ...('SECOND_READER_URL' in given ? NEEDED_WITH_READER.filter((name) => !(name in given)) : []),
    ...listNeededToArchive(given['PAGE_ARCHIVE']).filter((name) => !unused.includes(name) && !(name in given)),
    ...(given['DATABASE_POOLER'] === 'pgbouncer' ? NEEDED_PAST_POOLER[kind].filter((name) => !(name in given)) : []),
  ]
  const parsed = settings.safeParse(given)
  const describe = (name: string, message: string) => (name in given ? `${name}: ${message}` : `${name}: is missing`)
  const issues = parsed.error?.issues.map((issue) => describe(String(issue.path[0]), issue.message)) ?? []
  if (!parsed.success || missing.length > 0) {
    throw new ConfigError([...issues, ...missing.map((name) => `${name}: is missing`)])
  }
  const problems = parsed.data.ENVIRONMENT === 'production' ? listProductionProblems(parsed.data, unused) : []
  if (problems.length > 0) throw new ConfigError(problems)
  return toConfig(parsed.data)
}

/** Returns the configuration of a process that owns the tables. Its address leads past a pooler. */
export function toOwner(config: Config): Config {
  const { migrationDatabaseUrl } = config
  return migrationDatabaseUrl === null
    ? config
    : { ...config, databaseUrl: migrationDatabaseUrl, databasePooler: 'none' }
}

const NEEDED_WHERE_USED = ['SMTP_URL', 'SEALING_KEYS', 'HASHING_KEY']

/** They hold locks and settings on a connection, which a pooler gives to others between two statements. */
const NEEDED_PAST_POOLER: Record<ProcessKind, readonly string[]> = {
  all: [],
  serve: [],
  work: [],
  follow: [],
  command: [],
  migrate: ['MIGRATION_DATABASE_URL'],
  register: ['MIGRATION_DATABASE_URL'],
}

/** Without prices the budget could not be kept; a model of the operator's own costs 0,0. */
const NEEDED_WITH_READER = ['SECOND_READER_MODEL', 'SECOND_READER_PRICES']

/** Settings without which pages could not be moved to where they belong. */
function listNeededToArchive(keepsIn = ''): readonly string[] {
  if (keepsIn === 'folder') return ['PAGE_ARCHIVE_DIRECTORY']
  return keepsIn === 's3' ? S3_SETTINGS : []
}

const S3_SETTINGS = ['ENDPOINT', 'BUCKET', 'ACCESS_KEY', 'SECRET_KEY'].map((name) => `PAGE_ARCHIVE_S3_${name}`)

function toConfig(values: Settings): Config {
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
    databasePooler: values.DATABASE_POOLER,
    databaseConnectionsMax: values.DATABASE_CONNECTIONS_MAX,
    pageArchive: {
      keepsIn: values.PAGE_ARCHIVE,
      directory: values.PAGE_ARCHIVE_DIRECTORY ?? null,
      s3: toObjectStore(values),
    },
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
    peopleFeatures: values.PEOPLE_FEATURES === 'on',
    addressRetentionDays: values.ADDRESS_RETENTION_DAYS,
    register: {
      restUrl: values.REGISTER_REST_URL,
      restKey: values.REGISTER_REST_KEY ?? null,
      documentUrl: values.REGISTER_DOCUMENT_URL,
      documentStorage: values.REGISTER_DOCUMENT_STORAGE,
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
    secondReader: toSecondReader(values),
    timeStamp: values.TIME_STAMP_URL
      ? { url: values.TIME_STAMP_URL, timeoutSeconds: values.TIME_STAMP_TIMEOUT_SECONDS }
      : null,
    timeStampCertificatesFile: values.TIME_STAMP_CA_FILE ?? null,
    documentCertificate:
      values.DOCUMENT_CERTIFICATE_FILE && values.DOCUMENT_KEY_FILE
        ? { certificateFile: values.DOCUMENT_CERTIFICATE_FILE, keyFile: values.DOCUMENT_KEY_FILE }
        : null,
    evidenceKeysLost: values.EVIDENCE_KEYS_LOST,
    demoDomains: values.DEMO_DOMAINS,
    privacyUrl: values.PRIVACY_URL ?? null,
    termsUrl: values.TERMS_URL ?? null,
    developmentPages: values.DEVELOPMENT_PAGES,
  }
}

/** Null where a part is missing: a process without the keys neither moves nor reads what is there. */
function toObjectStore(values: Settings): ObjectStoreConfig | null {
  const { PAGE_ARCHIVE_S3_ENDPOINT: endpoint, PAGE_ARCHIVE_S3_BUCKET: bucket } = values
  const { PAGE_ARCHIVE_S3_ACCESS_KEY: accessKey, PAGE_ARCHIVE_S3_SECRET_KEY: secretKey } = values
  if (!endpoint || !bucket || !accessKey || !secretKey) return null
  return { endpoint, bucket, accessKey, secretKey, region: values.PAGE_ARCHIVE_S3_REGION }
}

function toSecondReader(values: Settings): SecondReaderConfig | null {
  const { SECOND_READER_URL: url, SECOND_READER_MODEL: model, SECOND_READER_PRICES: prices } = values
  if (url === undefined || model === undefined || prices === undefined) return null
  const tasks = values.SECOND_READER_TASKS
  return {
    url,
    api: values.SECOND_READER_API,
    model,
    key: values.SECOND_READER_KEY ?? null,
    tasks: (['find', 'check'] as const).filter((task) => tasks.some((one) => one.startsWith(task))),
    checksAll: tasks.includes('check-all'),
    prices,
    budgetPerDay: values.SECOND_READER_BUDGET_PER_DAY,
    timeoutSeconds: values.SECOND_READER_TIMEOUT_SECONDS,
  }
}
