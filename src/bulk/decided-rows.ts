/** Decisions of the account on rows that need review: they count wherever the rows are read, and can be withdrawn. */
import { joinOwnDecision, OWN_COMPANY } from '../decisions/index.ts'

/** SQL that joins the account's decision on the domain of a row, where the row needs review. Needs `bulk` and `bulk_row`. */
export const JOIN_DECISION = joinOwnDecision({
  account: 'bulk.account_id',
  domain: "(case when bulk_row.state = 'needs_review' then bulk_row.domain end)",
  company: 'bulk_row.company_number',
})

const IS_DECIDED = "bulk_row.state = 'needs_review' and own_item.override_id is not null"

/** SQL for the state that counts now: a row that was decided is matched, or none of its candidates is. */
export const STATE_NOW = `case when ${IS_DECIDED} then case when own.company_number is null then 'no_match' else 'matched' end
  when bulk_row.state = 'needs_review' and bulk_row.decision is not null
    then case when bulk_row.decision->>'companyNumber' is null then 'no_match' else 'matched' end
  else bulk_row.state end`

/** SQL for the company that counts now. */
export const COMPANY_NOW = `(case when ${IS_DECIDED} then ${OWN_COMPANY}
  when bulk_row.state = 'needs_review' and bulk_row.decision is not null then bulk_row.decision->>'companyNumber'
  else bulk_row.company_number end)`

/** SQL for the name of that company: as stored with the row, or the register's for one that a person chose. */
export const COMPANY_NAME_NOW = `(case when ${COMPANY_NOW} is not distinct from bulk_row.company_number then bulk_row.company_name
  else (select company.name from company where company.number = ${COMPANY_NOW}) end)`

/** SQL for the decision itself: of a review for a domain, of the row for a name. */
export const DECISION_NOW = `case when ${IS_DECIDED} then jsonb_build_object('action', own.action, 'companyNumber', own.company_number,
    'by', own.reviewer, 'reason', own.reason, 'at', own.decided_at)
  when bulk_row.state = 'needs_review' then bulk_row.decision end`
