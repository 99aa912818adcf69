import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedAccount } from '../../../rig/accounts.ts'
import { createCall } from '../../../rig/call.ts'
import { isSoInTime } from '../../../rig/until.ts'
import type { App } from '../../../src/app.ts'
import { addSeconds } from '../../../src/lib/clock.ts'
import { resolveDomainJob, sweepResolutionsJob } from '../../../src/resolution/index.ts'

/** A request that was acknowledged: with a job, or with the answer at once. */
export interface Acknowledged {
  account: OpenedAccount
  domain: string
  jobId: string | null
  charged: boolean
}

const TRIES_MAX = 20

/** Requests a domain as a careful customer does, who comes back when the service says so. */
export async function ask(apiUrl: string, account: OpenedAccount, domain: string): Promise<Acknowledged> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const reply = await createCall(apiUrl)('POST', '/v1/enrich', { key: account.key, body: { domain } })
    if (reply.status === 429) {
      await sleep(Number(reply.headers.get('retry-after')) * 1_000)
      continue
    }
    if (reply.status !== 200 && reply.status !== 202)
      throw new Error(`the request for ${domain} returned ${reply.status}: ${reply.text}`)
    const { job_id: jobId = null, charged } = reply.body as { job_id?: string; charged: boolean }
    return { account, domain, jobId, charged }
  }
  throw new Error(`requested ${domain} ${TRIES_MAX} times, it was always too soon`)
}

const CATCH_UP_MS = 180_000
/** Longer than work on a domain may take, all runs together. */
const GIVE_UP_SECONDS = 16 * 60

/** Waits until every job has ended. The sweep ends work that lost all its runs to kills; here its time comes at once. */
export async function untilEnded(app: App): Promise<void> {
  const hasEnded = async () => {
    if ((await app.db.query('select from resolution_job where finished_at is null limit 1')).length === 0) return true
    if (await isQueueEmpty(app)) await sweepLater(app)
    return false
  }
  await isSoInTime(hasEnded, { timeoutMs: CATCH_UP_MS, everyMs: 250 })
}

async function isQueueEmpty(app: App): Promise<boolean> {
  const queues = await app.jobs.listQueues()
  const queue = queues.find(({ name }) => name === resolveDomainJob.name)
  return queue !== undefined && queue.ready + queue.deferred + queue.active === 0
}

async function sweepLater(app: App): Promise<void> {
  const clock = { now: () => addSeconds(app.clock.now(), GIVE_UP_SECONDS) }
  const run = { id: 'chaos', attempt: 1, signal: AbortSignal.timeout(60_000), finish: async () => undefined }
  await sweepResolutionsJob.run({ ...app, clock }, {}, run)
}
