/** After every step: the ledger's own laws, straight from its tables, and all that the model believes of them. */
import { deepStrictEqual } from 'node:assert/strict'
import { feedBulkJob } from '../../../src/bulk/index.ts'
import { addDaysToDate, toLondonDate } from '../../../src/lib/clock.ts'
import type { Database } from '../../../src/lib/db/db.ts'
import { resolveDomainJob } from '../../../src/resolution/index.ts'
import { findWebsiteJob } from '../../../src/websites/index.ts'
import type { Stage } from './stage.ts'
import { DAY, heldBy, type Model, type ModelAccount } from './state.ts'

/** Each law names what breaks it; all are of the accounts in `$1`. */
const LAWS: Record<string, string> = {
  'a balance is the sum of its ledger, and what is held the sum of its holds': `
    select b.account_id from credit_balance b
    where b.account_id = any ($1) and (b.balance, b.held, b.held) is distinct from (
      (select coalesce(sum(balance_delta), 0) from ledger_entry where account_id = b.account_id),
      (select coalesce(sum(held_delta), 0) from ledger_entry where account_id = b.account_id),
      (select coalesce(sum(amount), 0) from credit_hold where account_id = b.account_id and state = 'held'))`,
  'nothing is below zero': `
    select account_id from credit_balance where account_id = any ($1) and (balance < 0 or held < 0 or held > balance)
    union all
    select account_id from ledger_entry
    where account_id = any ($1) and (balance_after < 0 or held_after < 0 or held_after > balance_after)`,
  'each entry goes on from the one before': `
    select id::text from (
      select id, balance_after - balance_delta as balance, held_after - held_delta as held,
        lag(balance_after, 1, 0::bigint) over before as balance_before, lag(held_after, 1, 0::bigint) over before as held_before
      from ledger_entry where account_id = any ($1) window before as (partition by account_id order by id)
    ) entry where (balance, held) <> (balance_before, held_before)`,
  'what is held is held for a job that has not ended': `
    select h.id from credit_hold h where h.account_id = any ($1) and h.state = 'held' and not exists (
      select from resolution_job j where j.hold_id = h.id and j.finished_at is null)`,
  'an account holds one credit for what it asks of one subject': `
    select min(j.id) from resolution_job j join credit_hold h on h.id = j.hold_id and h.state = 'held'
    where j.account_id = any ($1) and j.finished_at is null
    group by j.account_id, j.kind, j.subject having count(distinct h.id) > 1`,
  'an ended job holds nothing': `
    select j.id from resolution_job j join credit_hold h on h.id = j.hold_id
    where j.account_id = any ($1) and j.finished_at is not null and h.state = 'held'`,
  'a hold is settled once, as its state says': `
    select h.id from credit_hold h where h.account_id = any ($1) and array[
        (select count(*) from ledger_entry e where e.hold_id = h.id and e.kind = 'hold'),
        (select count(*) from ledger_entry e where e.hold_id = h.id and e.kind = 'capture'),
        (select count(*) from ledger_entry e where e.hold_id = h.id and e.kind = 'release')
      ] <> case h.state when 'held' then array[1, 0, 0]::bigint[] when 'captured' then array[1, 1, 0] else array[1, 0, 1] end`,
  'a refund gives back one capture, once': `
    select r.id::text from ledger_entry r where r.account_id = any ($1) and r.kind = 'refund' and (
      (select count(*) from ledger_entry c where c.hold_id = r.hold_id and c.kind = 'capture' and c.amount = r.amount) <> 1
      or (select count(*) from ledger_entry o where o.hold_id = r.hold_id and o.kind = 'refund') <> 1)`,
  'of the jobs that share a hold one is charged, when it was captured and not given back': `
    select min(j.id) from resolution_job j where j.account_id = any ($1) and j.hold_id is not null
    group by j.hold_id having count(*) filter (where j.charged) <> (
      select count(*) filter (where kind = 'capture') - count(*) filter (where kind = 'refund')
      from ledger_entry where hold_id = j.hold_id)
    union all
    select id from resolution_job where account_id = any ($1) and charged and hold_id is null`,
  'credits spent are at least the distinct matches that can be read, less refunds': `
    select b.account_id from credit_balance b where b.account_id = any ($1) and (
      select count(*) filter (where kind = 'capture') - count(*) filter (where kind = 'refund')
      from ledger_entry where account_id = b.account_id
    ) < (
      select count(*) from (
        select r.domain, r.company_number from resolution_job j join resolution r on r.id = j.resolution_id
        where j.account_id = b.account_id and j.kind = 'domain' and j.status = 'completed'
          and r.company_number is not null and j.charge_reason <> 'own_decision_free'
        union
        select s.domain, s.company_number from resolution_job j join website_search s on s.id = j.website_search_id
        where j.account_id = b.account_id and j.status = 'completed' and s.status = 'verified'
          and j.charge_reason <> 'own_decision_free'
        union
        select domain, company_number from paid_fact where account_id = b.account_id
      ) fact
      where not exists (select from blocked_pair p where p.account_id = b.account_id and p.domain = fact.domain
          and p.company_number = fact.company_number)
        and not exists (select from paid_fact f where f.account_id = b.account_id and f.domain = fact.domain
          and f.company_number = fact.company_number and f.refunded_at is not null))`,
  'nothing is paid for twice in 30 days': `
    select later.id from resolution_job earlier
    join resolution_job later using (account_id, kind, subject)
    join credit_hold one on one.id = earlier.hold_id join credit_hold other on other.id = later.hold_id
    where earlier.account_id = any ($1) and one.id <> other.id and one.state = 'captured' and other.state = 'captured'
      and not exists (select from ledger_entry where hold_id = one.id and kind = 'refund')
      and other.settled_at >= one.settled_at and other.settled_at < one.settled_at + interval '30 days'`,
  'usage is what the ledger spent and gave back': `
    select b.account_id from credit_balance b where b.account_id = any ($1) and
      (select coalesce(sum(credits), 0) from usage_day where account_id = b.account_id) <>
      (select coalesce(sum(case kind when 'capture' then amount when 'refund' then -amount else 0 end), 0)
       from ledger_entry where account_id = b.account_id)`,
}

