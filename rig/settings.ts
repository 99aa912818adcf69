import type { Config } from '../src/config.ts'
import { toWebSetting } from './web/setting.ts'

/**
 * What tells a process of its own of the same database and secrets, and where to listen. Two names of one address: the
 * API and the site have hosts of their own, as in production.
 */
export function toEnvironment(config: Config, port: number): Record<string, string> {
  const base64 = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).toString('base64')
  return {
    ENVIRONMENT: 'development',
    BASE_URL: `http://127.0.0.1:${port}`,
    SITE_URL: `http://localhost:${port}`,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: config.databaseUrl,
    DATABASE_CONNECTIONS_MAX: '20',
    SMTP_URL: config.smtpUrl ?? '',
    MAIL_FROM: config.mailFrom,
    SEALING_KEYS: config.sealingKeys.map(({ id, key }) => `${id}:${base64(key)}`).join(),
    HASHING_KEY: base64(config.hashingKeys[0]),
    LOG_LEVEL: 'info',
    ...(config.simulatedWeb ? { SIMULATED_WEB: toWebSetting(config.simulatedWeb) } : {}),
  }
}
