/** The check before a kept response is sent again: is the answer the same, and has the account paid for it? */
import type { App } from '../../app.ts'
import { availableSql } from '../../credits/index.ts'
import { joinOwnDecision } from '../../decisions/index.ts'
import type { Db } from '../../lib/db/db.ts'
import { companyVersionsSql } from '../../register/index.ts'
import { isEnteredSql, isPaidSql } from '../money/payments.ts'
import type { AnswerStamp } from './known.ts'

interface RepeatCheck {
  domain: string
  accountId: string
  stamp: AnswerStamp
  at: Date
}

/**
 * Returns the credits available when `requestDomain` would return the matched answer of this stamp, charge nothing and
 * change nothing; null otherwise. It reads everything in one snapshot, and keeps none of it: a refund, a dispute, a decision
 * or a renamed company is seen by the next request. Requests that come at the same time are checked by one statement.
 */
export function checkRepeat(app: App, check: RepeatCheck): Promise<number | null> {
  return app.repeatChecks.add(check, (added) => checkAll(app.db, added as RepeatCheck[]))
}

async function checkAll(db: Db, checks: readonly RepeatCheck[]): Promise<Array<number | null>> {
  const rows = await db.query<{ available: number | null }>(CHECK, [JSON.stringify(checks)])
  return rows.map(({ available }) => available)
}

/**
 * One scalar for each request, so that each is found by its keys however many rows the planner expects. All come in one
 * JSON value: the planner would make a plan of its own for every length of an array, which takes longer than the check.
 */
const CHECK = `select (
    select ${availableSql('repeat.account_id')}
    from known_domain k
    ${joinOwnDecision({ account: 'repeat.account_id', domain: 'k.domain', company: 'k.company_number' })}
    where k.domain = repeat.domain and k.xmin = (stamp->>'knownVersion')::xid and k.expires_at > repeat.at
      and k.resolution_id = stamp->>'resolutionId' and k.outcome = 'matched'
      and own.id is null and own_item.state is distinct from 'open'
      and ${isPaidSql({ account: 'repeat.account_id', domain: 'k.domain', company: 'k.company_number', at: 'repeat.at' })}
      and ${isEnteredSql({ account: 'repeat.account_id', resolution: `stamp->>'resolutionId'` })}
      and ${companyVersionsSql(`array(select jsonb_array_elements_text(stamp->'companyNumbers'))`)} = stamp->>'companyVersions'
  ) as available
  from rows from (jsonb_to_recordset($1::jsonb) as (domain text, "accountId" text, at timestamptz, stamp jsonb))
    with ordinality as repeat (domain, account_id, at, stamp, row)
  order by repeat.row`
