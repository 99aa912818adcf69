/** What is measured: PostgreSQL with durability on, one API process, one worker, and a world's register and web. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../../../rig/child.ts'
import { type Program, startProgram } from '../../../rig/program.ts'
import { benchEnvironment } from '../../../rig/stage.ts'
import { type App, closeApp, openApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/lib/log.ts'
import { migrateDatabase } from '../../../src/service.ts'
import { loadWorldRegister } from '../../../tools/accuracy/stage.ts'
import type { WebReady } from './web-process.ts'

export interface UnitsStage extends AsyncDisposable {
  app: App
  api: Program
  worker: Program
  web: { pid: number; countRequests(): Promise<number> }
}

export async function openUnitsStage(databaseUrl: string, world: { folder: string }): Promise<UnitsStage> {
  await using opened = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'nameplate-units-'))
  opened.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const web = opened.use(
    await startChild<WebReady>(join(import.meta.dirname, 'web-process.ts'), {
      arguments: [world.folder, join(scratch, 'authority.pem')],
    }),
  )
  const simulated = { SIMULATED: 'register,web', SIMULATED_WEB: web.ready.setting }
  const config = loadConfig({ ...benchEnvironment(databaseUrl), ...simulated })
  const log = createLog({ level: 'error' })
  await migrateDatabase(config, log)
  const app = await openApp(config, { runsJobs: false, log })
  opened.defer(() => closeApp(app))
  await loadWorldRegister(app, world.folder)
  const api = opened.use(await startProgram('serve', config, simulated))
  const worker = opened.use(await startProgram('work', config, simulated))
  const kept = opened.move()
  return {
    app,
    api,
    worker,
    web: { pid: web.ready.pid, countRequests: () => web.ask<number>({}) },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
