import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')
const GOOD = {
  BASE_URL: 'https://api.nameplate.example',
  SITE_URL: 'https://nameplate.example',
  DATABASE_URL: 'postgresql://user:hush@db/nameplate',
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

test('the register is the real one unless said, and its keys are optional', () => {
  const { register } = loadConfig(GOOD)
  expect(register.restUrl.href).toBe('https://api.company-information.service.gov.uk/')
  expect(register.streamUrl.href).toBe('https://stream.companieshouse.gov.uk/')
  expect(register.bulkUrl.href).toBe('https://download.companieshouse.gov.uk/')
  expect(register).toMatchObject({ restKey: null, streamKeys: [] })
  const keys = { REGISTER_REST_KEY: 'one', REGISTER_STREAM_KEYS: 'two, three' }
  expect(loadConfig({ ...GOOD, ...keys }).register).toMatchObject({ restKey: 'one', streamKeys: ['two', 'three'] })
})

test('all problems are told together, by name and never with the value', () => {
  const told = problemsOf({
    ...GOOD,
    BASE_URL: undefined,
    DATABASE_URL: 'mysql://hush',
    HASHING_KEY: 'hush',
    PORT: 'hush',
  })
  expect(told).toMatch(/BASE_URL: is missing/)
  expect(told).toMatch(/DATABASE_URL: must be a postgresql/)
  expect(told).toMatch(/HASHING_KEY: must be 32 random bytes/)
  expect(told).toMatch(/PORT/)
  expect(told).not.toContain('hush')
})

test.each([
  [{ SIMULATED: 'mailbox' }, 'does not run on simulators'],
  [{ BASE_URL: 'http://api.nameplate.example' }, 'BASE_URL: must be https'],
  [{ SITE_URL: 'http://nameplate.example' }, 'SITE_URL: must be https'],
  [{ METRICS_TOKEN: '' }, 'METRICS_TOKEN: is missing'],
  [{ REGISTER_REST_URL: 'http://register.example' }, 'REGISTER_REST_URL: must be https'],
  [{ REGISTER_STREAM_URL: 'http://register.example' }, 'REGISTER_STREAM_URL: must be https'],
  [{ REGISTER_BULK_URL: 'http://register.example' }, 'REGISTER_BULK_URL: must be https'],
])('production refuses %j', (change, says) => {
  expect(problemsOf({ ...GOOD, ...change })).toContain(says)
  expect(problemsOf({ ...GOOD, ...change, ENVIRONMENT: 'development' })).toBe('')
})

test.each([
  { BASE_URL: 'https://x/path' },
  { SEALING_KEYS: KEY },
  { METRICS_TOKEN: 'short' },
  { SMTP_URL: 'http://x' },
  { REGISTER_REST_URL: 'register.example' },
  { REGISTER_BULK_URL: 'https://register.example/path' },
])('refuses %j', (change) => {
  expect(problemsOf({ ...GOOD, ...change })).toContain(Object.keys(change)[0])
})
