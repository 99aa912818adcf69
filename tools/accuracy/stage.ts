/** Sets up a run: a separate PostgreSQL with the world's register, the world's web, and the app. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../rig/postgres.ts'
import { type App, closeApp, openApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { importSnapshot, openSnapshotFile, silentProgress } from '../../src/register/index.ts'
import { migrateDatabase } from '../../src/service.ts'
import { startWeb } from './web.ts'

export interface Stage extends AsyncDisposable {
  app: App
  companies: number
}

const KEY = Buffer.alloc(32, 9).toString('base64')
// Nothing here must survive a crash, and the import is twice as fast without.
const POSTGRES_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

export async function openStage(
  world: { folder: string },
  options: { concurrency: number; say: (step: string) => void },
): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'nameplate-accuracy-'))
  opened.defer(() => rmSync(scratch, { recursive: true, force: true }))
  options.say('starting PostgreSQL')
  const postgres = await startPostgres({
    directory: join(scratch, 'postgres'),
    persistent: false,
    settings: POSTGRES_SETTINGS,
  })
  opened.defer(() => postgres.stop())
  options.say('starting the simulated web')
  const web = opened.use(await startWeb(world, scratch))

  const config = loadConfig({
    ENVIRONMENT: 'development',
    SIMULATED: 'register,web',
    SIMULATED_WEB: web.setting,
    BASE_URL: 'http://127.0.0.1:1',
    SITE_URL: 'http://127.0.0.1:1',
    DATABASE_URL: postgres.url,
    // The engine of jobs needs a few besides one for each resolution under way.
    DATABASE_CONNECTIONS_MAX: String(options.concurrency + 4),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'accuracy',
    SEALING_KEYS: `accuracy:${KEY}`,
    HASHING_KEY: KEY,
    LOG_LEVEL: 'error',
  })
  // What is printed is the report; the log goes beside it.
  const log = createLog({ level: config.logLevel, destination: process.stderr })
  await migrateDatabase(config, log)
  const app = await openApp(config, { runsJobs: false, log })
  opened.defer(() => closeApp(app))
  options.say('loading the register')
  const companies = await loadWorldRegister(app, world.folder)
  const kept = opened.move()
  return { app, companies, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** The world's file itself, not the monthly download made from it: that would leave out the dissolved companies. */
export async function loadWorldRegister(app: App, folder: string): Promise<number> {
  const file = await openSnapshotFile(join(folder, 'register.csv'), () => Promise.reject(new Error('not a file')))
  try {
    const report = await importSnapshot(app, file, silentProgress)
    if (report.rowsBad > 0) app.log.error({ event: 'register.bad_rows', rows: report.rowsBad, lines: report.badLines })
    return report.added
  } finally {
    await file.close()
  }
}
