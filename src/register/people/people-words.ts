/** Sentences about records of people, the same on every entry point. */
import type { MissingReason } from '../details/rest-client.ts'
import type { DisqualificationCheck, NotCheckedReason } from './disqualifications.ts'

export const MAY_BE_SEVERAL_PEOPLE =
  'Possibly several people: this is one record of the register, which may mix people of one name. One person may also have other records, so the list may be incomplete.'

const AGREEMENT_IS_NO_PROOF = 'Name and birth month are no proof of identity: compare the order with what you know.'

const REASONS: Record<NotCheckedReason, string> = {
  no_birth_date: 'the register publishes no month and year of birth for this officer, and we never check by name alone',
  no_readable_name: 'we cannot tell forenames and surname of this officer apart',
  no_birth_date_of_order: 'a disqualified person has this name, and the register publishes no date of birth for them',
  not_a_person: 'this officer is a company or firm',
  too_many_namesakes: 'too many disqualified people have this name; search on the register’s own site',
  too_many_results:
    'the register’s search finds more people for this name than we read; search on the register’s own site',
  unreadable_result:
    'a result of the register’s search may be this person, and we cannot read it; search on the register’s own site',
  not_configured: 'this service has no key for the register',
  budget_spent: 'we have reached the register’s request limit; try again later',
  register_unavailable: 'the register does not respond; try again later',
  register_refused: 'the register refused our request',
}

/** Returns why appointments are missing, for the end of a sentence. */
export const describeMissing = (reason: MissingReason): string => REASONS[reason]

/** Returns the result of a check as a sentence. */
export function describeCheck({ result, reason, orders }: Pick<DisqualificationCheck, 'result' | 'reason' | 'orders'>) {
  if (result === 'none_found') return 'The register has no disqualified person of this name and birth month.'
  if (result === 'not_checked') return `Not checked: ${REASONS[reason ?? 'register_unavailable']}.`
  const isInForce = orders.some(({ state }) => state === 'in_force')
  const time = isInForce ? 'with an order in force' : 'whose orders are not in force'
  const rest = reason === null ? '' : ` Other records could not be compared: ${REASONS[reason]}.`
  const who = `a disqualified person of this name and birth month, ${time}`
  if (result === 'found') return `The register has ${who}. ${AGREEMENT_IS_NO_PROOF}${rest}`
  return `The register has ${who}; one of the two records leaves out further forenames. ${AGREEMENT_IS_NO_PROOF}${rest}`
}
