/**
 * Which companies the rows of a list mean: a name, with the postcode or the company number that the list has beside it.
 *
 * Promises: the same row has the same verdict and candidates; a match that no person checks rests on a number, on the whole
 * name, or on the name and the postcode together.
 * Never does: choose between companies that fit equally, or match by a name that a company had before.
 */
import type { Db } from '../../lib/db/db.ts'
import { parseCompanyNumber } from '../company.ts'
import { findMeant } from './find-candidates.ts'
import { countInNames } from './find-companies.ts'
import { findLegalForm } from './legal-form.ts'
import { type NameQuery, scoreCandidates } from './name-candidates.ts'
import { toNameKey } from './name-key.ts'
import { decideRow, listCountedWords, type NameMatch } from './name-verdict.ts'

export type { NameCandidate, NameMatch } from './name-verdict.ts'

/** Rows of one call. */
export const NAME_ROWS_MAX = 200
/** Longer than any name of the register. */
const NAME_CHARACTERS_MAX = 200
const POSTCODE_CHARACTERS_MAX = 20

export interface NameRow {
  name: string
  postcode: string | null
  number: string | null
}

/** Returns the verdict on each row, in their order. At most `NAME_ROWS_MAX` rows; one connection for all of them. */
export async function matchByName(db: Db, rows: readonly NameRow[]): Promise<NameMatch[]> {
  if (rows.length > NAME_ROWS_MAX) throw new Error(`at most ${NAME_ROWS_MAX} rows in one call, not ${rows.length}`)
  const queries = rows.map(toQuery)
  const found = await findMeant(db, queries)
  const asked = queries.map((query, index) => ({ query, candidates: scoreCandidates(query, found[index] ?? []) }))
  const words = new Set(asked.flatMap(listCountedWords))
  const counts = words.size === 0 ? new Map() : (await countInNames(db, { words: [...words], postcodes: [] })).words
  return asked.map((one) => decideRow({ ...one, counts }))
}

function toQuery({ name, postcode, number }: NameRow): NameQuery {
  const typed = name.slice(0, NAME_CHARACTERS_MAX)
  const office = postcode?.trim().slice(0, POSTCODE_CHARACTERS_MAX) ?? ''
  return {
    nameKey: toNameKey(typed),
    legalForm: findLegalForm(typed),
    // A cell with `n/a` in it counts as empty.
    number: parseCompanyNumber(number ?? ''),
    postcode: office === '' ? null : office,
  }
}
