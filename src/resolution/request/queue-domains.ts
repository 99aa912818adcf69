import type { App } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { TypedInput } from '../../resolver/index.ts'
import { resolveDomainJob } from '../jobs.ts'
import { holdForMany } from '../money/charges.ts'
import { DEADLINE_SECONDS, PRIORITY } from '../worker/work.ts'
import { insertJobs } from './job-store.ts'

export interface NewDomain {
  input: TypedInput
  domain: string
}

interface NewDomains {
  accountId: string
  /** Each domain once. */
  domains: readonly NewDomain[]
  /** Records the job of each domain in the transaction that queues it; throwing undoes it. */
  record: (tx: Tx, jobIds: ReadonlyMap<string, string>) => Promise<void>
}

/**
 * Queues those of many domains that have no answer and no crawl under way, behind single requests. It takes a few
 * statements however many they are, so that the account's balance is not locked once for each. The rest is left to
 * `askForDomain`, as are domains without a credit. Returns how many were queued.
 */
export async function queueNewDomains(app: App, ask: NewDomains): Promise<number> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    const fresh = new Set(await insertWork(tx, { ...ask, at }))
    const wanted = ask.domains.filter(({ domain }) => fresh.has(domain)).map((one) => ({ ...one, id: newId('job') }))
    if (wanted.length === 0) return 0
    const holds = await holdForMany(tx, { accountId: ask.accountId, jobs: wanted, at })
    const jobs = wanted.flatMap((one) => {
      const holdId = holds.get(one.id)
      return holdId === undefined ? [] : [{ ...one, holdId }]
    })
    await removeWorkExcept(tx, [...fresh], new Set(jobs.map(({ domain }) => domain)))
    if (jobs.length === 0) return 0
    await insertJobs(tx, { accountId: ask.accountId, at }, jobs)
    const inserts = jobs.map(({ domain }) => ({ payload: { domain }, priority: PRIORITY.bulk }))
    await app.jobs.enqueueAll(tx, resolveDomainJob, inserts)
    await ask.record(tx, new Map(jobs.map(({ domain, id }) => [domain, id])))
    return jobs.length
  })
}

/** Inserts work for domains that have no answer, are not paid for and not under way. Returns those domains. */
async function insertWork(tx: Tx, ask: NewDomains & { at: Date }): Promise<string[]> {
  // Ordered by domain, so that two requests for the same domains do not deadlock.
  const inserted = await tx.query<{ subject: string }>(
    `insert into resolution_work (kind, subject, queued_at, deadline_at, is_background)
     select 'domain', domain, $3, $4, true from unnest($2::text[]) wanted (domain)
     where not exists (select from known_domain known where known.domain = wanted.domain)
       and not exists (
         select from paid_subject where account_id = $1 and kind = 'domain' and subject = wanted.domain and paid_until > $3
       )
     order by domain
     on conflict (kind, subject) do nothing returning subject`,
    [ask.accountId, ask.domains.map(({ domain }) => domain), ask.at, addSeconds(ask.at, DEADLINE_SECONDS)],
  )
  const subjects = inserted.map(({ subject }) => subject)
  // Work that ended while we waited for its row has left an answer.
  const answered = await tx.query<{ domain: string }>('select domain from known_domain where domain = any ($1)', [
    subjects,
  ])
  const known = new Set(answered.map(({ domain }) => domain))
  await removeWorkExcept(tx, subjects, new Set(subjects.filter((subject) => !known.has(subject))))
  return subjects.filter((subject) => !known.has(subject))
}

async function removeWorkExcept(tx: Tx, subjects: readonly string[], kept: ReadonlySet<string>): Promise<void> {
  const others = subjects.filter((subject) => !kept.has(subject))
  if (others.length === 0) return
  await tx.query(`delete from resolution_work where kind = 'domain' and subject = any ($1)`, [others])
}
