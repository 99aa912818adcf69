import type { App } from '../../app.ts'
import type { Db } from '../../lib/db/db.ts'
import { type NewSignal, raiseSignals } from '../raise.ts'
import type { Due } from './identity.ts'

/** Each with its people, of whom a partnership may have thousands. */
const BATCH_COMPANIES = 500
const BATCHES_MAX = 20_000

/** A day of due dates, a batch of companies after a number. */
interface DuePage extends Due {
  after: string
  limit: number
}

/** A batch of companies by their numbers, fewer than the limit when it is the last, and the signals of each. */
interface LateCompanies<Company extends { number: string }> {
  list: (db: Db, page: DuePage) => Promise<Company[]>
  detect: (company: Company, due: Due) => NewSignal[]
}

/** Returns the number of signals it raised. */
export type Raise = (app: App, due: Due, at: Date) => Promise<number>

/** Raises the signals of all companies of a day, batch by batch. */
export function raiseFrom<Company extends { number: string }>({ list, detect }: LateCompanies<Company>): Raise {
  return async (app, due, at) => {
    let raised = 0
    let after = ''
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      const companies = await list(app.db, { ...due, after, limit: BATCH_COMPANIES })
      const signals = companies.flatMap((company) => detect(company, due))
      raised += (await app.db.transaction((tx) => raiseSignals(app, tx, signals, at))).length
      const last = companies.at(-1)
      if (companies.length < BATCH_COMPANIES || !last) return raised
      after = last.number
    }
    throw new Error(`more companies are due on ${due.dueOn} than a sweep can take`)
  }
}
