import type { App } from '../../app.ts'
import { listLateOfficers, listLateOwners } from '../../register/index.ts'
import { detectLateDirectors, detectLateOwners, QUIET_FOR_IDENTITY } from './identity.ts'
import { type Raise, raiseFrom } from './sweep-companies.ts'
import { sweepDays } from './sweep-days.ts'

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
    QUIET_FOR_IDENTITY,
  )
}
