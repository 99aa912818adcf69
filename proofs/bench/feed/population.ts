/**
 * Accounts with watchlists of three sizes, a year of signals, and the feed as the fan-out would have written it. A list
 * of one size has as many signals whatever the size of the tables, so that only the tables differ.
 */
import pg from 'pg'
import { SIGNAL_TYPES, type SignalType } from '../../../src/signals/index.ts'
import { dropIndexes } from './indexes.ts'

export const LIST_SIZES = [10, 1_000, 50_000] as const
export type ListSize = (typeof LIST_SIZES)[number]

/** Of one unit. A hundred are 10 M watches and 20 M signals over 5.7 M companies. */
const LISTS: Record<ListSize, number> = { 10: 1_000, 1_000: 40, 50_000: 1 }
const WATCHES = 100_000
const SIGNALS = 200_000
const COMPANIES = 57_000
/** As many changes as are recorded together, and so share their moment. */
const RECORDED_TOGETHER = 20

/** Of a thousand signals; most are yearly filings. */
const TYPE_SHARES: Record<SignalType, number> = {
  confirmation_filed: 250,
  accounts_filed: 220,
  director_appointed: 90,
  director_resigned: 80,
  psc_changed: 80,
  registered_office_changed: 70,
  accounts_overdue: 40,
  confirmation_overdue: 40,
  charge_registered: 30,
  charge_satisfied: 25,
  strike_off_proposed: 25,
  sic_codes_changed: 14,
  status_changed: 12,
  name_changed: 8,
  accounts_type_changed: 5,
  strike_off_discontinued: 5,
  insolvency_updated: 3,
  insolvency_started: 2,
  website_changed: 1,
}
export const RARE_TYPE = 'insolvency_started' satisfies SignalType

export interface Population {
  watches: number
  signals: number
  companies: number
  feedRows: number
}

/** Fills the tables with so many units; what was there before is gone. */
export async function populate(url: string, units: number, say: (step: string) => void): Promise<Population> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const settings = { synchronous_commit: 'off', work_mem: '1GB', maintenance_work_mem: '1GB', statement_timeout: '0' }
    for (const [name, value] of Object.entries(settings)) await client.query(`set ${name} = '${value}'`)
    await client.query('truncate signal, watch, watched_signal, watchlist restart identity')
    const companies = COMPANIES * units
    const buildIndexes = await dropIndexes(client, ['signal', 'watch', 'watched_signal'])
    say(`${WATCHES * units} watches`)
    await insertWatches(client, units, companies)
    say(`${SIGNALS * units} signals`)
    await insertSignals(client, SIGNALS * units, companies)
    say('the feed')
    const { rowCount: feedRows } = await client.query(FEED)
    say('indexes')
    await buildIndexes()
    for (const table of ['signal', 'watch', 'watched_signal', 'watchlist'])
      await client.query(`vacuum analyze ${table}`)
    await client.query('checkpoint')
    return { watches: WATCHES * units, signals: SIGNALS * units, companies, feedRows: feedRows ?? 0 }
  } finally {
    await client.end()
  }
}

/** Spreads each list evenly over the register, from a start of its own. */
async function insertWatches(client: pg.Client, units: number, companies: number): Promise<void> {
  for (const size of LIST_SIZES) {
    const accounts = `select 'acc_' || $1::text || '_' || n as id from generate_series(1, $2::integer) n`
    await client.query(
      `insert into account (id, email, email_canonical, password_hash, created_at)
       select id, id, id, 'no sign-in', now() from (${accounts}) account on conflict do nothing`,
      [size, LISTS[size] * units],
    )
    await client.query(
      `with list as (
         insert into watchlist (account_id, mode, used) select id, 'live', $1::integer from (${accounts}) account
         returning id
       )
       insert into watch (watchlist_id, company_number, watched_at)
       select list.id, lpad(((list.id * 7919::bigint + n * ($3::integer / $1::integer)) % $3 + 1)::text, 8, '0'),
         '2025-01-01'
       from list cross join generate_series(0, $1::integer - 1) n`,
      [size, LISTS[size] * units, companies],
    )
  }
}

/** Inserts them in the order of time, over a year. Some companies have many more than others. */
export async function insertSignals(client: pg.Client, signals: number, companies: number): Promise<void> {
  await client.query(
    `insert into signal (company_number, company_name, signal_type, severity, summary, occurred_on, detected_at,
       changes, source_kind, source_reference, dedupe_key)
     select lpad(company::text, 8, '0'), 'COMPANY NUMBER ' || company || ' LIMITED', type, 'notice',
       'COMPANY NUMBER ' || company || ' LIMITED filed something new.', detected_at::date,
       detected_at, '[{"field": "what_is_new", "from": "as it was before", "to": "as it is now"}]', 'stream',
       'companies ' || n, n::text
     from (
       select n, 1 + floor($2::integer * power(random(), 1.5))::integer as company,
         ${drawType()} as type,
         timestamptz '2025-06-01' + (n / ${RECORDED_TOGETHER}) * $3::float8 * interval '1 millisecond' as detected_at
       from (select n, random() * 1000 as drawn from generate_series(0, $1::integer - 1) n offset 0) each
       offset 0
     ) drawn`,
    [signals, companies, Math.floor((365 * 86_400_000) / (signals / RECORDED_TOGETHER))],
  )
}

function drawType(): string {
  let below = 0
  const cases = SIGNAL_TYPES.map((type) => {
    below += TYPE_SHARES[type]
    return `when drawn < ${below} then '${type}'`
  })
  return `case ${cases.join(' ')} end`
}

/** With the watches in a hash table, so that the rows are written in the order of the signals. */
export const FEED = `insert into watched_signal (watchlist_id, detected_at, signal_id, signal_type)
  select watch.watchlist_id, signal.detected_at, signal.id, signal.signal_type
  from signal join watch using (company_number)`
