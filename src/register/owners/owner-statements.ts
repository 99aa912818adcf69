/** The reason that a company gives for naming no owner: that it need not, that there is none, or that it does not know. */
import type { Db } from '../../lib/db/db.ts'
import type { LooseRecord } from '../../lib/text/loose-json.ts'
import { type OwnerStatement, parseStatements } from '../details/part-items.ts'

/** More statements than any company has in force. */
const STATEMENTS_MAX = 50

export interface StatedOwners {
  kind: 'exempt' | 'stated'
  text: string
}

/** These say what happened in a period, or that all owners are named: no reason why none is on record. */
const NO_REASON = /-relevant-period$|-become-or-ceased-|^all-beneficial-owners-identified$/

/** Returns the newest reason in force why a company without owners has none, an exemption first; null without one. */
export async function findStatedOwners(db: Db, companyNumber: string): Promise<StatedOwners | null> {
  const rows = await db.query<LooseRecord>(
    `select statement, exemptions, notified_on from psc
     where company_number = $1 and not is_ceased and not is_deleted and (statement is not null or exemptions is not null)
     order by notified_on desc nulls last, psc_id limit ${STATEMENTS_MAX}`,
    [companyNumber],
  )
  const exempt = inForce(rows.filter(({ statement }) => statement === null))[0]
  if (exempt) return { kind: 'exempt', text: exempt.statement_text }
  const stated = inForce(rows).find(({ statement }) => !NO_REASON.test(statement))
  return stated ? { kind: 'stated', text: stated.statement_text } : null
}

function inForce(rows: readonly LooseRecord[]): OwnerStatement[] {
  return rows.flatMap(parseStatements).filter(({ ceased_on: until }) => until === null)
}