const ALL_LAWS = Object.entries(LAWS)
  .map(([law, sql]) => `select '${law}' as law, broken.* from (${sql}) broken (what)`)
  .join(' union all ')

/** Throws at the first that is not so. Answers how many things were compared. */
export async function checkBooks(model: Model, stage: Stage): Promise<number> {
  const { db } = stage.app
  const broken = await db.query<{ law: string; what: string }>(ALL_LAWS, [model.accounts.map(({ id }) => id)])
  if (broken[0]) throw new Error(`broken: ${broken[0].law} (${broken[0].what})`)
  await Promise.all(model.accounts.map((account) => checkAccount(model, stage, account)))
  await checkQueues(model, stage)
  return Object.keys(LAWS).length + model.accounts.length * CHECKS_EACH + 1
}

const CHECKS_EACH = 8

async function checkAccount(model: Model, stage: Stage, account: ModelAccount): Promise<void> {
  const { id, name } = account
  const real = await readAccount(stage.app.db, id, new Date(model.now))
  const believed = {
    balance: account.balance,
    held: heldBy(account),
    jobs: account.jobs.map(({ id: job, status, charged, reason }) => `${job} ${status} ${charged} ${reason}`).sort(),
    paid: [...account.paid].filter(([, { until }]) => until > model.now).map(([subject]) => subject),
    facts: [...account.facts].filter(([, { until }]) => until > model.now).map(([fact]) => fact),
    refunds: account.requests.map(({ domain, number, status }) => `${domain} ${number} ${status}`),
    reviews: [...account.reviews].map(([domain, { state, override }]) =>
      [domain, state, override ? `is ${override.number ?? 'nobody'}` : ''].join(' ').trim(),
    ),
    blocked: [...account.blocked.keys()],
  }
  for (const list of [believed.paid, believed.facts, believed.refunds, believed.reviews, believed.blocked]) list.sort()
  deepStrictEqual(real, believed, `account ${name}: the database is not what the model says`)
  const usage = await readUsage(model, stage, account)
  deepStrictEqual(usage, sortUsage(account), `account ${name}: its usage is not what the model says`)
}

