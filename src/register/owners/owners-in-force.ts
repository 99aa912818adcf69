/** The owners that a company has now, with the companies among them. */
import type { Db } from '../../lib/db/db.ts'
import type { LooseRecord } from '../../lib/text/loose-json.ts'
import { personOf } from '../people/redact.ts'
import { findWithheld } from '../people/withheld.ts'
import { isOrganisation, isPerson, isProtected } from '../pscs/psc-row.ts'
import { isOffRegister } from '../vocabulary.ts'
import { type Control, deriveControl, listMajorities, type MajorityRight } from './control.ts'
import { parseIdentification } from './owner-number.ts'

/** More owners than any company has in force. */
const OWNERS_MAX = 200

export const OWNER_KINDS = ['company', 'organisation', 'person', 'protected_person'] as const

/** An owner as a node of a group. */
export interface GroupOwner {
  kind: (typeof OWNER_KINDS)[number]
  /** Set for a company on the UK register whose name agrees. */
  companyNumber: string | null
  name: string | null
  status: string | null
  statusDetail: string | null
  isOffRegister: boolean
  /** As the record states them; both are shown where they name no company that we know. */
  countryRegistered: string | null
  registrationNumber: string | null
  control: Control | null
  /** The rights of which it has more than half. */
  majorities: MajorityRight[]
  /** Another owner claims the majority of the same right, so a record is wrong or out of date. */
  isMajorityClaimedTwice: boolean
  notifiedOn: string | null
  /** Identifies an organisation outside the register. */
  ownerKey: string | null
  /** The names that the company had or has, as search compares them. */
  nameKeys: string[]
}

interface OwnerRow {
  kind: string
  name: string | null
  birth_year: number | null
  birth_month: number | null
  natures_of_control: string[]
  notified_on: string | null
  identification: LooseRecord | null
  owner_key: string | null
  company_number: string | null
  company_name: string | null
  status: string | null
  status_detail: string | null
  name_keys: string[] | null
}

/** Lists the owners. A company cannot own itself: a record that repeats the company's own number is left out. */
export async function listOwnersInForce(db: Db, companyNumber: string): Promise<GroupOwner[]> {
  const rows = await db.query<OwnerRow>(
    `select p.kind, p.name, p.birth_year, p.birth_month, p.natures_of_control, p.notified_on, p.identification, p.owner_key,
       c.number as company_number, c.name as company_name, c.status, c.status_detail,
       array_prepend(c.name_key, coalesce(c.previous_name_keys, '{}')) as name_keys
     from psc p
     left join lateral (
       select * from company
       where number in (p.owner_number, p.owner_number_other)
         and (name_key = p.name_key or p.name_key = any (previous_name_keys))
       order by number = p.owner_number desc limit 1
     ) c on true
     where p.company_number = $1 and not p.is_ceased and not p.is_deleted and c.number is distinct from $1
     order by p.notified_on, p.psc_id limit ${OWNERS_MAX}`,
    [companyNumber],
  )
  const owners = rows.filter(({ kind }) => isPerson(kind))
  const people = owners.flatMap((row) =>
    personOf({ ...row, company_number: companyNumber }).map((each) => ({ ...each, row })),
  )
  for (const { row } of people.length > 0 ? await findWithheld(db, people) : []) row.name = null
  return markClaims(owners.map(toOwner))
}

/**
 * People who hold a majority together are each on record with it, so they alone are no contradiction. Nor are a majority of the
 * shares, one of the votes and the right to appoint the board in different hands.
 */
function markClaims(owners: readonly GroupOwner[]): GroupOwner[] {
  const isClaimedTwice = (right: MajorityRight) => {
    const claims = onePerIdentity(owners.filter(({ majorities }) => majorities.includes(right)))
    return claims.length > 1 && claims.some(isOrganisationNode)
  }
  return owners.map((owner) => ({ ...owner, isMajorityClaimedTwice: owner.majorities.some(isClaimedTwice) }))
}

/**
 * Returns the organisations that are on record as a parent, each once. Of more than one, none is followed. One is followed also
 * where a person has as much.
 */
export function listMajorityClaims(owners: readonly GroupOwner[]): GroupOwner[] {
  return onePerIdentity(owners.filter((owner) => isOrganisationNode(owner) && owner.control === 'parent'))
}

/**
 * Returns the organisation that alone has a share of an overseas entity, of which only that it is more than a quarter is
 * stated: it may have the majority. Null where another owner has a share too, or one whose control is not known.
 */
export function findLikelyParent(owners: readonly GroupOwner[]): GroupOwner | null {
  const [likely, ...others] = onePerIdentity(owners.filter(({ control }) => control !== 'holder'))
  if (!likely || others.length > 0 || likely.control !== 'more_than_quarter') return null
  return isOrganisationNode(likely) ? likely : null
}

const isOrganisationNode = ({ kind }: GroupOwner) => kind === 'company' || kind === 'organisation'

type Identified = Pick<GroupOwner, 'companyNumber' | 'ownerKey' | 'registrationNumber' | 'name'>

/** Returns each owner once: the same owner may have been notified twice. */
export function onePerIdentity<Owner extends Identified>(owners: readonly Owner[]): Owner[] {
  const byIdentity = new Map(
    owners.map((owner) => [
      owner.companyNumber ?? owner.ownerKey ?? `${owner.registrationNumber} ${owner.name}`,
      owner,
    ]),
  )
  return [...byIdentity.values()]
}

function toOwner(row: OwnerRow): GroupOwner {
  const { country_registered, registration_number } = parseIdentification(row.identification ?? {})
  const isCompany = row.company_number !== null && row.status !== null
  return {
    kind: isCompany ? 'company' : kindOf(row.kind),
    companyNumber: row.company_number,
    name: row.company_name ?? row.name,
    status: isCompany ? row.status : null,
    statusDetail: isCompany ? row.status_detail : null,
    isOffRegister: isCompany && isOffRegister(row.status ?? ''),
    countryRegistered: country_registered,
    registrationNumber: registration_number,
    control: deriveControl(row.natures_of_control),
    majorities: listMajorities(row.natures_of_control),
    isMajorityClaimedTwice: false,
    notifiedOn: row.notified_on,
    ownerKey: row.owner_key,
    nameKeys: isCompany ? (row.name_keys ?? []) : [],
  }
}

function kindOf(kind: string): GroupOwner['kind'] {
  if (isProtected(kind)) return 'protected_person'
  return isOrganisation(kind) ? 'organisation' : 'person'
}
