/**
 * Whether the register has an order that forbids a person to be a director. Names alone prove nothing: a record counts only if
 * its month and year of birth are the officer's too. The day of birth, which such records have, is neither kept nor shown.
 */
import { toLondonDate } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'
import { type LooseRecord, toDate, toInteger, toList, toRecord, toText, toTexts } from '../../lib/text/loose-json.ts'
import { OFFICER_ID, REGISTER_SITE } from '../details/part-items.ts'
import type { LeaseOptions, RestLease } from '../details/rest-budget.ts'
import { findRestClient, type Missing, type RegisterApp, type RestClient } from '../details/rest-client.ts'
import { type CodeList, describeCode } from '../vocabulary.ts'
import { type MissingPart, type OfficerRecord, readOfficer } from './appointments.ts'
import { compareNames, type NameAgreement, type PersonName, parsePersonName } from './person-name.ts'
import { findWithheld } from './withheld.ts'

/** `possible`: the birth month agrees, and one record leaves out or abbreviates further forenames. */
export const CHECK_RESULTS = ['found', 'possible', 'none_found', 'not_checked'] as const
export type CheckResult = (typeof CHECK_RESULTS)[number]

export const NOT_CHECKED_REASONS = [
  'no_birth_date',
  'no_readable_name',
  'no_birth_date_of_order',
  'not_a_person',
  'too_many_namesakes',
  'not_configured',
  'budget_spent',
  'register_unavailable',
  'register_refused',
] as const
export type NotCheckedReason = (typeof NOT_CHECKED_REASONS)[number]

export const ORDER_STATES = ['in_force', 'expired', 'not_begun'] as const
export type OrderState = (typeof ORDER_STATES)[number]

export interface DisqualificationOrder {
  /** The disqualified person, as the order names them. */
  name: string
  state: OrderState
  from: string | null
  /** The last day; null without an end. */
  until: string | null
  type: string | null
  typeText: string | null
  reason: string | null
  reasonText: string | null
  /** The law, with its section. */
  actText: string | null
  companyNames: string[]
  courtName: string | null
  /** The person has leave of a court to act for some companies. */
  hasPermissionToAct: boolean
  registerUrl: string
}

export interface DisqualificationCheck {
  officer: Pick<OfficerRecord, 'officerId' | 'name' | 'dateOfBirth'>
  result: CheckResult
  reason: NotCheckedReason | null
  retryAt: Date | null
  /** In force first, then the newest. Empty unless `found` or `possible`. */
  orders: DisqualificationOrder[]
  asOf: Date | null
}

const SEARCH_PAGES_MAX = 3
/** Namesakes of one name who were born in the same month. */
const RECORDS_MAX = 5
const ORDERS_MAX = 20

/** Throws `not_found` when the register has no such officer. */
export async function checkDisqualification(
  app: RegisterApp,
  officerId: string,
  options: LeaseOptions,
): Promise<DisqualificationCheck> {
  const startedMs = performance.now()
  const officer = await readOfficer(app, officerId, { ...options, pagesMax: 1 })
  const refusal = findRefusal(officer)
  if (refusal) return notChecked(officer, refusal)
  const [client, wanted] = [findRestClient(app), toWanted(officer)]
  if (!client || !wanted) return notChecked(officer, { reason: 'not_configured', retryAt: null })
  const maxWaitMs = Math.max(0, options.maxWaitMs - (performance.now() - startedMs))
  const asOf = app.clock.now()
  const outcome = await search(client, wanted, client.openLease({ ...options, maxWaitMs }))
  const records = await leaveOutWithheld(app.db, outcome.records, wanted)
  const best = (['same', 'alike'] as const).find((each) => records.some(({ agreement }) => agreement === each))
  if (best) {
    // Orders of a less certain person beside a certain one would be read as theirs.
    const certain = records.filter(({ agreement }) => agreement === best)
    const orders = certain.flatMap((record) => parseOrders(record, toLondonDate(asOf))).sort(byState)
    const result = best === 'same' ? 'found' : 'possible'
    const { reason = null, retryAt = null } = outcome.gap ?? {}
    return { ...checked(officer, result, asOf), reason, retryAt, orders: orders.slice(0, ORDERS_MAX) }
  }
  return outcome.gap ? notChecked(officer, outcome.gap) : checked(officer, 'none_found', asOf)
}

