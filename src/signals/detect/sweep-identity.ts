import type { App } from '../../app.ts'
import type { Db } from '../../lib/db/db.ts'
import { type DuePage, listLateOfficers, listLateOwners } from '../../register/index.ts'
import { type NewSignal, raiseSignals } from '../raise.ts'
import { type Due, detectLateDirectors, detectLateOwners, isQuietForIdentity } from './identity.ts'
import { sweepDays } from './sweep-days.ts'

/** Each with its officers, of whom a partnership may have thousands. */
const BATCH_COMPANIES = 500
const BATCHES_MAX = 20_000

/** A batch of companies by their numbers, fewer than the limit when it is the last, and the signals of each. */
interface LateCompanies<Company extends { number: string }> {
  list: (db: Db, page: DuePage) => Promise<Company[]>
  detect: (company: Company, due: Due) => NewSignal[]
}

type Raise = (app: App, due: Due, at: Date) => Promise<number>

/** Raises the signals of all companies of a day, batch by batch. */
function raiseFrom<Company extends { number: string }>({ list, detect }: LateCompanies<Company>): Raise {
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
    throw new Error(`more companies have people due on ${due.dueOn} than a sweep can take`)
  }
}

export const raiseLateDirectors: Raise = raiseFrom({ list: listLateOfficers, detect: detectLateDirectors })

export const raiseLateOwners: Raise = raiseFrom({ list: listLateOwners, detect: detectLateOwners })

const SWEPT: readonly Raise[] = [raiseLateDirectors, raiseLateOwners]

/** Raises a signal for everyone whose day to verify their identity has passed. Returns the number of signals. */
export async function sweepIdentity(app: App, swept: readonly Raise[] = SWEPT): Promise<number> {
  return sweepDays(
    app,
    'identity',
    async (dueOn, { at, today }) => {
      let raised = 0
      for (const raise of swept) raised += await raise(app, { dueOn, today }, at)
      return raised
    },
    isQuietForIdentity,
  )
}
