/** The check before a kept response is sent again: is the answer the same, and has the account paid for it? */
import type { App } from '../../app.ts'
import { availableSql } from '../../credits/index.ts'
import { joinOwnDecision } from '../../decisions/index.ts'
import type { Db } from '../../lib/db/db.ts'
import { companyVersionsSql } from '../../register/index.ts'
import { isEnteredSql, isPaidSql } from '../money/payments.ts'
import { type AnswerStamp, acceptsSql, isDueSql, type ReaderChoice, seenSql } from './known.ts'

interface RepeatCheck extends Pick<ReaderChoice, 'secondReader'> {
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
  const hasSecondReader = app.config.secondReader !== null
  return app.repeatChecks.add(check, (added) => checkAll(app.db, added as RepeatCheck[], hasSecondReader))
}

async function checkAll(
  db: Db,
  checks: readonly RepeatCheck[],
  hasSecondReader: boolean,
): Promise<Array<number | null>> {
  const rows = await db.query<{ available: number | null }>(hasSecondReader ? CHECK_WITH_READER : CHECK, [
    JSON.stringify(checks),
  ])
  return rows.map(({ available }) => available)
}

const BY = { account: 'repeat.account_id', choice: 'repeat.second_reader' }
const COMPANY = seenSql('company_number', BY)

/**
 * One scalar for each request, so that each is found by its keys however many rows the planner expects. All come in one
 * JSON value: the planner would make a plan of its own for every length of an array, which takes longer than the check.
 */
const toStatement = (hasSecondReader: boolean) => `select (
    select ${availableSql(BY.account)}
    from known_domain k
    ${joinOwnDecision({ account: BY.account, domain: 'k.domain', company: COMPANY })}
    where k.domain = repeat.domain and k.xmin = (stamp->>'knownVersion')::xid and k.expires_at > repeat.at
      and ${seenSql('resolution_id', BY)} = stamp->>'resolutionId' and ${seenSql('outcome', BY)} = 'matched'
      and (stamp->>'showsReading' is null or (stamp->>'showsReading')::boolean = ${acceptsSql(BY)})
      and not ${isDueSql(BY, 'repeat.at', hasSecondReader)}
      and own.id is null and own_item.state is distinct from 'open'
      and ${isPaidSql({ account: BY.account, domain: 'k.domain', company: COMPANY, at: 'repeat.at' })}
      and ${isEnteredSql({ account: BY.account, resolution: `stamp->>'resolutionId'` })}
      and ${companyVersionsSql(`array(select jsonb_array_elements_text(stamp->'companyNumbers'))`)} = stamp->>'companyVersions'
  ) as available
  from rows from (jsonb_to_recordset($1::jsonb) as (domain text, "accountId" text, at timestamptz, "secondReader" boolean,
    stamp jsonb)) with ordinality as repeat (domain, account_id, at, second_reader, stamp, row)
  order by repeat.row`

const CHECK = toStatement(false)
const CHECK_WITH_READER = toStatement(true)