async function leaveOutWithheld(
  db: Db,
  records: readonly AgreeingRecord[],
  { year, month }: Wanted,
): Promise<AgreeingRecord[]> {
  const people = records.map((record) => {
    return { companyNumber: '', name: nameOf(record), birth: { year, month }, record }
  })
  const withheld = new Set([...(await findWithheld(db, people))].map(({ record }) => record))
  return records.filter((record) => !withheld.has(record))
}

function nameOf({ data }: AgreeingRecord): string {
  const parts = [data['forename'], data['other_forenames'], data['surname']]
  return parts.flatMap((part) => toText(part) ?? []).join(' ')
}

interface Wanted {
  name: PersonName
  month: number
  year: number
}

type Gap = { reason: NotCheckedReason; retryAt: Date | null }

function findRefusal(officer: OfficerRecord): Gap | null {
  if (officer.asOf === null) return officer.missing satisfies MissingPart | null
  if (officer.isCompany) return { reason: 'not_a_person', retryAt: null }
  if (officer.nameParts === null) return { reason: 'no_readable_name', retryAt: null }
  return toWanted(officer) ? null : { reason: 'no_birth_date', retryAt: null }
}

function toWanted({ nameParts, dateOfBirth }: OfficerRecord): Wanted | null {
  if (nameParts === null || dateOfBirth === null || dateOfBirth.month === null) return null
  return { name: nameParts, month: dateOfBirth.month, year: dateOfBirth.year }
}

function checked(officer: OfficerRecord, result: CheckResult, asOf: Date): DisqualificationCheck {
  return { ...notChecked(officer, { reason: 'no_birth_date', retryAt: null }), result, reason: null, asOf }
}

function notChecked({ officerId, name, dateOfBirth }: OfficerRecord, { reason, retryAt }: Gap): DisqualificationCheck {
  const officer = { officerId, name, dateOfBirth }
  return { officer, result: 'not_checked', reason, retryAt, orders: [], asOf: null }
}

interface AgreeingRecord {
  id: string
  data: LooseRecord
  agreement: NameAgreement
}

/** Returns the records of this name and birth month, and why there may be more. */
async function search(
  client: RestClient,
  wanted: Wanted,
  lease: RestLease,
): Promise<{ records: AgreeingRecord[]; gap: Gap | null }> {
  const { ids, gap } = await listCandidates(client, wanted, lease)
  const records: AgreeingRecord[] = []
  let missed = gap
  for (const id of ids) {
    const answer = await client.fetchDisqualification(id, lease)
    if (answer.kind === 'missing') missed ??= toGap(answer)
    if (answer.kind !== 'found') continue
    const data = toRecord(answer.value)
    const agreement = compare(data, wanted)
    // A namesake without a date of birth may be this person.
    if (isBornThen(data['date_of_birth'], wanted) === null)
      missed ??= { reason: 'no_birth_date_of_order', retryAt: null }
    if (agreement !== 'different') records.push({ id, data, agreement })
  }
  return { records, gap: missed }
}

function compare(data: LooseRecord, wanted: Wanted): NameAgreement {
  const name = parsePersonName(data)
  return name && isBornThen(data['date_of_birth'], wanted) === true ? compareNames(name, wanted.name) : 'different'
}

/** The names that are most alike come first, so a page without a namesake is the last one to read. */
async function listCandidates(
  client: RestClient,
  wanted: Wanted,
  lease: RestLease,
): Promise<{ ids: string[]; gap: Gap | null }> {
  const ids = new Set<string>()
  let seen = 0
  for (let page = 0; page < SEARCH_PAGES_MAX; page += 1) {
    const answer = await client.searchDisqualified(wanted.name.written, seen, lease)
    if (answer.kind === 'missing') return { ids: [...ids].slice(0, RECORDS_MAX), gap: toGap(answer) }
    const list = toRecord(answer.kind === 'found' ? answer.value : null)
    // A search without results has an empty list.
    if (!Array.isArray(list['items'])) return { ids: [...ids].slice(0, RECORDS_MAX), gap: UNREADABLE }
    const items = toList(list['items']).map(toRecord)
    const namesakes = items.filter((item) => mayBeNamesake(item, wanted))
    for (const item of namesakes) {
      const id = readId(item)
      // A result without a date of birth is looked up.
      if (id !== null && isBornThen(item['date_of_birth'], wanted) !== false) ids.add(id)
    }
    seen += items.length
    const total = toInteger(list['total_results'], { max: 1_000_000 }) ?? seen
    if (items.length === 0 || seen >= total || namesakes.length === 0) return limit(ids)
  }
  return { ...limit(ids), gap: { reason: 'too_many_namesakes', retryAt: null } }
}

