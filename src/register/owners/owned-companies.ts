/** The companies that have one owner: by the owner's number and name, or by what names an owner outside the register. */
import type { Db } from '../../lib/db/db.ts'
import { OFF_REGISTER } from '../vocabulary.ts'
import { CONTROLS, type Control, deriveControl } from './control.ts'

/** An owner as records of its subsidiaries name it. */
export interface OwnerIdentity {
  companyNumber: string | null
  /** The names it had or has. A record with its number and another name is about someone else. */
  nameKeys: readonly string[]
  ownerKey: string | null
}

export interface OwnedRequest {
  limit: number
  /** The number of the last company on the page before; null for the first page. */
  after: string | null
  except: string
  controls?: readonly Control[]
}

export interface OwnedCompany {
  companyNumber: string
  companyName: string
  status: string
  statusDetail: string | null
  control: Control | null
  notifiedOn: string | null
}

export interface OwnedPage {
  companies: OwnedCompany[]
  /** At most `OWNED_COUNT_MAX`. */
  total: number
  nextCursor: string | null
}

/** Without a name: the company is off the register, or not known. */
interface OwnedRow {
  number: string
  name: string | null
  status: string | null
  status_detail: string | null
  natures: string[]
  notified_on: string | null
}

/** Totals are counted up to here: each counted company is looked up, and a group may have thousands. */
export const OWNED_COUNT_MAX = 1_000

/** Lists live companies by their numbers. A company with two records of the same owner comes once, with the stronger control. */
export async function findOwnedBy(db: Db, owner: OwnerIdentity, request: OwnedRequest): Promise<OwnedPage> {
  const owned = ownedBy(owner, request)
  if (!owned) return { companies: [], total: 0, nextCursor: null }
  // Two records of one company may be on the border of a page, and some companies are off the register.
  const window = request.limit * 2
  const [[counted], rows] = await Promise.all([
    db.query<{ total: number }>(
      `select count(*)::int as total from (
         select from (${owned.records('distinct company_number', 'order by company_number')}) p
         join company c on c.number = p.company_number
         where c.status <> all ($5) limit ${OWNED_COUNT_MAX}) as counted`,
      owned.values,
    ),
    db.query<OwnedRow>(
      `select p.company_number as number, c.name, c.status, c.status_detail, p.natures, p.notified_on
       from (${owned.records(RECORD, `and company_number > $6 order by company_number limit ${window}`)}) p
       left join company c on c.number = p.company_number and c.status <> all ($5)
       order by p.company_number limit ${window}`,
      [...owned.values, request.after ?? ''],
    ),
  ])
  return { ...toPage(rows, request.limit, window), total: counted?.total ?? 0 }
}

function toPage(rows: readonly OwnedRow[], limit: number, window: number): Omit<OwnedPage, 'total'> {
  const companies = new Map<string, OwnedRow>()
  let last: string | null = null
  for (const row of rows) {
    if (companies.size === limit && !companies.has(row.number)) return { companies: show(companies), nextCursor: last }
    last = row.number
    const known = companies.get(row.number)
    if (row.name !== null && (!known || rank(row) < rank(known))) companies.set(row.number, row)
  }
  return { companies: show(companies), nextCursor: rows.length === window ? last : null }
}

const show = (companies: ReadonlyMap<string, OwnedRow>) => [...companies.values()].map(toOwned)

const RECORD = 'company_number, natures_of_control as natures, notified_on'
const WANTED = 'not is_ceased and not is_deleted and company_number <> $3'

/** The records of an owner, each branch by an index of its own. Null for an owner that nothing identifies. */
function ownedBy({ companyNumber, nameKeys, ownerKey }: OwnerIdentity, { except, controls }: OwnedRequest) {
  const identity = companyNumber ?? ownerKey
  if (identity === null) return null
  const values = [identity, nameKeys, except, controls ?? null, OFF_REGISTER]
  const branch = (condition: string, columns: string, rest: string) =>
    `(select ${columns} from psc where ${condition} and ${WANTED}
      and ($4::text[] is null or control = any ($4)) ${rest})`
  if (companyNumber === null) {
    // The second parameter is for names, which the key has already.
    const condition = 'owner_key = $1 and $2::text[] is not null'
    return { values, records: (columns: string, rest: string) => branch(condition, columns, rest) }
  }
  const conditions = ['owner_number', 'owner_number_other'].map((column) => `${column} = $1 and name_key = any ($2)`)
  const records = (columns: string, rest: string) =>
    conditions.map((condition) => branch(condition, columns, rest)).join(' union all ')
  return { values, records }
}

function rank({ natures }: OwnedRow): number {
  const control = deriveControl(natures)
  return control === null ? CONTROLS.length : CONTROLS.indexOf(control)
}

function toOwned({ number, name, status, status_detail: statusDetail, natures, notified_on: notifiedOn }: OwnedRow) {
  const control = deriveControl(natures)
  return { companyNumber: number, companyName: name ?? number, status: status ?? '', statusDetail, control, notifiedOn }
}
