/** The registrar's remarks on a company's profile. The snapshot has none, so they are unknown until one profile was read. */
import type { Db } from '../../lib/db/db.ts'
import { parseProfile } from './company-from-profile.ts'
import type { LeaseOptions } from './rest-budget.ts'
import type { Missing, RegisterApp, RestClient } from './rest-client.ts'

/**
 * Fetches the remarks and stores them: they are the baseline from which new ones are seen, and make no signal. Readers of the same
 * company in this process share one fetch.
 */
export async function readRemarks(
  app: RegisterApp,
  client: RestClient,
  number: string,
  options: LeaseOptions,
): Promise<string[] | Missing> {
  const fetches = app.registerFetches as Map<string, Promise<string[] | Missing>>
  const key = `remarks ${options.priority} ${number}`
  const fetching = fetches.get(key) ?? fetchRemarks(app, client, number, options).finally(() => fetches.delete(key))
  fetches.set(key, fetching)
  return fetching
}

async function fetchRemarks(
  { db }: RegisterApp,
  client: RestClient,
  number: string,
  options: LeaseOptions,
): Promise<string[] | Missing> {
  const answer = await client.fetchProfile(number, client.openLease(options))
  if (answer.kind === 'missing') return answer
  // A company without a profile has no remarks on it, and is not asked for again.
  const remarks = (answer.kind === 'found' ? parseProfile(answer.value)?.remarks : null) ?? []
  await storeRemarks(db, number, remarks)
  return remarks
}

/**
 * Stores them unless a stream has since. Other facts of the profile come by the stream. An import keeps rows locked for long: then
 * the next reader stores.
 */
async function storeRemarks(db: Db, number: string, remarks: readonly string[]): Promise<void> {
  await db.query(
    `update company set remarks = $2
     where number = (select number from company where number = $1 and remarks is null for update skip locked)`,
    [number, remarks],
  )
}
