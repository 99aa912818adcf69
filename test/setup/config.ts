import type { Settings } from '../../rig/settings.ts'
import { type Config, loadConfig } from '../../src/config.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')

/** A configuration for tests; the port is chosen by the system. */
export function testConfig(overrides: Partial<Config>, settings: Settings = {}): Config {
  return {
    ...loadConfig({
      ENVIRONMENT: 'development',
      SIMULATED: 'mailbox',
      BASE_URL: 'http://api.nameplate.test',
      SITE_URL: 'http://nameplate.test',
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: 'postgresql://localhost/unused',
      DATABASE_CONNECTIONS_MAX: '10',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'Nameplate <hello@nameplate.test>',
      SEALING_KEYS: `test:${KEY}`,
      HASHING_KEY: KEY,
      LOG_LEVEL: 'warn',
      SHUTDOWN_GRACE_SECONDS: '5',
      // No server listens there: a test that needs the register brings a simulated one.
      REGISTER_REST_URL: 'http://127.0.0.1:1',
      REGISTER_DOCUMENT_URL: 'http://127.0.0.1:1',
      REGISTER_STREAM_URL: 'http://127.0.0.1:1',
      REGISTER_BULK_URL: 'http://127.0.0.1:1',
      // Receivers of tests that fail shall be tried again at once.
      WEBHOOK_UNPROVEN_PER_MINUTE: '60000',
      ...settings,
    }),
    ...overrides,
  }
}
