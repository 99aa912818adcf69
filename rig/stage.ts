/** The service's parts in this process, and whatever of it a run starts as processes, over one database and one web. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, closeApp, openApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { openTypesetters } from '../src/evidence/index.ts'
import type { AnyJob } from '../src/lib/jobs/jobs.ts'
import { createLog } from '../src/lib/log.ts'
import { importSnapshot, openSnapshotFile, silentProgress } from '../src/register/index.ts'
import { openReaderThreads } from '../src/resolver/index.ts'
import { migrateDatabase } from '../src/service.ts'
import { Mailbox } from './mailbox.ts'
import { type Command, type Program, type ProgramOptions, startProgram } from './program.ts'
import { NOT_DURABLE, ScratchDatabase } from './scratch-database.ts'
import { databaseSettings, type Settings } from './settings.ts'
import { type ListeningWeb, type SimulatedSite, SimulatedWeb } from './web/index.ts'
import { describeWeb } from './web/setting.ts'
import { startWeb, type WebProcess } from './web-process.ts'

interface StageOptions {
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
  const app = opened.adopt(
    await openApp(config, { runsJobs: false, log, readerThreads: openReaderThreads(), typesetters: openTypesetters() }),
    closeApp,
  )
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

export interface Surroundings extends AsyncDisposable {
  web: ListeningWeb
  mailbox: Mailbox
  settings: Settings
}

/** `sites` by host, and those of the world folder; there are no others until `web.setSite` adds them. */
export async function openSurroundings(
  sites: Record<string, SimulatedSite> = {},
  world?: string,
): Promise<Surroundings> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-surroundings-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const mailbox = opened.adopt(new Mailbox(), (each) => each.close())
  const simulated = world === undefined ? SimulatedWeb.fromSites({}) : SimulatedWeb.fromWorld(world)
  const web = opened.use(await (await simulated).listen())
  for (const [host, site] of Object.entries(sites)) web.setSite(host, site)
  const settings = {
    SIMULATED: 'mailbox,web',
    SIMULATED_WEB: describeWeb(web, join(folder, 'authority.pem')),
    SMTP_URL: await mailbox.listen(),
  }
  const all = opened.move()
  return { web, mailbox, settings, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

export interface WorldStage extends Stage {
  web: WebProcess
  /** In the register. */
  companies: number
}

interface WorldStageOptions {
  say: (step: string) => void
  settings?: Settings
}

export async function openWorldStage(world: { folder: string }, options: WorldStageOptions): Promise<WorldStage> {
  await using opened = new AsyncDisposableStack()
  options.say('starting the simulated web')
  const web = opened.use(await startWeb({ world: world.folder }))
  options.say('starting PostgreSQL')
  const settings = { SIMULATED: 'register,web', SIMULATED_WEB: web.setting, ...options.settings }
  const stage = opened.use(await openStage({ settings, postgres: NOT_DURABLE }))
  options.say('loading the register')
  const companies = await loadWorldRegister(stage, world.folder)
  const all = opened.move()
  return { ...stage, web, companies, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** Loads the world's file itself: the monthly download made from it would leave out the dissolved companies. */
async function loadWorldRegister({ app }: Stage, folder: string): Promise<number> {
  const file = await openSnapshotFile(join(folder, 'register.csv'), () => Promise.reject(new Error('not a file')))
  try {
    const report = await importSnapshot(app, file, silentProgress)
    if (report.rowsBad > 0) app.log.error({ event: 'register.bad_rows', rows: report.rowsBad, lines: report.badLines })
    return report.added
  } finally {
    await file.close()
  }
}
