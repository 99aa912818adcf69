/** The companies behind corporate owners: a number that the register has, and a name that agrees with it. */
import type { Db } from '../../lib/db/db.ts'
import type { Company } from '../company.ts'
import type { Psc } from '../details/part-items.ts'
import { findCompanies } from '../search/find-companies.ts'
import { toNameKey } from '../search/name-key.ts'
import { readOwnerNumber } from './owner-number.ts'

/** More corporate owners than any company has in force. */
const OWNERS_MAX = 50

/** Returns the company of each owner that is one, by the owner's record. `companyNumber` is the company that they own. */
export async function findOwners(db: Db, owners: readonly Psc[], companyNumber: string): Promise<Map<Psc, Company>> {
  const candidates = new Map<Psc, string[]>()
  for (const owner of owners.slice(0, OWNERS_MAX)) {
    const read = readOwnerNumber(owner.identification)
    // A company cannot own itself: such a record repeats the company's own number.
    if (read.kind === 'uk' || read.kind === 'uncertain')
      candidates.set(
        owner,
        read.candidates.filter((number) => number !== companyNumber),
      )
  }
  const found = await findCompanies(db, [...new Set([...candidates.values()].flat())])
  const byNumber = new Map(found.map((company) => [company.number, company]))
  const matches = new Map<Psc, Company>()
  for (const [owner, numbers] of candidates) {
    const company = numbers.map((number) => byNumber.get(number)).find((each) => each && hasName(each, owner.name))
    if (company) matches.set(owner, company)
  }
  return matches
}

function hasName({ name, previousNames }: Company, written: string | null): boolean {
  if (written === null) return false
  const key = toNameKey(written)
  return [name, ...previousNames.map((previous) => previous.name)].some((each) => toNameKey(each) === key)
}
