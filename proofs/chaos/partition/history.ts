/** Rows of the tables that become partitioned: many that never change again, and some that change all the time. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../rig/random.ts'
import type { Database } from '../../../src/lib/db/db.ts'

/** Rows that change have these marks; all others stay as they are. */
const CHANGING = 'changing-'
const CHANGING_DESTINATION = 'https://changing.example/hook'

/** Fills each table with so many rows, of an account of their own whose books are right. */
export async function storeHistory(db: Database, rows: number): Promise<void> {
  const [account] = await db.query<{ id: string }>(
    `insert into account (id, email, email_canonical, password_hash, plan, created_at, verified_at)
     select 'acc_history', 'history@example.com', 'history@example.com', password_hash, plan, created_at, verified_at
     from account limit 1
     returning id`,
  )
  const id = account?.id ?? ''
  for (const statement of HISTORY) await db.query(statement, statement.includes('$2') ? [id, rows] : [id])
}

const DAY = `now() - (n % 300) * interval '1 day'`

const HISTORY = [
  `insert into resolution (id, domain, outcome, situation, reason, findings, model_version, resolved_at)
   select 'res_history' || n, 'history-' || n || '.co.uk', 'no_match', 'none', $1,
     jsonb_build_object('candidates', '[]'::jsonb, 'note', repeat('x', n % 2000)), '1', ${DAY}
   from generate_series(1, $2::integer) n`,
  `insert into credit_balance (account_id, balance, held) values ($1, $2::integer, 0)
   on conflict (account_id) do update set balance = excluded.balance`,
  `insert into credit_hold (id, account_id, reference, amount, state, created_at, expires_at, settled_at)
   select 'hld_history' || n, $1, 'job_history' || n, 1, 'captured', ${DAY}, ${DAY}, ${DAY}
   from generate_series(1, $2::integer) n`,
  `insert into ledger_entry (account_id, kind, amount, reason, reference, hold_id, balance_delta, held_delta, balance_after,
     held_after, created_at)
   select $1, 'grant', 2 * $2::integer, 'operator', 'history', null, 2 * $2::integer, 0, 2 * $2::integer, 0, now()`,
  `insert into ledger_entry (account_id, kind, amount, reason, reference, hold_id, balance_delta, held_delta, balance_after,
     held_after, created_at)
   select $1, kind, 1, 'history', 'job_history' || n, 'hld_history' || n,
     case kind when 'hold' then 0 else -1 end, case kind when 'hold' then 1 else -1 end,
     2 * $2::integer - n + case kind when 'hold' then 1 else 0 end, case kind when 'hold' then 1 else 0 end, now()
   from generate_series(1, $2::integer) n cross join (values (1, 'hold'), (2, 'capture')) moved (step, kind)
   order by n, step`,
  `insert into resolution_job (id, account_id, kind, subject, input, status, hold_id, resolution_id, charged, charge_reason,
     created_at, finished_at, expires_at)
   select 'job_history' || n, $1, 'domain', 'history-' || n || '.co.uk', 'history', 'completed', 'hld_history' || n,
     'res_history' || n, false, 'matched', ${DAY}, ${DAY}, now() + interval '30 days'
   from generate_series(1, $2::integer) n`,
  `insert into paid_subject (account_id, kind, subject, paid_until)
   select $1, 'domain', case when n % 2 = 0 then 'history-' else '${CHANGING}' end || n || '.co.uk', now() + interval '90 days'
   from generate_series(1, $2::integer) n`,
  `insert into webhook_destination (account_id, mode, signal_type, webhook_url, secret_sealed, status, disabled_reason, created_at)
   select $1, 'live', 'all', url, 'history', 'disabled', 'history', now()
   from (values ('https://history.example/hook'), ('${CHANGING_DESTINATION}')) destination (url)`,
  `insert into webhook_event (event_id, signal_type, body, created_at)
   select 'evt_history' || n, $1, repeat('y', n % 500), now() - (n % 20) * interval '1 day'
   from generate_series(1, $2::integer) n`,
  `insert into webhook_delivery (destination_id, event_number, state, due_at, ended_at)
   select destination.id, event.id, 'missed', event.created_at, event.created_at
   from webhook_event event cross join webhook_destination destination
   where event.signal_type = $1 and destination.account_id = $1`,
  `insert into webhook_attempt (destination_id, event_number, attempt, is_replay, started_at, duration_ms, status, response)
   select destination_id, event_number, 1, false, due_at, 5, 500, 'history' from webhook_delivery where $1::text <> ''`,
  `insert into watchlist (account_id, mode) values ($1, 'live') on conflict do nothing`,
  `insert into signal (company_number, company_name, signal_type, severity, summary, occurred_on, detected_at, changes,
     source_kind, source_reference, dedupe_key)
   select lpad((n % 5000)::text, 8, '0'), $1, 'status_changed', 'info', 'history', current_date, ${DAY}, '[]', 'history', '',
     'history' || n from generate_series(1, $2::integer) n`,
  `insert into watched_signal (watchlist_id, detected_at, signal_id, signal_type)
   select watchlist.id, signal.detected_at, signal.id, signal.signal_type from watchlist, signal
   where watchlist.account_id = $1 and signal.company_name = $1`,
]

