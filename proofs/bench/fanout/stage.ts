/** The app that raises signals, with the worker and the receivers as processes. */
import { join } from 'node:path'
import { startChild } from '../../../rig/child.ts'
import { openStage as openRigStage } from '../../../rig/stage.ts'
import { startWeb, type WebProcess } from '../../../rig/web-process.ts'
import type { App } from '../../../src/app.ts'
import { emptyJob } from './empty-job.ts'
import type { WorkerUsage } from './worker-process.ts'

export interface Stage extends AsyncDisposable {
  app: App
  web: WebProcess
  readWorker(): Promise<WorkerUsage>
}

export const HOSTS = 50

export async function openStage(): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const web = opened.use(await startWeb({ receivers: HOSTS }))
  const { app, settings } = opened.use(
    await openRigStage({ settings: { SIMULATED: 'web', SIMULATED_WEB: web.setting }, jobs: [emptyJob()] }),
  )
  const worker = opened.use(
    await startChild(join(import.meta.dirname, 'worker-process.ts'), { settings: { ...settings, LOG_LEVEL: 'info' } }),
  )
  const all = opened.move()
  return {
    app,
    web,
    readWorker: () => worker.ask<WorkerUsage>({}),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
