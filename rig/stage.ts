import { type App, closeApp, openApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { createLog } from '../src/lib/log.ts'
import { migrateDatabase } from '../src/service.ts'

const KEY = Buffer.alloc(32, 5).toString('base64')

/** The service's parts on a fresh database, for a benchmark to drive. */
export async function openBenchApp(databaseUrl: string): Promise<{ app: App; close: () => Promise<void> }> {
  const config = loadConfig(benchEnvironment(databaseUrl))
  const log = createLog({ level: 'error' })
  await migrateDatabase(config, log)
  const app = await openApp(config, { runsJobs: false, log })
  return { app, close: () => closeApp(app) }
}

/** Settings for a process that only needs the database. */
export function benchEnvironment(databaseUrl: string): Record<string, string> {
  return {
    ENVIRONMENT: 'development',
    BASE_URL: 'http://127.0.0.1:1',
    SITE_URL: 'http://127.0.0.1:1',
    DATABASE_URL: databaseUrl,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'bench',
    SEALING_KEYS: `bench:${KEY}`,
    HASHING_KEY: KEY,
    LOG_LEVEL: 'error',
  }
}
