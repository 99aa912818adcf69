/** The list of people whose names are withheld, and the check of records against it. */
import { DomainError } from '../../errors.ts'
import { type Db, onlyRow, type Tx } from '../../lib/db/db.ts'
import { newId } from '../../lib/ids.ts'
import {
  type BirthMonth,
  keyByBirth,
  keyInCompany,
  type PersonOfCompany,
  toPersonKey,
  toWithheldKeys,
} from './person-key.ts'
import { queueRemovals } from './removals.ts'

const HASH = `sha256(convert_to((select salt from withheld_salt) || key, 'UTF8'))`

/** Returns those of the people whose names are withheld. */
export async function findWithheld<Person extends PersonOfCompany>(
  db: Db,
  people: readonly Person[],
): Promise<Set<Person>> {
  const keys: string[] = []
  const owners: Person[] = []
  for (const person of people) {
    for (const key of toWithheldKeys(person)) {
      keys.push(key)
      owners.push(person)
    }
  }
  if (keys.length === 0) return new Set()
  const rows = await db.query<{ index: number }>(
    `select asked.index::integer from unnest($1::text[]) with ordinality as asked (key, index)
     where exists (select from withheld_person) and ${HASH} in (select key_hash from withheld_person)`,
    [keys],
  )
  return new Set(rows.flatMap(({ index }) => owners[index - 1] ?? []))
}

export interface WithheldRequest {
  name: string
  birth: BirthMonth | null
  companyNumber: string | null
  /** The operator's number for the request. */
  reference: string
}

export interface WithheldEntry {
  personId: string
  reference: string
  /** The companies in which the person was found or named. */
  companies: number
  withheldAt: Date
}

/** Adds a person to the list. The same person again keeps the number that it has. */
export async function addWithheld(tx: Tx, request: WithheldRequest, at: Date): Promise<string> {
  const key = toPersonKey(request.name)
  if (key === '' || (request.birth === null && request.companyNumber === null)) {
    throw new DomainError('invalid_request', 'Give the name and the month of birth, or the name and a company number.')
  }
  const { birth, companyNumber, reference } = request
  const scopes: Scope[] = [
    ...(birth ? [{ key: keyByBirth(key, birth), birth, companyNumber: null }] : []),
    ...(companyNumber ? [{ key: keyInCompany(key, companyNumber), birth: null, companyNumber }] : []),
  ]
  const [known] = await tx.query<{ personId: string }>(
    `select person_id as "personId" from withheld_person
     where key_hash in (select ${HASH} from unnest($1::text[]) as asked (key)) limit 1`,
    [scopes.map((scope) => scope.key)],
  )
  const personId = known?.personId ?? newId('wpn')
  await insertKeys(tx, scopes, { personId, reference, at })
  return personId
}

/**
 * Finds those of the people whose names are withheld, for a write: their companies are added to the list, so that records
 * without a month of birth are recognised too. Earlier signals lose a name that was stored, or is new in its company.
 */
export async function recordWithheld<Person extends PersonOfCompany>(
  tx: Tx,
  people: readonly Person[],
  from: 'incoming' | 'stored',
): Promise<Set<Person>> {
  const found = await findWithheld(tx, people)
  const added = await addCompanies(tx, [...found])
  await queueRemovals(tx, from === 'stored' ? [...found] : added, 'withheld')
  return found
}

/** Returns those whose company is new. */
async function addCompanies(tx: Tx, found: readonly PersonOfCompany[]): Promise<PersonOfCompany[]> {
  const added: PersonOfCompany[] = []
  for (const person of found) {
    if (!person.birth) continue
    const { companyNumber } = person
    const key = toPersonKey(person.name)
    const [entry] = await tx.query<{ personId: string; reference: string; at: Date }>(
      `select person_id as "personId", reference, withheld_at as at
       from withheld_person, unnest(array[$1]) as asked (key) where key_hash = ${HASH}`,
      [keyByBirth(key, person.birth)],
    )
    if (!entry) continue
    const scope = { key: keyInCompany(key, companyNumber), birth: null, companyNumber }
    if ((await insertKeys(tx, [scope], entry)) > 0) added.push(person)
  }
  return added
}

interface Scope {
  key: string
  birth: BirthMonth | null
  companyNumber: string | null
}

async function insertKeys(
  tx: Tx,
  scopes: readonly Scope[],
  { personId, reference, at }: { personId: string; reference: string; at: Date },
): Promise<number> {
  const rows = await tx.query(
    `insert into withheld_person (key_hash, person_id, birth_year, birth_month, company_number, reference, withheld_at)
     select ${HASH}, $1, year, month, company_number, $2, $3
     from unnest($4::text[], $5::smallint[], $6::smallint[], $7::text[]) as scope (key, year, month, company_number)
     on conflict (key_hash) do nothing returning 1`,
    [
      personId,
      reference,
      at,
      scopes.map(({ key }) => key),
      scopes.map(({ birth }) => birth?.year ?? null),
      scopes.map(({ birth }) => birth?.month ?? null),
      scopes.map(({ companyNumber }) => companyNumber),
    ],
  )
  return rows.length
}

const LISTED_MAX = 1_000

export async function listWithheld(db: Db): Promise<WithheldEntry[]> {
  return db.query<WithheldEntry>(
    `select person_id as "personId", min(reference) as reference, count(company_number)::integer as companies,
       min(withheld_at) as "withheldAt"
     from withheld_person group by person_id order by min(withheld_at) desc, person_id limit ${LISTED_MAX}`,
  )
}

/**
 * Takes a person off the list. Names that were removed come back when the register sends or publishes them again; for the
 * parts that REST gave, that is the next request for the company.
 */
export async function releaseWithheld(tx: Tx, personId: string): Promise<boolean> {
  const { companies } = onlyRow(
    await tx.query<{ companies: string[] | null }>(
      `with gone as (delete from withheld_person where person_id = $1 returning company_number)
       select array_agg(coalesce(company_number, '')) as companies from gone`,
      [personId],
    ),
  )
  if (companies === null) return false
  await tx.query(
    `delete from company_part
     where kind in ('officer', 'owner', 'filing', 'charge', 'insolvency') and company_number = any ($1)`,
    [companies],
  )
  // The next file writes rows again that have no hash.
  await tx.query(`update psc set row_hash = null where company_number = any ($1) and name is null`, [companies])
  return true
}
