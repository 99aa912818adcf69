import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedAccount } from '../../../rig/accounts.ts'

/** What an account was told: its job, or the answer at once. */
export interface Told {
  account: OpenedAccount
  domain: string
  jobId: string | null
  charged: boolean
}

const TRIES_MAX = 20

/** Asks as a careful customer does: told to come back later, it comes back later. */
export async function ask(apiUrl: string, account: OpenedAccount, domain: string): Promise<Told> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const response = await fetch(new URL('/v1/enrich', apiUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': account.key },
      body: JSON.stringify({ domain }),
    })
    const body = (await response.json()) as { job_id?: string; charged: boolean }
    if (response.status === 429) {
      await sleep(Number(response.headers.get('retry-after')) * 1_000)
      continue
    }
    if (response.status !== 200 && response.status !== 202) {
      throw new Error(`asked for ${domain}, it answered ${response.status}: ${JSON.stringify(body)}`)
    }
    return { account, domain, jobId: body.job_id ?? null, charged: body.charged }
  }
  throw new Error(`asked for ${domain} ${TRIES_MAX} times, it was always too soon`)
}
