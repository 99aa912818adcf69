/** The companies that have one owner: by the owner's number and name, or by what names an owner outside the register. */
import type { Db } from '../../lib/db/db.ts'
import { describeStatus, OFF_REGISTER } from '../vocabulary.ts'
import { CONTROLS, type Control } from './control.ts'

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
  statusText: string | null
  control: Control | null
  notifiedOn: string | null
}

export interface OwnedPage {
  companies: OwnedCompany[]
  total: number
  nextCursor: string | null
}

interface OwnedRow {
  number: string
  name: string
  status: string
  status_detail: string | null
  control: Control | null
  notified_on: string | null
}

/** Lists live companies by their numbers. A company with two records of the same owner comes once, with the stronger control. */
export async function findOwnedBy(db: Db, owner: OwnerIdentity, request: OwnedRequest): Promise<OwnedPage> {
  const identity = owner.companyNumber === null ? byKey(owner) : byNumber(owner)
  const values = [...identity.values, request.except, request.controls ?? CONTROLS, OFF_REGISTER]
  const owned = `from (${identity.records}) p join company c on c.number = p.company_number
    where p.company_number <> $3 and c.status <> all ($5) and (p.control is null or p.control = any ($4))`
  const [{ total } = { total: 0 }] = await db.query<{ total: number }>(
    `select count(distinct p.company_number)::int as total ${owned}`,
    values,
  )
  // Two records of one company may be on the border of a page, so one page more than asked for is read.
  const rows = await db.query<OwnedRow>(
    `select c.number, c.name, c.status, c.status_detail, p.control, p.notified_on ${owned} and p.company_number > $6
     order by p.company_number limit $7`,
    [...values, request.after ?? '', request.limit * 2],
  )
  const companies = new Map<string, OwnedRow>()
  for (const row of rows) {
    const known = companies.get(row.number)
    if (!known || rank(row.control) < rank(known.control)) companies.set(row.number, row)
  }
  const page = [...companies.values()].slice(0, request.limit)
  const hasMore = companies.size > request.limit || rows.length === request.limit * 2
  return { companies: page.map(toOwned), total, nextCursor: hasMore ? (page.at(-1)?.number ?? null) : null }
}

const RECORD = 'company_number, control, notified_on'
const IN_FORCE = 'not is_ceased and not is_deleted'

function byNumber({ companyNumber, nameKeys }: OwnerIdentity) {
  const records = `select ${RECORD} from psc where owner_number = $1 and name_key = any ($2) and ${IN_FORCE}
    union all
    select ${RECORD} from psc where owner_number_other = $1 and name_key = any ($2) and ${IN_FORCE}`
  return { records, values: [companyNumber, nameKeys] }
}

function byKey({ ownerKey }: OwnerIdentity) {
  // The second parameter keeps both statements alike.
  const records = `select ${RECORD} from psc where owner_key = $1 and $2::text[] is not null and ${IN_FORCE}`
  return { records, values: [ownerKey, []] }
}

function rank(control: Control | null): number {
  return control === null ? CONTROLS.length : CONTROLS.indexOf(control)
}

function toOwned({ number, name, status, status_detail: statusDetail, control, notified_on: notifiedOn }: OwnedRow) {
  return {
    companyNumber: number,
    companyName: name,
    statusText: describeStatus({ status, statusDetail }),
    control,
    notifiedOn,
  }
}
