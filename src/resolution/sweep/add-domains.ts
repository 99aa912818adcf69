/** Domains are added to lists. */
import { addSeconds } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'

/** Makes a list; one that exists stays as it is, paused or not. */
export async function putSweep(db: Db, { name, at }: { name: string; at: Date }): Promise<void> {
  await db.query('insert into sweep (name, started_at, resumed_at) values ($1, $2, $2) on conflict (name) do nothing', [
    name,
    at,
  ])
}

export interface AddedDomains {
  sweep: string
  domains: readonly string[]
  /** Null: each domain is read once. */
  everyDays: number | null
  /** The same for all domains of one call of a list, and no other. */
  at: Date
}

interface AddCounts {
  /** Domains that will be read, or are being read. */
  added: number
  /** Domains with a fresh answer or reading. */
  known: number
  /** Domains that the same call added before. */
  repeated: number
}

/**
 * Adds domains that are due now, except those with a fresh answer or reading: these are due when the list wants them again. A
 * domain belongs to the list that added it last, and is read as often as any list asked for.
 */
export async function addDomains(db: Db, ask: AddedDomains): Promise<AddCounts> {
  const { sweep, domains, everyDays, at } = ask
  const rows = await db.query<{ domain: string }>(
    `insert into sweep_domain as known (domain, sweep, state, due_at, added_at, every_days)
     select domain, $2, 'waiting', $3, $3, $4::int from unnest($1::text[]) one (domain)
     where not exists (select from known_domain answer where answer.domain = one.domain and answer.expires_at > $3)
     order by domain collate "C"
     on conflict (domain) do update set sweep = $2, added_at = $3, attempts = 0, every_days = least(known.every_days, $4::int),
       state = case when known.state = 'reading' then 'reading' else 'waiting' end,
       due_at = case when known.state = 'reading' then known.due_at else $3 end
     where not (known.state = 'read' and coalesce(known.fresh_until > $3, false))
       and not (known.sweep = $2 and known.added_at = $3)
     returning domain`,
    [domains, sweep, at, everyDays],
  )
  const added = new Set(rows.map(({ domain }) => domain))
  const others = domains.filter((domain) => !added.has(domain))
  if (others.length === 0) return { added: added.size, known: 0, repeated: 0 }
  const again = await db.query<{ domain: string }>(
    'select domain from sweep_domain where domain = any ($1) and sweep = $2 and added_at = $3',
    [others, sweep, at],
  )
  const repeated = new Set(again.map(({ domain }) => domain))
  const known = others.filter((domain) => !repeated.has(domain))
  if (everyDays !== null) await repeatKnown(db, { ...ask, domains: known })
  return { added: added.size, known: known.length, repeated: repeated.size }
}

/** Domains that need not be read now are due when the list wants them again. */
async function repeatKnown(db: Db, { sweep, domains, everyDays, at }: AddedDomains): Promise<void> {
  await db.query(
    `insert into sweep_domain as known (domain, sweep, state, added_at, every_days, outcome, read_at, fresh_until, due_at)
     select one.domain, $2, 'read', $3, $4::int, answer.outcome, answer.resolved_at, answer.expires_at,
       answer.resolved_at + $4::int * interval '1 day'
     from unnest($1::text[]) one (domain) left join known_domain answer on answer.domain = one.domain
     order by one.domain collate "C"
     on conflict (domain) do update set sweep = $2, every_days = least(known.every_days, $4::int),
       due_at = case when known.state = 'read'
         then greatest(known.read_at, excluded.read_at) + least(known.every_days, $4::int) * interval '1 day' else known.due_at end`,
    // No reading of this call: it is counted as known.
    [domains, sweep, addSeconds(at, -1), everyDays],
  )
}
