/** How companies that may be meant by one site belong together, in sentences: parent and subsidiary, or sisters. */
import type { Db } from '../../lib/db/db.ts'
import type { Company } from '../company.ts'
import { type GroupOwner, listOwnersInForce } from './owners-in-force.ts'

const COMPANIES_MAX = 10

type Named = Pick<Company, 'number' | 'name'>

/** Each pair comes once. Empty when none belong together, and when owners are not known. */
export async function describeKinship(db: Db, companies: readonly Named[]): Promise<string[]> {
  if (companies.length < 2) return []
  const known = companies.slice(0, COMPANIES_MAX)
  const parents = new Map<string, GroupOwner[]>()
  for (const { number } of known) {
    const owners = await listOwnersInForce(db, number)
    parents.set(
      number,
      owners.filter(({ kind, control }) => control === 'parent' && (kind === 'company' || kind === 'organisation')),
    )
  }
  return known.flatMap((one, index) =>
    known.slice(index + 1).flatMap((other) => describePair(one, other, parents) ?? []),
  )
}

function describePair(one: Named, other: Named, parents: ReadonlyMap<string, GroupOwner[]>): string | null {
  const ofOne = parents.get(one.number) ?? []
  const ofOther = parents.get(other.number) ?? []
  if (ofOne.some(({ companyNumber }) => companyNumber === other.number))
    return `${show(other)} is the parent of ${show(one)}.`
  if (ofOther.some(({ companyNumber }) => companyNumber === one.number))
    return `${show(one)} is the parent of ${show(other)}.`
  const keys = new Set(ofOther.flatMap((owner) => keyOf(owner) ?? []))
  const shared = ofOne.find((owner) => keys.has(keyOf(owner) ?? ''))
  return shared ? `${show(one)} and ${show(other)} are sister companies with the same parent, ${shared.name}.` : null
}

const keyOf = ({ companyNumber, ownerKey }: GroupOwner) => companyNumber ?? ownerKey
const show = ({ name, number }: Named) => `${name} (${number})`
