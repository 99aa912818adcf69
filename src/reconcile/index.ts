/**
 * Names to companies: which company of the register a typed name means, with what else is known of it.
 *
 * Promises: the same question has the same candidates for a spreadsheet, a program and a bulk job; a match that no person
 * checks rests on the whole name or on the name and the postcode together.
 * Never does: choose between companies that fit equally, or match by a name that a company had before.
 */
export {
  type Found,
  isPrevious,
  type RankedCandidate,
  type ReconcileQuery,
} from './candidates.ts'
export { findLegalForm } from './legal-form.ts'
export { matchByName, NAME_ROWS_MAX, type NameMatch, type NameRow } from './match-by-name.ts'
export { COMPANY, COMPANY_TYPES, listTypes, PROPERTIES, type Property } from './properties.ts'
export { reconcile, suggestCompanies } from './search.ts'