/** Rows that nothing changes, by table. */
const STILL: Record<string, string> = {
  resolution: `reason = 'acc_history'`,
  credit_hold: `account_id = 'acc_history'`,
  ledger_entry: `account_id = 'acc_history'`,
  resolution_job: `account_id = 'acc_history'`,
  paid_subject: `account_id = 'acc_history' and not starts_with(subject, '${CHANGING}')`,
  webhook_event: `signal_type = 'acc_history'`,
  webhook_delivery: `destination_id = (select id from webhook_destination where webhook_url = 'https://history.example/hook')`,
  webhook_attempt: `response = 'history'`,
  signal: `company_name = 'acc_history'`,
  watched_signal: `watchlist_id = (select id from watchlist where account_id = 'acc_history')`,
}

/** Returns the columns that each table has now. */
export async function listColumns(db: Database): Promise<Record<string, string[]>> {
  const columns: Record<string, string[]> = {}
  for (const table of Object.keys(STILL)) {
    const rows = await db.query<{ name: string }>(
      'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped',
      [table],
    )
    columns[table] = rows.map(({ name }) => name)
  }
  return columns
}

/** Returns the number and the sum of all rows that nothing changes, for each table, by these columns: others may come meanwhile. */
export async function sumHistory(db: Database, columns: Record<string, string[]>): Promise<Record<string, string>> {
  const sums: Record<string, string> = {}
  for (const [table, condition] of Object.entries(STILL)) {
    const [row] = await db.query<{ sum: string }>(
      `select count(*) || ' rows, sum ' || coalesce(sum(hashtextextended(kept.facts::text, 0)::numeric), 0) as sum
       from ${table} one, lateral (
         select jsonb_object_agg(key, value) as facts from jsonb_each(jsonb_strip_nulls(to_jsonb(one))) where key = any ($1)
       ) kept where ${condition}`,
      [columns[table]],
    )
    sums[table] = row?.sum ?? ''
  }
  return sums
}

/** Changes rows without pause, and keeps what the tables must hold. */
export class Writers {
  readonly #db: Database
  readonly #random: Random
  readonly #paid = new Map<string, string>()
  readonly #deliveries = new Map<number, number>()
  readonly #loops: Array<Promise<void>>
  #isStopping = false
  writes = 0

  private constructor(db: Database, random: Random) {
    this.#db = db
    this.#random = random
    this.#loops = [this.#changePaid(), this.#changeDeliveries()]
  }

  static start(db: Database, random: Random): Writers {
    return new Writers(db, random)
  }

  async #changePaid(): Promise<void> {
    for (let count = 0; !this.#isStopping; count += 1) {
      const subject = `${CHANGING}${this.#random.below(4_000)}.co.uk`
      const isDeleted = this.#random.isTrue(0.25)
      const reference = `w${count}`
      await this.#db.query(
        isDeleted
          ? `delete from paid_subject where account_id = 'acc_history' and kind = 'domain' and subject = $1 and $2 <> ''`
          : `insert into paid_subject (account_id, kind, subject, paid_until, reference)
             values ('acc_history', 'domain', $1, now() + interval '90 days', $2)
             on conflict (account_id, kind, subject) do update set reference = excluded.reference`,
        [subject, reference],
      )
      this.#paid.set(subject, isDeleted ? '' : reference)
      this.writes += 1
      await sleep(2)
    }
  }

  async #changeDeliveries(): Promise<void> {
    const rows = await this.#db.query<{ event_number: number }>(
      `select event_number from webhook_delivery where destination_id = ${DESTINATION} order by event_number`,
    )
    while (!this.#isStopping) {
      const number = this.#random.pick(rows).event_number
      const before = this.#deliveries.get(number) ?? 0
      if (before >= 0) {
        const isDeleted = this.#random.isTrue(0.25)
        await this.#db.query(
          isDeleted
            ? `delete from webhook_delivery where destination_id = ${DESTINATION} and event_number = $1`
            : `update webhook_delivery set attempts = attempts + 1 where destination_id = ${DESTINATION} and event_number = $1`,
          [number],
        )
        this.#deliveries.set(number, isDeleted ? -1 : before + 1)
        this.writes += 1
      }
      await sleep(2)
    }
  }

  /** Returns the differences between what was written and what is there. */
  async stop(): Promise<string[]> {
    this.#isStopping = true
    await Promise.all(this.#loops)
    const paid = await this.#db.query<{ subject: string; reference: string | null }>(
      `select subject, reference from paid_subject where account_id = 'acc_history' and starts_with(subject, '${CHANGING}')`,
    )
    const deliveries = await this.#db.query<{ event_number: number; attempts: number }>(
      `select event_number, attempts from webhook_delivery where destination_id = ${DESTINATION}`,
    )
    return [
      ...compare('paid_subject', this.#paid, new Map(paid.map((row) => [row.subject, row.reference ?? ''])), ''),
      ...compare(
        'webhook_delivery',
        this.#deliveries,
        new Map(deliveries.map((row) => [row.event_number, row.attempts])),
        -1,
      ),
    ]
  }
}

const DESTINATION = `(select id from webhook_destination where webhook_url = '${CHANGING_DESTINATION}')`

function compare<Key, Value>(table: string, wanted: Map<Key, Value>, found: Map<Key, Value>, absent: Value): string[] {
  return [...wanted].flatMap(([key, value]) => {
    const stored = found.get(key) ?? absent
    return stored === value ? [] : [`${table} ${String(key)}: wrote ${String(value)}, found ${String(stored)}`]
  })
}
