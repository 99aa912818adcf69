import type { App } from '../app.ts'
import { addDaysToDate, toLondonDate } from '../lib/clock.ts'
import { type Db, onlyRow } from '../lib/db.ts'

const BATCH_COMPANIES = 2_000
const BATCHES_MAX = 5_000
const DAYS_MAX = 400

/**
 * A due date that passes is no event at the register, so we look ourselves: once for every London day, also for those on
 * which nobody looked. Answers how many signals it raised. The first run ever only notes the day, because what was
 * overdue before we looked is no news. Safe to run again and concurrently: the due date is the signal's key.
 */
export async function sweepOverdue(app: App): Promise<number> {
  const at = app.clock.now()
  const today = toLondonDate(at)
  let day = await startFrom(app.db, today)
  let raised = 0
  for (let days = 0; day < today && days < DAYS_MAX; days += 1) {
    raised += await raiseAll(app.db, ACCOUNTS, day, at)
    raised += await raiseAll(app.db, CONFIRMATION, day, at)
    day = addDaysToDate(day, 1)
    // Only once the day is done: a sweep that was cut off does it again and finds its own signals there.
    await app.db.query(`update signal_sweep set swept_on = greatest(swept_on, $1) where name = 'overdue'`, [day])
    app.log.info({ event: 'signals.day_swept', due_on: addDaysToDate(day, -1), raised })
  }
  return raised
}

/** The first day whose due dates have not been judged. */
async function startFrom(db: Db, today: string): Promise<string> {
  await db.query(`insert into signal_sweep (name, swept_on) values ('overdue', $1) on conflict (name) do nothing`, [
    today,
  ])
  return onlyRow(await db.query<{ swept_on: string }>(`select swept_on from signal_sweep where name = 'overdue'`))
    .swept_on
}

interface Batch {
  found: number
  raised: number
  last_number: string | null
}

async function raiseAll(db: Db, statement: string, dueOn: string, at: Date): Promise<number> {
  let raised = 0
  let after = ''
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const done = onlyRow(await db.query<Batch>(statement, [dueOn, after, BATCH_COMPANIES, at]))
    raised += done.raised
    if (done.found < BATCH_COMPANIES || done.last_number === null) return raised
    after = done.last_number
  }
  throw new Error(`more companies are due on ${dueOn} than a sweep can take`)
}

const ACCOUNTS = toStatement({
  column: 'accounts_next_due',
  signalType: 'accounts_overdue',
  owed: 'the accounts that were due on',
})
const CONFIRMATION = toStatement({
  column: 'confirmation_next_due',
  signalType: 'confirmation_overdue',
  owed: 'the confirmation statement that was due on',
})

/**
 * One batch of the companies that were due on a day, in the order of their numbers. A company that has ended owes
 * nothing, and one in liquidation keeps its due dates for years although nobody files for it any more.
 */
function toStatement(what: { column: string; signalType: string; owed: string }): string {
  return `with due as materialized (
      select number, name from company
      where ${what.column} = $1::date and number > $2
        and status not in ('dissolved', 'closed', 'converted-closed', 'removed', 'liquidation')
      order by number limit $3
    ), raised as (
      insert into signal (company_number, company_name, signal_type, severity, summary, occurred_on, detected_at,
        changes, source_kind, source_reference, dedupe_key)
      select number, name, '${what.signalType}', 'warning',
        name || ' has not filed ${what.owed} ' || to_char($1::date, 'FMDD FMMonth YYYY') || '.', $1::date + 1, $4,
        jsonb_build_array(jsonb_build_object('field', '${what.signalType}', 'from', false, 'to', true)),
        'sweep', to_char($1::date, 'YYYY-MM-DD'), to_char($1::date, 'YYYY-MM-DD')
      from due order by number
      on conflict (company_number, signal_type, dedupe_key) do nothing
      returning 1
    )
    select (select count(*) from due) as found, (select count(*) from raised) as raised,
      (select max(number) from due) as last_number`
}
