/**
 * The appointments of one officer in all companies, fetched from the register when someone asks and never stored. The id is
 * of a record, not of a person: the register may have several records of one person.
 */
import { DomainError } from '../../errors.ts'
import type { Db } from '../../lib/db/db.ts'
import { type LooseRecord, toDate, toInteger, toList, toRecord, toText } from '../../lib/text/loose-json.ts'
import { parseCompanyNumber } from '../company.ts'
import { OFFICER_ID, parseBirth, REGISTER_SITE } from '../details/part-items.ts'
import type { LeaseOptions } from '../details/rest-budget.ts'
import { findRestClient, type MissingReason, type RegisterApp, type RestClient } from '../details/rest-client.ts'
import { describeCode, describeStatus } from '../vocabulary.ts'
import { type PersonName, parsePersonName } from './person-name.ts'
import { findWithheld } from './withheld.ts'

/** 200 appointments: more than all but a few agents of formation have. */
export const PAGES_MAX = 4
const COUNT_MAX = 1_000_000

export interface Appointment {
  /** Null where the register's number is none. */
  companyNumber: string | null
  companyName: string | null
  companyStatus: string | null
  companyStatusText: string | null
  role: string | null
  roleText: string | null
  appointedOn: string | null
  /** For appointments from before 1992, whose day the register does not have. */
  appointedBefore: string | null
  resignedOn: string | null
}

export interface MissingPart {
  reason: MissingReason
  retryAt: Date | null
}

export interface OfficerRecord {
  officerId: string
  registerUrl: string
  /** As the register writes it; null when nothing arrived. */
  name: string | null
  /** Null too where the name cannot be taken apart. */
  nameParts: PersonName | null
  dateOfBirth: { month: number | null; year: number } | null
  isCompany: boolean
  /** As many as arrived, as the register orders them: in office first. Null when nothing arrived. */
  appointments: Appointment[] | null
  /** How many the register has. */
  total: number | null
  asOf: Date | null
  /** Why some or all are missing. */
  missing: MissingPart | null
}

export type OfficerOptions = LeaseOptions & { pagesMax?: number }

export function isOfficerId(text: string): boolean {
  return OFFICER_ID.test(text)
}

/** Throws `not_found` when the register has no such officer, or the person is withheld. What cannot be fetched now is missing, with the reason. */
export async function readOfficer(
  app: RegisterApp,
  officerId: string,
  options: OfficerOptions,
): Promise<OfficerRecord> {
  if (!isOfficerId(officerId)) throw unknownOfficer()
  const client = findRestClient(app)
  if (!client) return toOfficer(officerId, [], { asOf: null, missing: { reason: 'not_configured', retryAt: null } })
  const { pagesMax = PAGES_MAX } = options
  const fetches = app.registerFetches as Map<string, Promise<OfficerRecord>>
  // Readers of the same officer at the same time share one fetch.
  const key = `${options.priority} officer ${officerId} ${pagesMax}`
  const fetching =
    fetches.get(key) ??
    fetchOfficer(app, client, officerId, { ...options, pagesMax }).finally(() => fetches.delete(key))
  fetches.set(key, fetching)
  const officer = await fetching
  if (await isWithheld(app.db, officer)) throw withheldOfficer()
  return officer
}

/** True when the person is on the list, by the month of birth or in one of the companies. */
async function isWithheld(db: Db, { name, dateOfBirth, isCompany, appointments }: OfficerRecord): Promise<boolean> {
  if (name === null || isCompany) return false
  const { month = null, year = 0 } = dateOfBirth ?? {}
  const birth = month === null ? null : { year, month }
  const numbers = new Set((appointments ?? []).flatMap(({ companyNumber }) => companyNumber ?? []))
  const people = [...numbers, ''].map((companyNumber) => ({ companyNumber, name, birth }))
  return (await findWithheld(db, people)).size > 0
}

function withheldOfficer(): DomainError {
  return new DomainError('not_found', 'We do not show this person, who objected to it. The public register may.')
}

export function unknownOfficer(): DomainError {
  const message = 'The register has no officer with this id. Take the id from `officer_id` in a company’s profile.'
  return new DomainError('not_found', message)
}

async function fetchOfficer(
  app: RegisterApp,
  client: RestClient,
  officerId: string,
  options: LeaseOptions & { pagesMax: number },
): Promise<OfficerRecord> {
  const asOf = app.clock.now()
  const lease = client.openLease(options)
  const pages: LooseRecord[] = []
  let seen = 0
  for (let page = 0; page < options.pagesMax; page += 1) {
    const answer = await client.fetchAppointments(officerId, seen, lease)
    if (answer.kind === 'missing') {
      const missing = { reason: answer.reason, retryAt: answer.retryAt }
      return toOfficer(officerId, pages, { asOf: pages.length > 0 ? asOf : null, missing })
    }
    if (answer.kind === 'absent' && page === 0) throw unknownOfficer()
    const list = toRecord(answer.kind === 'found' ? answer.value : null)
    pages.push(list)
    const received = toList(list['items']).length
    seen += received
    if (received === 0 || seen >= (readTotal(list) ?? seen)) break
  }
  return toOfficer(officerId, pages, { asOf, missing: null })
}

const readTotal = (list: LooseRecord) => toInteger(list['total_results'], { max: COUNT_MAX })

/** Every record of an officer that leaves this file is made here. */
function toOfficer(
  officerId: string,
  pages: readonly LooseRecord[],
  { asOf, missing }: Pick<OfficerRecord, 'asOf' | 'missing'>,
): OfficerRecord {
  const [first] = pages
  const items = pages.flatMap((page) => toList(page['items']).map(toRecord))
  const name = first ? (toText(first['name']) ?? toText(items[0]?.['name'])) : null
  const isCompany = first?.['is_corporate_officer'] === true
  return {
    officerId,
    registerUrl: `${REGISTER_SITE}/officers/${officerId}/appointments`,
    name,
    nameParts: isCompany ? null : parsePersonName({ ...items.find(hasNameParts), ...(name === null ? {} : { name }) }),
    dateOfBirth: isCompany ? null : parseBirth(first?.['date_of_birth']),
    isCompany,
    appointments: first ? items.map(parseAppointment) : null,
    total: first ? Math.max(readTotal(first) ?? 0, items.length) : null,
    asOf,
    missing,
  }
}

const hasNameParts = (item: LooseRecord) => toText(toRecord(item['name_elements'])['surname']) !== null

function parseAppointment(item: LooseRecord): Appointment {
  const company = toRecord(item['appointed_to'])
  const [status, role] = [toText(company['company_status']), toText(item['officer_role'])]
  return {
    companyNumber: parseCompanyNumber(toText(company['company_number']) ?? ''),
    companyName: toText(company['company_name']),
    companyStatus: status,
    companyStatusText: status && describeStatus({ status, statusDetail: null }),
    role,
    roleText: role && describeCode('officer_role', role),
    appointedOn: toDate(item['appointed_on']),
    appointedBefore: toDate(item['appointed_before']),
    resignedOn: toDate(item['resigned_on']),
  }
}
