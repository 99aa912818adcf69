/** The subjects of requests: customers, domains with and without an answer, companies, names as people type them. */

import type { OpenedAccount } from '../../../rig/accounts.ts'
import { makeSite } from '../../../rig/made-up-sites.ts'
import { randomOf } from '../../../rig/random.ts'
import { syntheticCompanies } from '../../../rig/synthetic-register/rows.ts'
import { KINDS, queryFor } from '../search.ts'

export interface Subjects {
  accounts: readonly OpenedAccount[]
  /** All have the same. */
  password: string
  knownDomains: readonly string[]
  /** Companies of the synthetic register. */
  companyNumbers: readonly string[]
  typedNames: readonly string[]
  /** Returns a domain that has not been requested yet. */
  takeNewDomain(): string
  /** The latest jobs: some are done and some are under way. */
  jobIds: string[]
  /** Companies that are on a watchlist. */
  watches: Array<{ account: OpenedAccount; companyNumber: string }>
}

const SUBJECTS_MAX = 2_000

/** Returns companies and names from all over the register. */
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
    const query = queryFor(kind, name, randomOf(3, index))
    if (query) typedNames.push(query.typed)
  }
  return { companyNumbers, typedNames }
}

/** Returns the domains of the made-up sites from `first` on, one at each call. */
export function newDomains(first: number, last: number): () => string {
  let next = first
  return () => {
    if (next >= last) throw new Error(`all of ${last - first} new domains have been requested`)
    next += 1
    return makeSite(next - 1).domain
  }
}
