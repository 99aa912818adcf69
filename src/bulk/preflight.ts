import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import { countKnown } from '../resolution/index.ts'
import { type ClassifiedRow, classifyRows } from './classify-rows.ts'
import { noRows, ROWS_MAX, tooManyRows } from './limits.ts'

/** The rows and the cost of a bulk job before it starts. */
export interface Preflight {
  rows: ClassifiedRow[]
  /** Each registrable domain once. */
  domains: string[]
  duplicates: number
  invalid: number
  freeMail: number
  /** Domains with a known answer. */
  alreadyKnown: number
  /** Free of charge: the account has paid for them in the last 30 days. */
  alreadyPaid: number
  creditsMax: number
  creditsAvailable: number
}

export async function readPreflight(
  app: App,
  ask: { accountId: string; inputs: readonly string[] },
): Promise<Preflight> {
  if (ask.inputs.length > ROWS_MAX) throw tooManyRows(ask.inputs.length)
  if (ask.inputs.length === 0) throw noRows()
  const rows = classifyRows(ask.inputs)
  const domains = rows.flatMap((row) => (row.state === 'waiting' ? [row.domain] : []))
  const { known, paid, free } = await countKnown(app.db, { ...ask, domains, at: app.clock.now() })
  const refused = rows.filter((row) => row.state === 'invalid')
  const freeMail = refused.filter(({ isFreeMail }) => isFreeMail).length
  return {
    rows,
    domains,
    duplicates: rows.length - domains.length - refused.length,
    invalid: refused.length - freeMail,
    freeMail,
    alreadyKnown: known,
    alreadyPaid: paid,
    creditsMax: domains.length - paid - free,
    creditsAvailable: (await getBalance(app.db, ask.accountId)).available,
  }
}
