import type { App } from '../app.ts'
import { getBalance } from '../credits/index.ts'
import { type Db, onlyRow } from '../lib/db/db.ts'
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

/** `free`: known, and no match: no credit has to be held. */
async function countKnown(
  db: Db,
  ask: { accountId: string; domains: string[]; at: Date },
): Promise<{ known: number; paid: number; free: number }> {
  const rows = await db.query<{ known: number; paid: number; free: number }>(
    `select count(*) filter (where outcome is not null) as known, count(*) filter (where is_paid) as paid,
       count(*) filter (where outcome <> 'matched' and not is_paid) as free
     from (
       select known.outcome, exists (
           select from paid_subject paid where paid.account_id = $1 and paid.kind = 'domain'
             and paid.subject = wanted.domain and paid.paid_until > $3
         ) or exists (
           select from paid_fact fact where fact.account_id = $1 and fact.domain = wanted.domain
             and fact.company_number = known.company_number and fact.paid_until > $3
         ) as is_paid
       from unnest($2::text[]) wanted (domain)
       left join known_domain known on known.domain = wanted.domain and known.expires_at > $3
     ) one`,
    [ask.accountId, ask.domains, ask.at],
  )
  return onlyRow(rows)
}
