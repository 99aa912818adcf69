/** The checks of verified sites. They are here, as an answer that loses against a rival ends the check of its site. */
import type { App } from '../../app.ts'
import { addSeconds, toLondonDate } from '../../lib/clock.ts'
import { type Db, onlyRow, type Tx } from '../../lib/db/db.ts'
import { keyOfFact, type NewSignal, raiseSignals } from '../../signals/index.ts'
import { expireWebsite, NUMBER_EVIDENCE } from './website-record.ts'

/** A verified site, as it was verified. */
export interface VerifiedSite {
  companyNumber: string
  domain: string
  /** Where the domain led already; null for a site that redirects nowhere. */
  leadsTo: string | null
}

/** The stored state of a verified site between two checks. */
export interface WebsiteCheck extends VerifiedSite {
  /** The last reported observation. */
  state: string
  /** The last observation, while it still needs a second one. */
  doubt: string | null
  failures: number
  checkedAt: Date
}

/** The end of a check. */
export interface CheckResult {
  next: Pick<WebsiteCheck, 'domain' | 'leadsTo' | 'state' | 'doubt' | 'failures'>
  /** Null: after the usual time. */
  lookAgainDays: number | null
}

/** Returns the next watched companies of the walk over all, by number. Each costs one step into the index, however many watch it. */
export async function listWatched(tx: Tx, limit: number): Promise<string[]> {
  const [walk] = await tx.query<{ after_company: string }>('select after_company from website_check_walk for update')
  const rows = await tx.query<{ company_number: string }>(
    `with recursive watched as (
       (select company_number, 1 as step from watch where company_number > $1 order by company_number limit 1)
       union all
       select next.company_number, watched.step + 1
       from watched cross join lateral (
         select company_number from watch where company_number > watched.company_number
         order by company_number limit 1
       ) next
       where watched.step < $2
     )
     select company_number from watched`,
    [walk?.after_company ?? '', limit],
  )
  return rows.map((row) => row.company_number)
}

/** The next walk begins after this company. */
export async function moveWalk(tx: Tx, afterCompany: string): Promise<void> {
  await tx.query('update website_check_walk set after_company = $1', [afterCompany])
}

const isWatched = (number: string) => `exists (
    select from watch w join watchlist l on l.id = w.watchlist_id
    where w.company_number = ${number} and l.mode = 'live'
  )`

interface Timing {
  at: Date
  days: number
}

/**
 * Adds checks for the verified sites of these companies: the site of the newest search, or else the domain whose answer
 * has been the company for longest, with its number on a site that redirects nowhere. An existing check stays, unless the
 * site was lost and a search has found another since. Returns how many were added.
 */
export async function addChecks(tx: Tx, numbers: readonly string[], { at, days }: Timing): Promise<number> {
  const rows = await tx.query(
    `with open as materialized (
       select number from unnest($1::text[]) company (number)
       where (select c.state from website_check c where c.company_number = number) is distinct from 'same'
         and ${isWatched('number')}
     )
     insert into website_check as known (company_number, domain, leads_to, state, checked_at, due_at)
     select open.number, site.domain, site.leads_to, 'same', site.checked_at,
       greatest($2::timestamptz, site.checked_at + $3 * interval '1 day') + random() * $4 * interval '1 day'
     from open cross join lateral (
       (select s.domain, r.findings->'crawl'->>'redirectedTo' as leads_to, s.checked_at, 1 as place
        from (
          select status, domain, resolution_id, checked_at from website_search
          where company_number = open.number order by checked_at desc limit 1
        ) s join resolution r on r.id = s.resolution_id
        where s.status = 'verified')
       union all
       (select k.domain, null::text, k.resolved_at, 2
        from (
          select known.domain, known.resolution_id, known.resolved_at,
            coalesce(claim.first_seen_at, known.resolved_at) as first_seen_at
          from known_domain known
          left join site_claim claim on claim.company_number = open.number and claim.domain = known.domain
          where known.company_number = open.number order by first_seen_at limit 5
        ) k join resolution r on r.id = k.resolution_id
        where r.findings->'crawl'->>'redirectedTo' is null and r.findings->'secondReading'->>'decision' is distinct from 'match' and exists (
          select from jsonb_to_recordset(r.findings->'evidence') as item (kind text, supports text, strength text)
          where item.kind = any($5) and item.supports = open.number and item.strength <> 'against'
        )
        order by k.first_seen_at limit 1)
       order by place limit 1
     ) site
     on conflict (company_number) do update
       set domain = excluded.domain, leads_to = excluded.leads_to, state = excluded.state, doubt = null, failures = 0,
         checked_at = excluded.checked_at, due_at = excluded.due_at, is_queued = false
       where known.domain <> excluded.domain and known.checked_at < excluded.checked_at
     returning company_number`,
    [numbers, at, days, days * SPREAD, [...NUMBER_EVIDENCE]],
  )
  return rows.length
}

