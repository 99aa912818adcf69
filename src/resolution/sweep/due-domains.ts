/**
 * The queue of all lists: a domain that is due is leased to a worker, and then read, put off or given up. A worker that died
 * returns no lease; its domains are due again when their leases end.
 */
import type { Db } from '../../lib/db/db.ts'

/** The outcome of a domain whose attempts all failed. */
export const GIVEN_UP = 'given_up'

export interface ReadResult {
  outcome: string
  readAt: Date
  /** Null where the domain was given up. */
  freshUntil: Date | null
}

export interface LeasedDomain {
  domain: string
  lease: string
  leasedAt: Date
  /** 1 for the first. */
  attempt: number
  /** The domain's answer where it is fresh and newer than the last reading of the list: the site need not be read. */
  answer: ReadResult | null
  /** It has an answer or a claim, which a new reading replaces. */
  isKnown: boolean
  /** It is being read for a customer. */
  isWanted: boolean
}

interface LeaseRow extends Omit<LeasedDomain, 'answer' | 'leasedAt'>, ReadResult {
  isAnswered: boolean
}

/** Leases domains that are due, the longest due first. Lists that are not paused have equal shares. */
export async function leaseDue(
  db: Db,
  { count, until, at }: { count: number; until: Date; at: Date },
): Promise<LeasedDomain[]> {
  const rows = await db.query<LeaseRow>(
    `with due as (
       select due.domain from sweep cross join lateral (
         select domain from sweep_domain where sweep_domain.sweep = sweep.name and due_at <= $1
         order by due_at limit $2 for update skip locked
       ) due
       where not sweep.is_paused order by random() limit $2
     ), leased as (
       update sweep_domain one
       set state = 'reading', lease = gen_random_uuid(), attempts = one.attempts + 1, due_at = $3
       from due where one.domain = due.domain returning one.domain, one.lease, one.attempts, one.read_at
     )
     select leased.domain, lease, attempts as attempt,
       known.outcome, known.resolved_at as "readAt", known.expires_at as "freshUntil",
       coalesce(known.expires_at > $1 and (read_at is null or known.resolved_at > read_at), false) as "isAnswered",
       known.domain is not null or exists (select from site_claim where domain = leased.domain) as "isKnown",
       exists (select from resolution_work where kind = 'domain' and subject = leased.domain) as "isWanted"
     from leased left join known_domain known on known.domain = leased.domain`,
    [at, count, until],
  )
  return rows.map(({ isAnswered, outcome, readAt, freshUntil, ...leased }) => {
    return { ...leased, leasedAt: at, answer: isAnswered ? { outcome, readAt, freshUntil } : null }
  })
}

type Lease = Pick<LeasedDomain, 'domain' | 'lease'>

/** The domain waits until `dueAt`. Attempts so far count only where its site may be their cause. */
export async function putOff(
  db: Db,
  { domain, lease }: Lease,
  { dueAt, attempts }: { dueAt: Date; attempts: number },
): Promise<void> {
  await db.query(
    `update sweep_domain set state = 'waiting', lease = null, due_at = $3, attempts = $4 where domain = $1 and lease = $2`,
    [domain, lease, dueAt, attempts],
  )
}

/** Ends the reading of a domain. False where the lease is another worker's by now. */
export async function endRead(
  db: Db,
  { domain, lease }: Lease,
  { outcome, readAt, freshUntil }: ReadResult,
): Promise<boolean> {
  const rows = await db.query(
    `update sweep_domain
     set state = 'read', lease = null, attempts = 0, due_at = $4::timestamptz + every_days * interval '1 day',
       outcome = $3, read_at = $4, fresh_until = $5
     where domain = $1 and lease = $2 returning domain`,
    [domain, lease, outcome, readAt, freshUntil],
  )
  return rows.length > 0
}
