/**
 * The group of a company: the owners above it, one after the other while there is exactly one parent or, above an overseas
 * entity, exactly one owner that may be its parent; the companies that it controls, and those that share its parent. Shares are
 * never multiplied down a chain, because they are ranges.
 */
import type { Db } from '../../lib/db/db.ts'
import type { Company } from '../company.ts'
import { ALL_PSCS_CURRENT_UNTIL } from '../pscs/psc-streams.ts'
import { toNameKey } from '../search/name-key.ts'
import { findOwnedBy, type OwnedPage, type OwnedRequest, type OwnerIdentity } from './owned-companies.ts'
import { findStatedOwners } from './owner-statements.ts'
import { findLikelyParent, type GroupOwner, listMajorityClaims, listOwnersInForce } from './owners-in-force.ts'

const DEPTH_MAX = 20

/** Why there is nothing further up. */
export const GROUP_TOPS = [
  /** One or more people have the majority. */
  'people',
  /** The register withholds the details of a person in control. */
  'protected_person',
  /** The last owner is outside the UK register. */
  'outside_register',
  /** The last owner is off the register: its subsidiary's record is out of date. */
  'owner_dissolved',
  /** More than one organisation claims the majority: an error in the records, or one of them is out of date. */
  'several_parents',
  /** Owners have less than a majority each. */
  'no_majority',
  /** Owners of an overseas entity state more than a quarter each, which may be a majority. */
  'majority_not_stated',
  /** The company need not name its owners: its shares are traded on a market. */
  'exempt',
  /** The company names no owner and states why. */
  'stated',
  'no_owner_recorded',
  /** The records lead in a circle. */
  'circle',
  'too_deep',
  /** The file of all owners is not imported. */
  'not_known',
] as const
export type GroupTop = (typeof GROUP_TOPS)[number]

/** Returns why a group ends, in a sentence. */
export function describeTop(top: GroupTop): string {
  return TOP_TEXTS[top]
}

const TOP_TEXTS: Record<GroupTop, string> = {
  people: 'People have the majority.',
  protected_person: 'A person whose details the register protects is in control.',
  outside_register: 'The last owner is not on the UK register, or its number and name agree with no company there.',
  owner_dissolved: 'The last owner is off the register, so the record of its owner is out of date.',
  several_parents: 'More than one organisation claims the majority. Some records may be out of date.',
  no_majority: 'Nobody has more than half.',
  majority_not_stated:
    'Who has more than half is not known: overseas entities state only that an owner has more than a quarter.',
  exempt: 'The company at the top need not name its owners.',
  stated: 'The company at the top names no owner and states why.',
  no_owner_recorded: 'The register has no owner on record.',
  circle: 'The records lead in a circle.',
  too_deep: 'There are more than 20 companies above.',
  not_known: 'The file of all owners is not imported, so the group is not known.',
}

export interface Group {
  /** Nearest first; each is the parent of the one before, or may be: its control says which. */
  ancestors: GroupOwner[]
  top: GroupTop
  /** The last company’s own words about its owners, with `exempt` and `stated`. */
  statementText: string | null
  /** The owners of the company itself, and of the last company above it. */
  owners: GroupOwner[]
  topOwners: GroupOwner[]
  /** Companies whose owner this is. */
  children: OwnedPage
  /** Companies with the same parent; empty where that is not exactly one, or only likely. */
  siblings: OwnedPage
}

interface GroupRequest {
  company: OwnerIdentity & { companyNumber: string }
  children: Omit<OwnedRequest, 'except'>
  siblings: Omit<OwnedRequest, 'except'>
}

