/** The settings with which processes of a run find the same database, secrets, mailbox and simulated web. */

export type Settings = Record<string, string>

const KEY = Buffer.alloc(32, 5).toString('base64')

/** Enough for a process that only needs the database. */
export function databaseSettings(databaseUrl: string): Settings {
  return {
    ENVIRONMENT: 'development',
    BASE_URL: 'http://127.0.0.1:1',
    SITE_URL: 'http://127.0.0.1:1',
    DATABASE_URL: databaseUrl,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'rig',
    SEALING_KEYS: `rig:${KEY}`,
    HASHING_KEY: KEY,
    LOG_LEVEL: 'error',
  }
}

/** Where a process listens. Two names of one address: the API and the site have hosts of their own, as in production. */
export function listenSettings(port: number): Settings {
  return {
    BASE_URL: `http://127.0.0.1:${port}`,
    SITE_URL: `http://localhost:${port}`,
    HOST: '127.0.0.1',
    PORT: String(port),
  }
}