/** Random delay after the due time, so that sites verified together are not checked together. */
const SPREAD = 0.1

/** A job that has not ended by then is lost, and the site due again. */
const LEASE_SECONDS = 6 * 3_600

/** Leases the sites that are due and returns those to check. One without watchers waits for its next time. */
export async function takeDue(
  tx: Tx,
  limit: number,
  { at, days }: Timing,
): Promise<{ found: number; numbers: string[] }> {
  const rows = await tx.query<{ company_number: string; is_queued: boolean }>(
    `with due as materialized (
       select company_number from website_check where due_at <= $1 order by due_at limit $2 for update skip locked
     )
     update website_check c
     set (is_queued, due_at) = (
       select is_watched,
         case when is_watched then $3 else $1::timestamptz + (1 + random() * $5) * $4 * interval '1 day' end
       from (select ${isWatched('c.company_number')} as is_watched) seen
     )
     where c.company_number = any(array(select company_number from due))
     returning c.company_number, c.is_queued`,
    [at, limit, addSeconds(at, LEASE_SECONDS), days, SPREAD],
  )
  const numbers = rows.filter((row) => row.is_queued).map((row) => row.company_number)
  return { found: rows.length, numbers }
}

export async function countQueued(db: Db, at: Date): Promise<number> {
  const rows = await db.query<{ queued: number }>(
    'select count(*) as queued from website_check where is_queued and due_at > $1',
    [at],
  )
  return onlyRow(rows).queued
}

/** Null when no check is queued. */
export async function findQueued(db: Db, companyNumber: string): Promise<WebsiteCheck | null> {
  const [check] = await db.query<WebsiteCheck>(
    `select company_number as "companyNumber", domain, leads_to as "leadsTo", state, doubt, failures,
       checked_at as "checkedAt"
     from website_check where company_number = $1 and is_queued`,
    [companyNumber],
  )
  return check ?? null
}

/** Ends a check. False when another job has ended it, or it has moved to another domain. */
export async function endCheck(
  tx: Tx,
  check: WebsiteCheck,
  { next, lookAgainDays }: CheckResult,
  { at, days }: Timing,
): Promise<boolean> {
  const { domain, leadsTo, state, doubt, failures } = next
  const dueAt = addSeconds(at, (lookAgainDays ?? days) * (1 + Math.random() * SPREAD) * 86_400)
  const rows = await tx.query(
    `update website_check
     set domain = $4, leads_to = $5, state = $6, doubt = $7, failures = $8, checked_at = $9, due_at = $10,
       is_queued = false
     where company_number = $1 and domain = $2 and checked_at = $3 and is_queued
     returning company_number`,
    [check.companyNumber, check.domain, check.checkedAt, domain, leadsTo, state, doubt, failures, at, dueAt],
  )
  return rows.length > 0
}

interface LostWebsite {
  company: { number: string; name: string }
  domain: string
  /** The other domain that claims the company. */
  rival: string
  at: Date
}

/**
 * Reports that a domain is not believed to be the company's any more: the next request searches again, and the watchers of
 * the company get a signal where it was the verified one. Safe to run twice.
 */
export async function reportLostWebsite(app: Pick<App, 'jobs'>, tx: Tx, lost: LostWebsite): Promise<void> {
  const { company, domain, at } = lost
  await expireWebsite(tx, { companyNumber: company.number, domain }, at)
  const watched = await tx.query(
    `update website_check set state = 'contested', doubt = null
     where company_number = $1 and domain = $2 and state <> 'contested' returning company_number`,
    [company.number, domain],
  )
  if (watched.length > 0) await raiseSignals(app, tx, [toSignal(lost)], at)
}

function toSignal({ company, domain, rival, at }: LostWebsite): NewSignal {
  return {
    companyNumber: company.number,
    companyName: company.name,
    signalType: 'website_changed',
    severity: 'warning',
    summary: `Another site, ${rival}, claims ${company.name} too, so ${domain} is not verified any more.`,
    changes: [{ field: 'website_status', from: 'verified', to: 'contested' }],
    occurredOn: toLondonDate(at),
    sourceKind: 'website',
    sourceReference: domain,
    dedupe: keyOfFact(domain, 'contested', rival),
  }
}
