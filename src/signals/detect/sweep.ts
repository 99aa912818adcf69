import type { App } from '../../app.ts'
import { addDaysToDate, toLondonDate } from '../../lib/clock.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import { formatDay } from '../../lib/text/wording.ts'
import { listDueCompanies } from '../../register/index.ts'
import { type NewSignal, raiseSignals } from '../raise.ts'
import { keyOfFact } from './detected-signal.ts'

const BATCH_COMPANIES = 2_000
const BATCHES_MAX = 5_000
const DAYS_MAX = 400

/**
 * Raises a signal for every due date that has passed, which is no event at the register: once for every London day, also
 * for days without a sweep. Returns the number of signals. The first sweep ever only records its day, because what was
 * overdue before is no news. Safe to run again and concurrently: the due date is the signal's key.
 */
export async function sweepOverdue(app: App): Promise<number> {
  const at = app.clock.now()
  const today = toLondonDate(at)
  let day = await startFrom(app.db, today)
  let raised = 0
  for (let days = 0; day < today && days < DAYS_MAX; days += 1) {
    for (const owed of OWED) raised += await raiseAll(app, owed, day, at)
    day = addDaysToDate(day, 1)
    // Only once the day is done: a sweep that was cut off does it again and finds its own signals there.
    await app.db.query(`update signal_sweep set swept_on = greatest(swept_on, $1) where name = 'overdue'`, [day])
    app.log.info({ event: 'signals.day_swept', due_on: addDaysToDate(day, -1), raised })
  }
  return raised
}

/** Returns the first day whose due dates were not checked yet. */
async function startFrom(db: Db, today: string): Promise<string> {
  await db.query(`insert into signal_sweep (name, swept_on) values ('overdue', $1) on conflict (name) do nothing`, [
    today,
  ])
  return onlyRow(await db.query<{ swept_on: string }>(`select swept_on from signal_sweep where name = 'overdue'`))
    .swept_on
}

interface Owed {
  column: 'accounts_next_due' | 'confirmation_next_due'
  signalType: 'accounts_overdue' | 'confirmation_overdue'
  words: string
}

const OWED: readonly Owed[] = [
  { column: 'accounts_next_due', signalType: 'accounts_overdue', words: 'the accounts that were due on' },
  {
    column: 'confirmation_next_due',
    signalType: 'confirmation_overdue',
    words: 'the confirmation statement that was due on',
  },
]

async function raiseAll(app: App, owed: Owed, dueOn: string, at: Date): Promise<number> {
  let raised = 0
  let after = ''
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const due = await listDueCompanies(app.db, { column: owed.column, on: dueOn, after, limit: BATCH_COMPANIES })
    const signals = due.map((company) => toSignal(owed, dueOn, company))
    raised += (await app.db.transaction((tx) => raiseSignals(app, tx, signals, at))).length
    const last = due.at(-1)
    if (due.length < BATCH_COMPANIES || !last) return raised
    after = last.number
  }
  throw new Error(`more companies are due on ${dueOn} than a sweep can take`)
}

function toSignal(
  { signalType, words }: Owed,
  dueOn: string,
  { number, name }: { number: string; name: string },
): NewSignal {
  return {
    companyNumber: number,
    companyName: name,
    signalType,
    severity: 'warning',
    summary: `${name} has not filed ${words} ${formatDay(dueOn)}.`,
    occurredOn: addDaysToDate(dueOn, 1),
    changes: [{ field: signalType, from: false, to: true }],
    sourceKind: 'sweep',
    sourceReference: dueOn,
    dedupe: keyOfFact(dueOn),
  }
}
