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
import { TITLES } from './person-key.ts'
import { compareNames, type NameAgreement, type PersonName, parsePersonName, toWords } from './person-name.ts'
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
  'too_many_results',
  'unreadable_result',
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

const SEARCH_PAGES_MAX = 5
const PAGE_RESULTS_MAX = 100
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
  agreement: Exclude<NameAgreement, 'different'>
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
    const isBorn = isBornThen(data['date_of_birth'], wanted)
    if (isBorn === false) continue
    const name = parsePersonName(data)
    const agreement = name === null ? null : compareNames(name, wanted.name)
    if (agreement === 'different') continue
    if (agreement === null) missed ??= UNREADABLE_RESULT
    // A namesake without a date of birth may be this person.
    else if (isBorn === null) missed ??= { reason: 'no_birth_date_of_order', retryAt: null }
    else records.push({ id, data, agreement })
  }
  return { records, gap: missed }
}

/**
 * Returns the results of the register's search that may be this person, and why there may be more. The order of its
 * results proves nothing: a person is not among them only where all of them were read, and each is someone else.
 */
async function listCandidates(
  client: RestClient,
  wanted: Wanted,
  lease: RestLease,
): Promise<{ ids: string[]; gap: Gap | null }> {
  const ids = new Set<string>()
  let gap: Gap | null = null
  let seen = 0
  for (let page = 0; page < SEARCH_PAGES_MAX; page += 1) {
    const answer = await client.searchDisqualified(wanted.name.written, { from: seen, limit: PAGE_RESULTS_MAX }, lease)
    if (answer.kind === 'missing') return limit(ids, toGap(answer))
    const list = toRecord(answer.kind === 'found' ? answer.value : null)
    // A search without results has an empty list.
    if (!Array.isArray(list['items'])) return limit(ids, UNREADABLE)
    const items = toList(list['items']).map(toRecord)
    const namesakes = items.filter((item) => mayBeNamesake(item, wanted))
    for (const item of namesakes) {
      // A result without a date of birth is looked up.
      if (isBornThen(item['date_of_birth'], wanted) === false) continue
      const id = readId(item)
      if (id === null) gap ??= UNREADABLE_RESULT
      else ids.add(id)
    }
    seen += items.length
    const total = toInteger(list['total_results'], { max: 1_000_000 })
    if (total === null ? items.length === 0 : seen >= total) return limit(ids, gap)
    // What is most alike comes first as a rule: where not all can be read, more pages are not worth their requests.
    const isTooMuch = total !== null && total > SEARCH_PAGES_MAX * PAGE_RESULTS_MAX
    if (items.length === 0 || (isTooMuch && namesakes.length === 0)) break
  }
  return limit(ids, { reason: 'too_many_results', retryAt: null })
}

function limit(ids: ReadonlySet<string>, gap: Gap | null): { ids: string[]; gap: Gap | null } {
  const tooMany: Gap | null = ids.size > RECORDS_MAX ? { reason: 'too_many_namesakes', retryAt: null } : null
  return { ids: [...ids].slice(0, RECORDS_MAX), gap: tooMany ?? gap }
}

const UNREADABLE: Gap = { reason: 'register_unavailable', retryAt: null }
const UNREADABLE_RESULT: Gap = { reason: 'unreadable_result', retryAt: null }
const toGap = ({ reason, retryAt }: Missing): Gap => ({ reason, retryAt })

/**
 * False where a result is a company, or someone of another name. Titles are written in several ways, so the first forename, or
 * its letter, and the surname may be anywhere in them. A title without two words of a name says nothing.
 */
function mayBeNamesake(item: LooseRecord, { name }: Wanted): boolean {
  if (isOfCompany(item)) return false
  const words = toWords(toText(item['title']) ?? '').filter((word) => !TITLES.has(word))
  const [written, [first = '']] = [words.join(''), name.forenames]
  if (words.length < 2) return true
  return written.includes(name.surname) && (written.includes(first) || words.includes(first.charAt(0)))
}

const linkOf = (item: LooseRecord) => toText(toRecord(item['links'])['self']) ?? ''
const isOfCompany = (item: LooseRecord) => linkOf(item).startsWith('/disqualified-officers/corporate/')

function readId(item: LooseRecord): string | null {
  const [, id = ''] = /^\/disqualified-officers\/natural\/([^/]+)$/.exec(linkOf(item)) ?? []
  return OFFICER_ID.test(id) ? id : null
}

/** The documentation has a date; the register's own index has day, month and year apart. Null where they do not say whether. */
function isBornThen(value: unknown, { month, year }: Wanted): boolean | null {
  const text = toDate(value)
  if (text !== null) return Number(text.slice(0, 4)) === year && Number(text.slice(5, 7)) === month
  const parts = toRecord(value)
  const [bornIn, bornMonth] = [toInteger(parts['year'], { max: 2_200 }), toInteger(parts['month'], { max: 12 })]
  if (bornIn === null || (bornIn === year && bornMonth === null)) return null
  return bornIn === year && bornMonth === month
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
