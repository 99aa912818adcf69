import { expect, test } from 'vitest'
import { ConfigError, loadConfig, type ProcessKind, SECRET_NAMES, SECRETS_OF, toOwner } from './config.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')
const EXAMPLE_KEY = Buffer.alloc(32).toString('base64')
const GOOD = {
  BASE_URL: 'https://api.nameplate.example',
  SITE_URL: 'https://nameplate.example',
  DATABASE_URL: 'postgresql://user:hush@db/nameplate?sslmode=verify-full',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Nameplate <hello@nameplate.example>',
  SEALING_KEYS: `k2:${KEY},k1:${KEY}`,
  HASHING_KEY: KEY,
  METRICS_TOKEN: 'a-long-enough-token',
}

function problemsOf(env: Record<string, string | undefined>): string {
  try {
    loadConfig(env)
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

test('names become typed settings, with defaults', () => {
  const config = loadConfig(GOOD)
  expect(config.environment).toBe('production')
  expect(config.baseUrl.host).toBe('api.nameplate.example')
  expect(config.listen).toEqual({ host: '0.0.0.0', port: 8080 })
  expect(config.sealingKeys.map(({ id }) => id)).toEqual(['k2', 'k1'])
})

test('certificates of time-stamp authorities are trusted also where none is asked any more', () => {
  const config = loadConfig({ ...GOOD, TIME_STAMP_CA_FILE: '/etc/authorities.pem' })
  expect(config).toMatchObject({ timeStamp: null, timeStampCertificatesFile: '/etc/authorities.pem' })
})

test('the register is the real one unless said, and its keys are optional', () => {
  const { register } = loadConfig(GOOD)
  expect(register.restUrl.href).toBe('https://api.company-information.service.gov.uk/')
  expect(register.streamUrl.href).toBe('https://stream.companieshouse.gov.uk/')
  expect(register.bulkUrl.href).toBe('https://download.companieshouse.gov.uk/')
  expect(register).toMatchObject({ restKey: null, streamKeys: [] })
  const keys = { REGISTER_REST_KEY: 'one', REGISTER_STREAM_KEYS: 'two, three' }
  expect(loadConfig({ ...GOOD, ...keys }).register).toMatchObject({ restKey: 'one', streamKeys: ['two', 'three'] })
})

test('names of web sites are asked of the machine unless said, and the web is the real one', () => {
  expect(loadConfig(GOOD)).toMatchObject({ dnsServers: [], simulatedWeb: null })
  const servers = { DNS_SERVERS: '9.9.9.9, 127.0.0.1:4053 [2620:fe::fe]:53 2620:fe::9' }
  expect(loadConfig({ ...GOOD, ...servers }).dnsServers).toEqual([
    '9.9.9.9',
    '127.0.0.1:4053',
    '[2620:fe::fe]:53',
    '2620:fe::9',
  ])
})

test('verified sites are looked at again every 30 days unless said', () => {
  expect(loadConfig(GOOD).websiteCheckDays).toBe(30)
  expect(loadConfig({ ...GOOD, WEBSITE_CHECK_DAYS: '7' }).websiteCheckDays).toBe(7)
})

test('there are no example domains and no pages for developers unless said', () => {
  expect(loadConfig(GOOD)).toMatchObject({ demoDomains: [], developmentPages: [] })
  const pages = 'Mailbox=http://localhost:4001, Outside world=http://localhost:4002/?a=b'
  const said = { DEMO_DOMAINS: 'one.co.uk, two.scot', DEVELOPMENT_PAGES: pages, ENVIRONMENT: 'development' }
  expect(loadConfig({ ...GOOD, ...said })).toMatchObject({
    demoDomains: ['one.co.uk', 'two.scot'],
    developmentPages: [
      { name: 'Mailbox', url: 'http://localhost:4001' },
      { name: 'Outside world', url: 'http://localhost:4002/?a=b' },
    ],
  })
})

test('development may play the web on this machine', () => {
  const simulated = { SIMULATED_WEB: 'dns=127.0.0.1:4053 http=4080 https=4443 ca=.local/web/ca.pem' }
  expect(loadConfig({ ...GOOD, ...simulated, ENVIRONMENT: 'development' }).simulatedWeb).toEqual({
    dnsServer: '127.0.0.1:4053',
    httpPort: 4080,
    httpsPort: 4443,
    certificateAuthorityFile: '.local/web/ca.pem',
  })
})

test('all problems are reported together, by name and never with the value', () => {
  const problems = problemsOf({
    ...GOOD,
    BASE_URL: undefined,
    DATABASE_URL: 'mysql://hush',
    HASHING_KEY: 'hush',
    PORT: 'hush',
  })
  expect(problems).toMatch(/BASE_URL: is missing/)
  expect(problems).toMatch(/DATABASE_URL: must be a postgresql/)
  expect(problems).toMatch(/HASHING_KEY: must be 32 random bytes/)
  expect(problems).toMatch(/PORT/)
  expect(problems).not.toContain('hush')
})

test('pages go to a folder or bucket only with all of its settings, and a process without the keys needs none', () => {
  expect(problemsOf({ ...GOOD, PAGE_ARCHIVE: 'folder' })).toContain('PAGE_ARCHIVE_DIRECTORY: is missing')
  const bucket = {
    PAGE_ARCHIVE: 's3',
    PAGE_ARCHIVE_S3_ENDPOINT: 'https://store.example',
    PAGE_ARCHIVE_S3_BUCKET: 'pages',
  }
  expect(problemsOf({ ...GOOD, ...bucket })).toContain('PAGE_ARCHIVE_S3_SECRET_KEY: is missing')
  expect(loadConfig({ ...GOOD, ...bucket }, 'follow').pageArchive).toMatchObject({ keepsIn: 's3', s3: null })
})

test.each([
  [{ SIMULATED: 'mailbox' }, 'does not run on simulators'],
  [{ SIMULATED_WEB: 'dns=127.0.0.1:1 http=2 https=3 ca=x' }, 'SIMULATED_WEB: production does not run on simulators'],
  [{ DEVELOPMENT_PAGES: 'Mailbox=http://localhost:4001' }, 'DEVELOPMENT_PAGES: production has none'],
  [{ BASE_URL: 'http://api.nameplate.example' }, 'BASE_URL: must be https'],
  [{ SITE_URL: 'http://nameplate.example' }, 'SITE_URL: must be https'],
  [{ METRICS_TOKEN: '' }, 'METRICS_TOKEN: is missing'],
  [{ METRICS_TOKEN: 'at-least-sixteen-characters' }, 'METRICS_TOKEN: is the example’s token'],
  [{ METRICS_TOKEN: 'replace-by-openssl-rand-hex-24' }, 'METRICS_TOKEN: is the example’s token'],
  [{ SMTP_URL: 'smtp://mail.example:587' }, 'SMTP_URL: must be smtps://'],
  [{ SMTP_URL: 'smtp://mail.example:587?requireTLS=false' }, 'SMTP_URL: must be smtps://'],
  [{ SMTP_URL: 'smtp://mail.example:587?requireTLS=true&ignoreTLS=true' }, 'SMTP_URL: must be smtps://'],
  [{ DATABASE_URL: 'postgresql://u:p@db/nameplate' }, 'DATABASE_URL: must end with ?sslmode=verify-full'],
  [{ DATABASE_URL: 'postgresql://u:p@db/nameplate?sslmode=prefer' }, 'DATABASE_TLS=off-private-network'],
  [{ DATABASE_URL: 'postgresql://u:p@db/nameplate?sslmode=no-verify' }, 'DATABASE_TLS=off-private-network'],
  [{ DATABASE_URL: 'postgresql://u:p@db/n?sslmode=require&uselibpqcompat=true' }, 'DATABASE_TLS=off-private-network'],
  [{ SEALING_KEYS: `k1:${EXAMPLE_KEY}` }, 'SEALING_KEYS: is the example’s key'],
  [{ HASHING_KEY: EXAMPLE_KEY }, 'HASHING_KEY: is the example’s key'],
  [{ REGISTER_REST_URL: 'http://register.example' }, 'REGISTER_REST_URL: must be https'],
  [{ REGISTER_DOCUMENT_URL: 'http://register.example' }, 'REGISTER_DOCUMENT_URL: must be https'],
  [{ REGISTER_STREAM_URL: 'http://register.example' }, 'REGISTER_STREAM_URL: must be https'],
  [{ REGISTER_BULK_URL: 'http://register.example' }, 'REGISTER_BULK_URL: must be https'],
  [{ PAGE_ARCHIVE_S3_ENDPOINT: 'http://store.example' }, 'PAGE_ARCHIVE_S3_ENDPOINT: must be https'],
])('production refuses %j', (change, says) => {
  expect(problemsOf({ ...GOOD, ...change })).toContain(says)
  expect(problemsOf({ ...GOOD, ...change, ENVIRONMENT: 'development' })).toBe('')
})

test.each([
  { SMTP_URL: 'smtp://mail.example:587?requireTLS=true' },
  { SMTP_URL: 'smtp://127.0.0.1:25' },
  { SMTP_URL: 'smtp://[::1]:25' },
  { DATABASE_URL: 'postgresql://u:p@localhost/nameplate' },
  { DATABASE_URL: 'postgresql://u:p@127.0.0.1:5433/nameplate' },
  { DATABASE_URL: 'postgresql://u:p@x/nameplate?host=/var/run/postgresql' },
  { DATABASE_URL: 'postgresql://u:p@db/nameplate?sslmode=require' },
  { DATABASE_URL: 'postgresql://u:p@db/nameplate', DATABASE_TLS: 'off-private-network' },
])('production takes %j', (change) => {
  expect(problemsOf({ ...GOOD, ...change })).toBe('')
})

test('production names everything that is not safe at once', () => {
  const unsafe = {
    METRICS_TOKEN: 'at-least-sixteen-characters',
    SMTP_URL: 'smtp://m',
    DATABASE_URL: 'postgresql://db/n',
  }
  const problems = problemsOf({ ...GOOD, ...unsafe })
  for (const name of Object.keys(unsafe)) expect(problems).toContain(`${name}: `)
})

test.each([
  { BASE_URL: 'https://x/path' },
  { SEALING_KEYS: KEY },
  { METRICS_TOKEN: 'short' },
  { SMTP_URL: 'http://x' },
  { DNS_SERVERS: 'dns.example' },
  { DNS_SERVERS: '9.9.9.9:port' },
  { SIMULATED_WEB: 'dns=127.0.0.1:4053 http=4080 https=4443' },
  { SIMULATED_WEB: 'dns=localhost http=4080 https=4443 ca=x' },
  { SIMULATED_WEB: 'dns=127.0.0.1:4053 http=0 https=4443 ca=x' },
  { WEBSITE_CHECK_DAYS: '0' },
  { DEMO_DOMAINS: 'not a domain' },
  { DEVELOPMENT_PAGES: 'http://localhost:4001' },
  { DEVELOPMENT_PAGES: 'Mailbox=javascript:alert(1)' },
  { REGISTER_REST_URL: 'register.example' },
  { REGISTER_BULK_URL: 'https://register.example/path' },
])('refuses %j', (change) => {
  expect(problemsOf({ ...GOOD, ...change })).toContain(Object.keys(change)[0])
})

test.each<[ProcessKind, string[]]>([
  ['serve', ['SMTP_URL', 'REGISTER_STREAM_KEYS', 'MIGRATION_DATABASE_URL']],
  ['work', ['REGISTER_STREAM_KEYS', 'MIGRATION_DATABASE_URL']],
  [
    'follow',
    ['SMTP_URL', 'SEALING_KEYS', 'HASHING_KEY', 'HASHING_KEY_PREVIOUS', 'REGISTER_REST_KEY', 'MIGRATION_DATABASE_URL'],
  ],
  [
    'migrate',
    ['SMTP_URL', 'SEALING_KEYS', 'HASHING_KEY', 'METRICS_TOKEN', 'REGISTER_REST_KEY', 'REGISTER_STREAM_KEYS'],
  ],
  [
    'register',
    ['SMTP_URL', 'SEALING_KEYS', 'HASHING_KEY', 'METRICS_TOKEN', 'REGISTER_REST_KEY', 'REGISTER_STREAM_KEYS'],
  ],
  ['command', ['SMTP_URL', 'METRICS_TOKEN', 'REGISTER_STREAM_KEYS', 'MIGRATION_DATABASE_URL']],
])('%s starts without %j, and does not keep them when they are there', (kind, unused) => {
  const without = Object.fromEntries(Object.entries(GOOD).filter(([name]) => !unused.includes(name)))
  expect(() => loadConfig(without, kind)).not.toThrow()
  const secrets = {
    ...GOOD,
    REGISTER_REST_KEY: 'rest',
    REGISTER_STREAM_KEYS: 'streams',
    MIGRATION_DATABASE_URL: GOOD.DATABASE_URL,
  }
  const config = loadConfig(secrets, kind)
  const { smtpUrl, sealingKeys, hashingKeys, metricsToken, migrationDatabaseUrl, register } = config
  const kept: Record<string, boolean> = {
    SMTP_URL: smtpUrl !== null,
    SEALING_KEYS: sealingKeys.length > 0,
    HASHING_KEY: hashingKeys.length > 0,
    METRICS_TOKEN: metricsToken !== null,
    MIGRATION_DATABASE_URL: migrationDatabaseUrl !== null,
    REGISTER_REST_KEY: register.restKey !== null,
    REGISTER_STREAM_KEYS: register.streamKeys.length > 0,
  }
  for (const [name, isKept] of Object.entries(kept))
    expect([name, isKept]).toEqual([name, SECRETS_OF[kind].includes(name)])
  for (const name of unused) expect(SECRETS_OF[kind]).not.toContain(name)
})

test.each<[ProcessKind, string]>([
  ['serve', 'SEALING_KEYS'],
  ['work', 'SMTP_URL'],
  ['follow', 'DATABASE_URL'],
  ['follow', 'METRICS_TOKEN'],
  ['command', 'HASHING_KEY'],
])('%s does not start without %s', (kind, name) => {
  expect(SECRET_NAMES).toContain(name)
  expect(() => loadConfig({ ...GOOD, [name]: undefined }, kind)).toThrow(`${name}: is missing`)
})

test.each<ProcessKind>(['migrate', 'register'])('behind a pooler, %s needs an address that leads past it', (kind) => {
  const pooled = { ...GOOD, DATABASE_POOLER: 'pgbouncer' }
  expect(() => loadConfig(pooled, kind)).toThrow('MIGRATION_DATABASE_URL: is missing')
  const owner = toOwner(loadConfig({ ...pooled, MIGRATION_DATABASE_URL: 'postgresql://owner@localhost/np' }, kind))
  expect(owner).toMatchObject({ databaseUrl: 'postgresql://owner@localhost/np', databasePooler: 'none' })
})
