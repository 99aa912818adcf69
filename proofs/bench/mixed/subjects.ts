/** What requests are about: customers, domains with and without an answer, companies, names as people type them. */

import type { OpenedAccount } from '../../../rig/accounts.ts'
import { makeSite } from '../../../rig/made-up-sites.ts'
import { Dice } from '../../../rig/synthetic-register/names.ts'
import { syntheticCompanies } from '../../../rig/synthetic-register/rows.ts'
import { KINDS, queryFor } from '../search-queries.ts'

export interface Subjects {
  accounts: readonly OpenedAccount[]
  /** All have the same. */
  password: string
  knownDomains: readonly string[]
  /** Of the synthetic register. */
  companyNumbers: readonly string[]
  typedNames: readonly string[]
  /** A domain that nobody has asked for yet. */
  takeNewDomain(): string
  /** Of the latest, some are done and some are under way. */
  jobIds: string[]
  /** What was put on a watchlist and not yet taken off. */
  watches: Array<{ account: OpenedAccount; companyNumber: string }>
}

const SUBJECTS_MAX = 2_000

/** Companies and names from all over the register. */
export function drawFromRegister(rows: number): Pick<Subjects, 'companyNumbers' | 'typedNames'> {
  const stride = Math.max(1, Math.floor(rows / SUBJECTS_MAX))
  const companyNumbers: string[] = []
  const typedNames: string[] = []
  let index = 0
  for (const { number, name } of syntheticCompanies(rows)) {
    index += 1
    if (index % stride !== 0) continue
    companyNumbers.push(number)
    const kind = KINDS[companyNumbers.length % KINDS.length] ?? 'exact'
    const query = queryFor(kind, name, new Dice(3, index))
    if (query) typedNames.push(query.typed)
  }
  return { companyNumbers, typedNames }
}

/** The domains of the made-up sites from the place `first` on. */
export function newDomains(first: number, last: number): () => string {
  let place = first
  return () => {
    if (place >= last) throw new Error(`all of ${last - first} new domains have been asked for`)
    place += 1
    return makeSite(place - 1).domain
  }
}
