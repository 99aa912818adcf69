/** A stage with the register of a world, and its web as a process. */
import { join } from 'node:path'
import { importSnapshot, openSnapshotFile, silentProgress } from '../src/register/index.ts'
import { NOT_DURABLE } from './scratch-database.ts'
import type { Settings } from './settings.ts'
import { openStage, type Stage } from './stage.ts'
import { startWeb, type WebProcess } from './web-process.ts'

export interface WorldStage extends Stage {
  web: WebProcess
  /** In the register. */
  companies: number
}

export interface WorldStageOptions {
  say: (step: string) => void
  settings?: Settings
  /** Costs what production costs; without it, the register is loaded in half the time. */
  isDurable?: boolean
  /** Hosts that receive webhooks. */
  receivers?: number
}

export async function openWorldStage(world: { folder: string }, options: WorldStageOptions): Promise<WorldStage> {
  await using opened = new AsyncDisposableStack()
  options.say('starting the simulated web')
  const web = opened.use(await startWeb({ world: world.folder, receivers: options.receivers ?? 0 }))
  options.say('starting PostgreSQL')
  const settings = { SIMULATED: 'register,web', SIMULATED_WEB: web.setting, ...options.settings }
  const stage = opened.use(await openStage({ settings, postgres: options.isDurable ? {} : NOT_DURABLE }))
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
