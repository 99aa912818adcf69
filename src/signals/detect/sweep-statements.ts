/** Statements about owners that were meant to be for a while, and are still in force after three months. */
import type { App } from '../../app.ts'
import { addDaysToDate } from '../../lib/clock.ts'
import { formatDay } from '../../lib/text/wording.ts'
import { type CompanyWithUnresolvedStatements, describeCode, listUnresolvedStatements } from '../../register/index.ts'
import type { NewSignal } from '../raise.ts'
import { keyOfFact } from './detected-signal.ts'
import type { Due } from './identity.ts'
import { raiseFrom } from './sweep-companies.ts'
import { sweepDays } from './sweep-days.ts'

const DAYS = 90

const raiseUnresolved = raiseFrom({
  list: (db, { dueOn, after, limit }) => listUnresolvedStatements(db, { madeOn: madeOnOf(dueOn), after, limit }),
  detect: detectUnresolved,
})

/** Raises a signal for each statement that is still in force 90 days after its date. Returns the number of signals. */
export async function sweepStatements(app: App): Promise<number> {
  return sweepDays(app, 'statements', (dueOn, { at, today }) => raiseUnresolved(app, { dueOn, today }, at))
}

function madeOnOf(dueOn: string): string {
  return addDaysToDate(dueOn, -DAYS)
}

function detectUnresolved(
  { number, name, statements }: CompanyWithUnresolvedStatements,
  { dueOn }: Pick<Due, 'dueOn'>,
): NewSignal[] {
  return statements.map(({ id, code }) => ({
    companyNumber: number,
    companyName: name,
    signalType: 'psc_statement_unresolved',
    severity: 'notice',
    summary: `A statement of ${name} about its owners has been in force since ${formatDay(madeOnOf(dueOn))}: ${describeCode('psc_statement', code)}.`,
    occurredOn: dueOn,
    changes: [{ field: 'psc_statement_unresolved', from: false, to: true }],
    sourceKind: 'sweep',
    sourceReference: dueOn,
    dedupe: keyOfFact(dueOn, id),
  }))
}
