/** The service's parts in this process, and whatever of it a run starts as processes, over one database and one web. */
import { type App, closeApp, openApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import type { AnyJob } from '../src/lib/jobs/jobs.ts'
import { createLog } from '../src/lib/log.ts'
import { migrateDatabase } from '../src/service.ts'
import type { Mailbox } from './mailbox.ts'
import { type Command, type Program, type ProgramOptions, startProgram } from './program.ts'
import { ScratchDatabase } from './scratch-database.ts'
import { databaseSettings, type Settings } from './settings.ts'
import { openSurroundings, type Surroundings } from './surroundings.ts'
import type { ListeningWeb } from './web/index.ts'

export interface StageOptions {
  /** Without it, a PostgreSQL is started. */
  databaseUrl?: string
  /** Settings of the PostgreSQL that is started. */
  postgres?: Record<string, string>
  /** Without them, a simulated web without sites and a mailbox are opened. */
  surroundings?: { settings: Settings }
  settings?: Settings
  jobs?: ReadonlyArray<AnyJob<App>>
}

export interface Stage extends AsyncDisposable {
  app: App
  /** Null where the database was given. */
  database: ScratchDatabase | null
  /** Lead a process to the same database, web and mailbox. */
  settings: Settings
  /** Starts the real program as a process, on this stage's settings. */
  start: (command: Command, more?: Settings, options?: ProgramOptions) => Promise<Program>
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const database = options.databaseUrl ? null : opened.use(await ScratchDatabase.open(options.postgres))
  const databaseUrl = options.databaseUrl ?? database?.url ?? ''
  const settings = { ...databaseSettings(databaseUrl), ...options.surroundings?.settings, ...options.settings }
  const config = loadConfig(settings)
  // Reports go to stdout, so the log goes beside it.
  const log = createLog({ level: config.logLevel, destination: process.stderr })
  await migrateDatabase(config, log, options.jobs)
  const app = opened.adopt(await openApp(config, { runsJobs: false, log }), closeApp)
  const all = opened.move()
  return {
    app,
    database,
    settings,
    start: (command, more = {}, programOptions = {}) =>
      startProgram(command, { ...settings, LOG_LEVEL: 'info' }, { ...programOptions, more }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

export interface OutsideStage extends Stage, Pick<Surroundings, 'web' | 'mailbox'> {
  web: ListeningWeb
  mailbox: Mailbox
}

/** A stage with a simulated web and a mailbox in this process. */
export async function openOutsideStage(options: Omit<StageOptions, 'surroundings'> = {}): Promise<OutsideStage> {
  await using opened = new AsyncDisposableStack()
  const surroundings = opened.use(await openSurroundings())
  const stage = opened.use(await openStage({ ...options, surroundings }))
  const all = opened.move()
  const { web, mailbox } = surroundings
  return { ...stage, web, mailbox, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
