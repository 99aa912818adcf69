import type { App } from '../../app.ts'
import { addDaysToDate } from '../../lib/clock.ts'
import { formatDay } from '../../lib/text/wording.ts'
import { isOverseasEntity, listDueCompanies } from '../../register/index.ts'
import { type NewSignal, raiseSignals } from '../raise.ts'
import { keyOfFact } from './detected-signal.ts'
import { sweepDays } from './sweep-days.ts'

const BATCH_COMPANIES = 2_000
const BATCHES_MAX = 5_000

/** Raises a signal for accounts and confirmation statements whose due date has passed. Returns the number of signals. */
export async function sweepOverdue(app: App): Promise<number> {
  return sweepDays(app, 'overdue', async (dueOn, { at }) => {
    let raised = 0
    for (const owed of OWED) raised += await raiseAll(app, owed, dueOn, at)
    return raised
  })
}

interface Owed {
  column: 'accounts_next_due' | 'confirmation_next_due'
  signalType: 'accounts_overdue' | 'confirmation_overdue'
  words: string
  /** Where an overseas entity owes something else by the same date. */
  wordsOverseas?: string
}

const OWED: readonly Owed[] = [
  { column: 'accounts_next_due', signalType: 'accounts_overdue', words: 'the accounts that were due on' },
  {
    column: 'confirmation_next_due',
    signalType: 'confirmation_overdue',
    words: 'the confirmation statement that was due on',
    wordsOverseas: 'the yearly update statement that was due on',
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
  { signalType, words, wordsOverseas = words }: Owed,
  dueOn: string,
  { number, name }: { number: string; name: string },
): NewSignal {
  return {
    companyNumber: number,
    companyName: name,
    signalType,
    severity: 'warning',
    summary: `${name} has not filed ${isOverseasEntity(number) ? wordsOverseas : words} ${formatDay(dueOn)}.`,
    occurredOn: addDaysToDate(dueOn, 1),
    changes: [{ field: signalType, from: false, to: true }],
    sourceKind: 'sweep',
    sourceReference: dueOn,
    dedupe: keyOfFact(dueOn),
  }
}
