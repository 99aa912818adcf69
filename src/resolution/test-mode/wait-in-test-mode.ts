import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { findJob } from '../ask/job-store.ts'
import { isTestCompany, playTestSearch } from './test-companies.ts'
import { playTestJob } from './test-mode.ts'

const EVERY_MS = 100

/** Waits until a test job has ended, at most `forMs`. It ends by the clock, so nothing is asked meanwhile. */
export async function waitForTestJob(app: App, ask: { id: string; accountId: string }, forMs: number): Promise<void> {
  const endMs = performance.now() + forMs
  const found = await findJob(app.db, { ...ask, at: app.clock.now() })
  if (!found) return
  const play = isTestCompany(found.job.subject) ? playTestSearch : playTestJob
  for (;;) {
    const leftMs = endMs - performance.now()
    if (leftMs <= 0 || play(found.job, app.clock.now()).status !== 'processing') return
    await sleep(Math.min(EVERY_MS, leftMs))
  }
}