/** Returns the group with the moment as of which it is known; null while the file of all owners is not imported. */
export async function readGroupOf(
  db: Db,
  company: Pick<Company, 'number' | 'name' | 'previousNames'>,
  { limit, children, siblings }: { limit: number; children: string | null; siblings: string | null },
): Promise<Group & { asOf: Date | null }> {
  const [known] = await db.query<{ asOf: Date }>(
    `select greatest(as_of::timestamptz, ${ALL_PSCS_CURRENT_UNTIL}) as "asOf"
     from register_snapshot where product = 'pscs' and state = 'finished' order by id desc limit 1`,
  )
  if (!known) {
    const owners = await listOwnersInForce(db, company.number)
    return { owners, ancestors: [], top: 'not_known', ...NO_TOP, children: NONE, siblings: NONE, asOf: null }
  }
  const names = [company.name, ...company.previousNames.map(({ name }) => name)]
  const group = await readGroup(db, {
    company: { companyNumber: company.number, nameKeys: names.map(toNameKey), ownerKey: null },
    children: { limit, after: children },
    siblings: { limit, after: siblings },
  })
  return { ...group, asOf: known.asOf }
}

async function readGroup(db: Db, { company, children, siblings }: GroupRequest): Promise<Group> {
  const owners = await listOwnersInForce(db, company.companyNumber)
  const up = await walkUp(db, company.companyNumber, owners)
  const [parent] = up.ancestors
  const except = company.companyNumber
  const [owned, sisters] = await Promise.all([
    findOwnedBy(db, company, { ...children, except }),
    parent?.control === 'parent' ? findOwnedBy(db, parent, { ...siblings, except, controls: ['parent'] }) : NONE,
  ])
  return { ...up, owners, children: owned, siblings: sisters }
}

const NONE: OwnedPage = { companies: [], total: 0, nextCursor: null }
const NO_TOP = { statementText: null, topOwners: [] }

async function walkUp(
  db: Db,
  companyNumber: string,
  owners: readonly GroupOwner[],
): Promise<Pick<Group, 'ancestors' | 'top' | 'statementText' | 'topOwners'>> {
  const ancestors: GroupOwner[] = []
  const visited = new Set([companyNumber])
  let last = companyNumber
  let current = [...owners]
  while (ancestors.length < DEPTH_MAX) {
    if (current.length === 0) return { ancestors, ...(await withoutOwners(db, last)) }
    const step = nextUp(current)
    if (step.kind === 'end') return { ancestors, top: step.top, statementText: null, topOwners: current }
    const { parent } = step
    if (parent.companyNumber !== null && visited.has(parent.companyNumber)) {
      return { ancestors, top: 'circle', statementText: null, topOwners: current }
    }
    ancestors.push(parent)
    if (parent.companyNumber === null) return { ancestors, top: 'outside_register', ...NO_TOP }
    if (parent.isOffRegister) return { ancestors, top: 'owner_dissolved', ...NO_TOP }
    last = parent.companyNumber
    visited.add(last)
    current = await listOwnersInForce(db, last)
  }
  return { ancestors, top: 'too_deep', statementText: null, topOwners: current }
}

async function withoutOwners(
  db: Db,
  companyNumber: string,
): Promise<Pick<Group, 'top' | 'statementText' | 'topOwners'>> {
  const stated = await findStatedOwners(db, companyNumber)
  return { top: stated?.kind ?? 'no_owner_recorded', statementText: stated?.text ?? null, topOwners: [] }
}

type Step = { kind: 'parent'; parent: GroupOwner } | { kind: 'end'; top: GroupTop }

/** Only organisations are nodes of a group; a person in control ends it. */
function nextUp(owners: readonly GroupOwner[]): Step {
  const claims = listMajorityClaims(owners)
  const [parent] = claims
  if (claims.length > 1) return { kind: 'end', top: 'several_parents' }
  if (parent) return { kind: 'parent', parent }
  if (owners.some(({ kind }) => kind === 'protected_person')) return { kind: 'end', top: 'protected_person' }
  if (owners.some(({ kind, control }) => kind === 'person' && control === 'parent'))
    return { kind: 'end', top: 'people' }
  const likely = findLikelyParent(owners)
  if (likely) return { kind: 'parent', parent: likely }
  if (owners.some(({ control }) => control === 'more_than_quarter')) return { kind: 'end', top: 'majority_not_stated' }
  return { kind: 'end', top: 'no_majority' }
}
