/** Names to companies: which company of the register a row of a list means. */
export { matchByName, NAME_ROWS_MAX, type NameMatch, type NameRow } from './match-by-name.ts'
