import { toWebSetting } from '../../rig/web/setting.ts'
import type { Config } from '../../src/config.ts'

/** The settings with which the real program runs beside a service of the tests: same database, mailbox and simulated web. */
export function environmentOf(config: Config, change: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { simulatedWeb: web } = config
  return {
    PATH: process.env['PATH'],
    ENVIRONMENT: 'development',
    BASE_URL: config.baseUrl.origin,
    SITE_URL: config.siteUrl.origin,
    DATABASE_URL: config.databaseUrl,
    SMTP_URL: config.smtpUrl ?? '',
    MAIL_FROM: config.mailFrom,
    SEALING_KEYS: config.sealingKeys.map(({ id, key }) => `${id}:${toBase64(key)}`).join(),
    HASHING_KEY: toBase64(config.hashingKeys[0]),
    HASHING_KEY_PREVIOUS: toBase64(config.hashingKeys[1]),
    ...(web ? { SIMULATED_WEB: toWebSetting(web) } : {}),
    ...change,
  }
}

const toBase64 = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).toString('base64')