function limit(ids: ReadonlySet<string>): { ids: string[]; gap: Gap | null } {
  const gap: Gap | null = ids.size > RECORDS_MAX ? { reason: 'too_many_namesakes', retryAt: null } : null
  return { ids: [...ids].slice(0, RECORDS_MAX), gap }
}

const UNREADABLE: Gap = { reason: 'register_unavailable', retryAt: null }
const toGap = ({ reason, retryAt }: Missing): Gap => ({ reason, retryAt })

/** Titles of results are written in several ways, so only the first forename and the surname are looked for in them. */
function mayBeNamesake(item: LooseRecord, { name }: Wanted): boolean {
  const title = parsePersonName({ name: toText(item['title']) })
  if (title === null) return false
  const [written, [first = '']] = [`${title.forenames.join('')}${title.surname}`, name.forenames]
  return written.includes(first) && written.endsWith(name.surname)
}

function readId(item: LooseRecord): string | null {
  const link = toText(toRecord(item['links'])['self']) ?? ''
  const [, id = ''] = /^\/disqualified-officers\/natural\/([^/]+)$/.exec(link) ?? []
  return OFFICER_ID.test(id) ? id : null
}

/** The documentation has a date; the register's own index has day, month and year apart. Null when there is neither. */
function isBornThen(value: unknown, { month, year }: Wanted): boolean | null {
  const text = toDate(value)
  if (text !== null) return Number(text.slice(0, 4)) === year && Number(text.slice(5, 7)) === month
  const parts = toRecord(value)
  const bornIn = toInteger(parts['year'], { max: 2_200 })
  return bornIn === null ? null : bornIn === year && toInteger(parts['month'], { max: 12 }) === month
}

/** An order without an end, as one by sanction is, runs to the year 9999 on the register. */
const ENDLESS_FROM = '9000'

function parseOrders(record: AgreeingRecord, today: string): DisqualificationOrder[] {
  const { id, data } = record
  const name = nameOf(record)
  const hasPermissionToAct = toList(data['permissions_to_act']).some((permission) => {
    const until = toDate(toRecord(permission)['expires_on'])
    return until === null || until >= today
  })
  return toList(data['disqualifications']).map((item) => {
    const order = toRecord(item)
    const reason = toRecord(order['reason'])
    const [from, last] = [toDate(order['disqualified_from']), toDate(order['disqualified_until'])]
    const until = last !== null && last < ENDLESS_FROM ? last : null
    const [type, why] = [toText(order['disqualification_type']), toText(reason['description_identifier'])]
    return {
      name,
      state: toState(from, until, today),
      from,
      until,
      type,
      typeText: inWords('disqualification_type', type),
      reason: why,
      reasonText: inWords('disqualification_reason', why),
      actText: describeAct(reason),
      companyNames: toTexts(order['company_names']).slice(0, ORDERS_MAX),
      courtName: toText(order['court_name']),
      hasPermissionToAct,
      registerUrl: `${REGISTER_SITE}/disqualified-officers/natural/${id}`,
    }
  })
}

function toState(from: string | null, until: string | null, today: string): OrderState {
  if (until !== null && until < today) return 'expired'
  return from !== null && from > today ? 'not_begun' : 'in_force'
}

function describeAct(reason: LooseRecord): string | null {
  const act = inWords('disqualification_act', toText(reason['act']))
  const [section, article] = [toText(reason['section']), toText(reason['article'])]
  const detail = section === null ? article && `article ${article}` : `section ${section}`
  return act && detail ? `${act}, ${detail}` : act
}

const inWords = (list: CodeList, code: string | null) => (code === null ? null : describeCode(list, code))

function byState(a: DisqualificationOrder, b: DisqualificationOrder): number {
  const rank = ({ state }: DisqualificationOrder) => ORDER_STATES.indexOf(state)
  return rank(a) - rank(b) || (b.from ?? '').localeCompare(a.from ?? '')
}
