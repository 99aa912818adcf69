/** Lists add their domains to a crawl store. */
import { addSeconds } from '../clock.ts'
import type { Db } from '../db/db.ts'
import { NEXT_DUE } from './due-domains.ts'

export interface NewSweep {
  name: string
  /** Null: as before, or the default. */
  ahead: number | null
  /** For a store that does not know the list. */
  isPaused: boolean
  at: Date
}

const AHEAD = 500

/** Makes the list known to a store, or changes its figure. A pause stays. */
export async function putSweep(db: Db, { name, ahead, isPaused, at }: NewSweep): Promise<void> {
  await db.query(
    `insert into crawl_sweep (name, ahead, is_paused, started_at, resumed_at) values ($1, coalesce($2, ${AHEAD}), $3, $4, $4)
     on conflict (name) do update set ahead = coalesce($2, crawl_sweep.ahead)`,
    [name, ahead, isPaused, at],
  )
}

/** False also where the store does not know the list. */
export async function isPaused(db: Db, name: string): Promise<boolean> {
  return (await db.query('select from crawl_sweep where name = $1 and is_paused', [name])).length > 0
}

export interface AddedDomains {
  sweep: string
  domains: readonly string[]
  /** Null: each domain is read once. */
  everyDays: number | null
  /** The same for all domains of one call of a list, and no other. */
  at: Date
}

interface Added {
  /** Domains that will be read, or are being read. */
  accepted: string[]
  /** Domains with a fresh reading. */
  known: string[]
  /** Domains that the same list had before. */
  repeated: string[]
}

const SHORTER = 'least(known.every_days, $4::int)'
const AGAIN = `sweep = $2, added_at = $3, due_at = $3, deaths = 0, every_days = ${SHORTER},
  state = case when known.state = 'queued' then 'queued' else 'waiting' end`
const IS_WANTED = `not (known.state = 'read' and coalesce(known.fresh_until > $3, false)) and not (known.sweep = $2 and known.added_at = $3)`
const toValues = ({ sweep, domains, everyDays, at }: AddedDomains) => [domains, sweep, at, everyDays]

/**
 * Adds domains that are due now. Those that are there become due again unless their reading is fresh. A domain belongs to the list
 * that added it last, and is read as often as any list asked for.
 */
export async function addDomains(db: Db, ask: AddedDomains): Promise<Added> {
  const rows = await db.query<{ domain: string }>(
    `insert into crawl_domain as known (domain, sweep, state, due_at, added_at, every_days)
     select domain, $2, 'waiting', $3, $3, $4::int from unnest($1::text[]) domain order by domain collate "C"
     on conflict (domain) do update set ${AGAIN} where ${IS_WANTED} returning domain`,
    toValues(ask),
  )
  return sortAdded(db, ask, rows)
}

/** The same for those that are here already, in a store from which domains move away. */
export async function addAgain(db: Db, ask: AddedDomains): Promise<Added> {
  const rows = await db.query<{ domain: string }>(
    `with locked as (select domain from crawl_domain where domain = any ($1) order by domain for update)
     update crawl_domain as known set ${AGAIN} from locked
     where known.domain = locked.domain and not is_moving and ${IS_WANTED} returning known.domain`,
    toValues(ask),
  )
  return sortAdded(db, ask, rows)
}

async function sortAdded(db: Db, ask: AddedDomains, rows: Array<{ domain: string }>): Promise<Added> {
  const accepted = rows.map(({ domain }) => domain)
  const taken = new Set(accepted)
  const others = ask.domains.filter((domain) => !taken.has(domain))
  if (others.length === 0) return { accepted, known: [], repeated: [] }
  const left = await db.query<{ domain: string; isRepeated: boolean }>(
    `select domain, sweep = $2 and added_at = $3 as "isRepeated" from crawl_domain
     where domain = any ($1) and not is_moving`,
    [others, ask.sweep, ask.at],
  )
  const known = left.filter(({ isRepeated }) => !isRepeated).map(({ domain }) => domain)
  if (ask.everyDays !== null) await repeatFresh(db, { ...ask, domains: known })
  return { accepted, known, repeated: left.filter(({ isRepeated }) => isRepeated).map(({ domain }) => domain) }
}

/** Domains whose reading is fresh are due when the list wants them again. */
async function repeatFresh(db: Db, ask: AddedDomains): Promise<void> {
  await db.query(
    `with locked as (select domain from crawl_domain where domain = any ($1) order by domain for update)
     update crawl_domain as known set sweep = $2, every_days = ${SHORTER}, due_at = ${NEXT_DUE('read_at', SHORTER)}
     from locked where known.domain = locked.domain and known.state = 'read' and known.fresh_until > $3`,
    toValues(ask),
  )
}

export interface AnsweredDomain {
  domain: string
  outcome: string
  resolvedAt: Date
  expiresAt: Date
}

/** Returns which of the domains are in the store. Those that move away are not. */
export async function listHere(db: Db, domains: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ domain: string }>(
    'select domain from crawl_domain where domain = any ($1) and not is_moving',
    [domains],
  )
  return new Set(rows.map(({ domain }) => domain))
}

/** Adds domains that the main database has a fresh answer of, to be read again after `everyDays`. */
export async function addAnswered(
  db: Db,
  ask: { sweep: string; answered: readonly AnsweredDomain[]; everyDays: number; at: Date },
): Promise<void> {
  await db.query(
    `insert into crawl_domain as known (domain, sweep, state, added_at, every_days, outcome, read_at, fresh_until, due_at)
     select domain, $2, 'read', $3, $4::int, outcome, read_at, fresh_until, ${NEXT_DUE('read_at', '$4::int')}
     from unnest($1::text[], $5::text[], $6::timestamptz[], $7::timestamptz[]) one (domain, outcome, read_at, fresh_until)
     order by domain collate "C"
     on conflict (domain) do update set sweep = $2, every_days = ${SHORTER},
       due_at = case when known.state = 'read' then ${NEXT_DUE('greatest(known.read_at, excluded.read_at)', SHORTER)} else known.due_at end`,
    [
      ask.answered.map(({ domain }) => domain),
      ask.sweep,
      // No reading of this call: it is counted as known.
      addSeconds(ask.at, -1),
      ask.everyDays,
      ask.answered.map(({ outcome }) => outcome),
      ask.answered.map(({ resolvedAt }) => resolvedAt),
      ask.answered.map(({ expiresAt }) => expiresAt),
    ],
  )
}
