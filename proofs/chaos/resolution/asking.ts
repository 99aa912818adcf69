import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedAccount } from '../../../rig/accounts.ts'
import { createCall } from '../../../rig/call.ts'

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
