/** How companies that may be meant by one site belong together, in sentences: parent and subsidiary, or sisters. */
import type { Db } from '../../lib/db/db.ts'
import type { Company } from '../company.ts'
import { type GroupOwner, listMajorityClaims, listOwnersInForce } from './owners-in-force.ts'

const COMPANIES_MAX = 10

type Named = Pick<Company, 'number' | 'name'>

/** Each pair comes once. Empty when none belong together, and when owners are not known. */
export async function describeKinship(db: Db, companies: readonly Named[]): Promise<string[]> {
  if (companies.length < 2) return []
  const known = companies.slice(0, COMPANIES_MAX)
  const parents = new Map<string, GroupOwner>()
  for (const { number } of known) {
    const claims = listMajorityClaims(await listOwnersInForce(db, number))
    const [parent] = claims
    if (parent && claims.length === 1) parents.set(number, parent)
  }
  return known.flatMap((one, index) =>
    known.slice(index + 1).flatMap((other) => describePair(one, other, parents) ?? []),
  )
}

/** A company whose majority several organisations claim has no parent: one of the records is wrong. */
function describePair(one: Named, other: Named, parents: ReadonlyMap<string, GroupOwner>): string | null {
  const [ofOne, ofOther] = [parents.get(one.number), parents.get(other.number)]
  if (ofOne?.companyNumber === other.number) return `${show(other)} is the parent of ${show(one)}.`
  if (ofOther?.companyNumber === one.number) return `${show(one)} is the parent of ${show(other)}.`
  if (!ofOne || !ofOther || keyOf(ofOne) === null || keyOf(ofOne) !== keyOf(ofOther)) return null
  return `${show(one)} and ${show(other)} are sister companies with the same parent, ${ofOne.name}.`
}

const keyOf = ({ companyNumber, ownerKey }: GroupOwner) => companyNumber ?? ownerKey
const show = ({ name, number }: Named) => `${name} (${number})`