interface RealAccount {
  balance: number
  held: number
  jobs: string[]
  paid: string[]
  facts: string[]
  refunds: string[]
  reviews: string[]
  blocked: string[]
}

async function readAccount(db: Database, id: string, at: Date): Promise<RealAccount> {
  const [row] = await db.query<RealAccount>(
    `select balance, held,
       array(select concat_ws(' ', id, status, charged::text, charge_reason) from resolution_job where account_id = $1) as jobs,
       array(select kind || ' ' || subject from paid_subject where account_id = $1 and paid_until > $2) as paid,
       array(select domain || ' ' || company_number from paid_fact where account_id = $1 and paid_until > $2) as facts,
       array(select concat_ws(' ', domain, company_number, status) from refund_request where account_id = $1) as refunds,
       array(select concat_ws(' ', i.domain, i.state,
           case when d.id is not null then 'is ' || coalesce(d.company_number, 'nobody') end)
         from review_item i left join review_decision d on d.id = i.override_id where i.account_id = $1) as reviews,
       array(select domain || ' ' || company_number from blocked_pair where account_id = $1) as blocked
     from credit_balance where account_id = $1`,
    [id, at],
  )
  if (!row) throw new Error(`account ${id} has no balance`)
  for (const list of [row.jobs, row.paid, row.facts, row.refunds, row.reviews, row.blocked]) list.sort()
  return row
}

/** As its owner reads it, over all the days of the sequence. */
async function readUsage(model: Model, stage: Stage, { key }: ModelAccount): Promise<string[]> {
  const to = toLondonDate(new Date(model.now + DAY))
  const { body } = await stage.call(`/v1/account/usage?from=${addDaysToDate(to, -365)}&to=${to}`, { key })
  const sums = new Map<string, { answers: number; credits: number }>()
  for (const { outcome, answers, credits } of body.data) {
    const before = sums.get(outcome) ?? { answers: 0, credits: 0 }
    sums.set(outcome, { answers: before.answers + answers, credits: before.credits + credits })
  }
  return sortUsage({ usage: sums })
}

function sortUsage({ usage }: Pick<ModelAccount, 'usage'>): string[] {
  return [...usage].map(([outcome, { answers, credits }]) => `${outcome}: ${answers} for ${credits}`).sort()
}

async function checkQueues(model: Model, { app }: Stage): Promise<void> {
  const rows = await app.db.query<{ name: string; count: number }>(
    `select name, count(*) as count from pgboss.job where name = any ($1) and state < 'completed' group by name`,
    [[resolveDomainJob.name, findWebsiteJob.name, feedBulkJob.name]],
  )
  const real = new Map(rows.map(({ name, count }) => [name, count]))
  const works = await app.db.query<{ work: string }>(`select kind || ' ' || subject as work from resolution_work`)
  deepStrictEqual(
    {
      domains: real.get(resolveDomainJob.name) ?? 0,
      companies: real.get(findWebsiteJob.name) ?? 0,
      feeds: real.get(feedBulkJob.name) ?? 0,
      works: works.map(({ work }) => work).sort(),
    },
    {
      domains: model.queue.filter(({ kind }) => kind === 'domain').length,
      companies: model.queue.filter(({ kind }) => kind === 'company').length,
      feeds: model.feeds,
      works: [...model.works.keys()].sort(),
    },
    'what is under way is not what the model says',
  )
}
