/** All that is measured: a PostgreSQL, the app that raises signals, the worker and the receivers as processes of their own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from '../../../rig/child.ts'
import { benchEnvironment } from '../../../rig/stage.ts'
import { type App, closeApp, openApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/lib/log.ts'
import { migrateDatabase } from '../../../src/service.ts'
import { emptyJob } from './empty-job.ts'
import type { WebQuestion } from './web-process.ts'
import type { WorkerUsage } from './worker-process.ts'

export interface Stage extends AsyncDisposable {
  app: App
  readWorker(): Promise<WorkerUsage>
  askWeb<Answer>(question: WebQuestion): Promise<Answer>
}

export const HOSTS = 50

export async function openStage(databaseUrl: string): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'nameplate-fanout-'))
  opened.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const web: Child<string> = opened.use(
    await startChild<string>(join(import.meta.dirname, 'web-process.ts'), {
      arguments: [String(HOSTS), join(scratch, 'authority.pem')],
    }),
  )
  const environment = { ...benchEnvironment(databaseUrl), SIMULATED: 'web', SIMULATED_WEB: web.ready }
  const config = loadConfig(environment)
  const log = createLog({ level: 'error' })
  await migrateDatabase(config, log, [emptyJob()])
  const app = await openApp(config, { runsJobs: false, log })
  opened.defer(() => closeApp(app))
  const worker: Child<string> = opened.use(
    await startChild<string>(join(import.meta.dirname, 'worker-process.ts'), {
      environment: { ...environment, LOG_LEVEL: 'info' },
    }),
  )
  const kept = opened.move()
  return {
    app,
    readWorker: () => worker.ask<WorkerUsage>({}),
    askWeb: (question) => web.ask(question),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const LOOK_MS = 10
const LOOKS_MAX = 10_000

/** Until a question to the database, such as whether anything is still waiting, is answered with no. */
export async function untilNot(isStill: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if (!(await isStill())) return
    await sleep(LOOK_MS)
  }
  throw new Error('it did not end')
}
