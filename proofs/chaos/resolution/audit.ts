/** Goes through everything that is left behind and names what should not be there. */

import type { OpenedAccount } from '../../../rig/accounts.ts'
import type { MadeUpSite } from '../../../rig/made-up-sites.ts'
import { findUnbalancedAccounts } from '../../../src/credits/index.ts'
import type { Database } from '../../../src/lib/db/db.ts'
import { resolveDomainJob } from '../../../src/resolution/index.ts'
import type { Acknowledged } from './asking.ts'

interface AccountBooks {
  account: string
  granted: number
  balance: number
  ledger: number
  held: number
}

interface EndedJob {
  id: string
  account_id: string
  domain: string
  status: string
  charged: boolean
  outcome: string | null
}

export async function auditRun(
  db: Database,
  run: { accounts: OpenedAccount[]; sites: MadeUpSite[]; acknowledged: Acknowledged[] },
) {
  const jobs = await db.query<EndedJob>(
    `select j.id, j.account_id, j.subject as domain, j.status, j.charged, r.outcome
     from resolution_job j left join resolution r on r.id = j.resolution_id`,
  )
  const givenUp = jobs.filter(({ status }) => status === 'failed')
  const charges = [
    ...jobs.filter(({ charged }) => charged).map((job) => ({ accountId: job.account_id, domain: job.domain })),
    ...run.acknowledged.filter(({ jobId, charged }) => jobId === null && charged).map(toCharge),
  ]
  return {
    charged: charges.length,
    /** Sites whose reading was begun again because a worker had died over it. */
    interrupted: await countInterrupted(db, resolveDomainJob.name),
    /** Jobs that the service gave up on, for which no account paid. */
    givenUp: givenUp.length,
    problems: [
      ...findLostJobs(jobs, run.acknowledged),
      ...findWrongCharges(jobs, charges),
      ...(await findWrongBooks(db, run.accounts, charges)),
      ...(await findWrongAnswers(db, run.sites, new Set(givenUp.map(({ domain }) => domain)))),
    ],
  }
}

interface Charged {
  accountId: string
  domain: string
}

function toCharge({ account, domain }: Acknowledged): Charged {
  return { accountId: account.id, domain }
}

function findLostJobs(jobs: EndedJob[], acknowledged: Acknowledged[]): string[] {
  const known = new Map(jobs.map((job) => [job.id, job]))
  const promised = acknowledged.flatMap(({ jobId }) => jobId ?? [])
  return [
    ...promised.filter((id) => !known.has(id)).map((id) => `${id} is gone`),
    ...jobs
      .filter(({ status }) => status !== 'completed' && status !== 'failed')
      .map(({ id, domain, status }) => `${id} for ${domain} is still ${status}`),
  ]
}

/** An account that got a match pays for it once, however often it asked; no account pays for anything else. */
function findWrongCharges(jobs: EndedJob[], charges: Charged[]): string[] {
  const pair = (accountId: string, domain: string) => `${accountId} for ${domain}`
  const count = new Map<string, number>()
  for (const { accountId, domain } of charges) {
    count.set(pair(accountId, domain), (count.get(pair(accountId, domain)) ?? 0) + 1)
  }
  const matched = new Set(
    jobs.filter(({ outcome }) => outcome === 'matched').map((job) => pair(job.account_id, job.domain)),
  )
  return [
    ...jobs
      .filter(({ charged, outcome }) => charged && outcome !== 'matched')
      .map(({ id, outcome }) => `${id} was charged for ${outcome}`),
    ...[...count].filter(([, times]) => times > 1).map(([who, times]) => `${who} was charged ${times} times`),
    ...[...matched].filter((who) => !count.has(who)).map((who) => `${who} was matched and not charged`),
  ]
}

/** Compares each balance with its ledger and with what was charged. No hold may be open, or settled twice. */
export async function findWrongBooks(
  db: Database,
  accounts: readonly OpenedAccount[],
  charges: readonly Charged[],
): Promise<string[]> {
  const rows = await db.query<AccountBooks>(
    `select account_id as account, b.balance, b.held, sum(balance_delta)::bigint as ledger,
       sum(balance_delta) filter (where kind = 'grant')::bigint as granted
     from credit_balance b join ledger_entry using (account_id)
     where account_id = any ($1) group by account_id, b.balance, b.held order by account_id`,
    [accounts.map(({ id }) => id)],
  )
  const wrong = rows.flatMap(({ account, granted, balance, ledger, held }) => {
    const charged = charges.filter(({ accountId }) => accountId === account).length
    const isRight = balance === ledger && balance === granted - charged && held === 0
    const found = `granted ${granted}, charged ${charged}, balance ${balance}, ledger ${ledger}, held ${held}`
    return isRight ? [] : [`${account}: ${found}`]
  })
  const unbalanced = await findUnbalancedAccounts(db)
  return [...wrong, ...unbalanced.map((id) => `the balance of ${id} is not its ledger`), ...(await findOpenHolds(db))]
}

async function findOpenHolds(db: Database): Promise<string[]> {
  const open = await db.query<{ reference: string }>(`select reference from credit_hold where state = 'held'`)
  const twice = await db.query<{ hold_id: string }>(
    `select hold_id from ledger_entry where kind in ('capture', 'release') group by hold_id having count(*) > 1`,
  )
  return [
    ...open.map(({ reference }) => `the credit for ${reference} is still held`),
    ...twice.map(({ hold_id }) => `${hold_id} was settled twice`),
  ]
}

/** Each domain has one answer, and the right one, also where a worker died over it. */
async function findWrongAnswers(db: Database, sites: MadeUpSite[], givenUp: Set<string>): Promise<string[]> {
  const rows = await db.query<{ domain: string; answers: number; outcome: string | null; number: string | null }>(
    `select r.domain, count(*)::int as answers, max(k.outcome) as outcome, max(k.company_number) as number
     from resolution r left join known_domain k on k.resolution_id = r.id group by r.domain`,
  )
  const byDomain = new Map(rows.map((row) => [row.domain, row]))
  return sites.flatMap(({ domain, outcome, companyNumber }) => {
    const found = byDomain.get(domain)
    if (!found) return givenUp.has(domain) ? [] : [`${domain} has no answer`]
    if (found.answers > 1) return [`${domain} was answered ${found.answers} times`]
    const right = found.outcome === outcome && found.number === companyNumber
    return right ? [] : [`${domain} is ${found.outcome} ${found.number ?? ''}, not ${outcome} ${companyNumber ?? ''}`]
  })
}

/** Returns how many jobs of this kind were begun again because their worker had died. */
export async function countInterrupted(db: Database, name: string): Promise<number> {
  return (await db.query('select from pgboss.job where name = $1 and retry_count > 0', [name])).length
}
