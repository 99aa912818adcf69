import { type Company, toNameKey } from '../../register/words/index.ts'
import type { BareNumber, NumberMention } from '../extract/company-numbers.ts'
import type { SiteFindings } from '../extract/findings.ts'
import { type LegalName, listNameKeys } from '../extract/legal-names.ts'
import type { Passage } from '../extract/passages.ts'
import { isOwnName, type NameRelation, relateToSite } from '../extract/relate-names.ts'
import type { RoleReading } from '../extract/role.ts'
import type { Span } from '../extract/sentences.ts'
import { isBareDisclosure, isPureDisclosure } from './disclosure.ts'
import { findIrish } from './foreign-claims.ts'
import { isNearlySame } from './name-likeness.ts'
import { filterSameForm, findRegisteredName, findSubject } from './printed-names.ts'
import { quoteOf } from './quote.ts'
import { compact, type RegisterView } from './register-view.ts'
import { hasForeignNumber, readRoleAt } from './role-in-passage.ts'

/** One passage in which the site connects itself, or another party, with a registered company. */
export interface Claim extends RoleReading {
  company: Company
  via: 'number' | 'name'
  /** How the printed name compares with the registered name. `unnamed`: no name is printed. */
  agreement: 'name' | 'previous_name' | 'similar' | 'unnamed' | 'conflict'
  printedName: string | null
  relation: NameRelation
  /** Where the postcode of the registered office is printed: in the same passage, or elsewhere on the site. */
  office: 'here' | 'site' | 'no'
  /** One of several numbers without names: their owners are unknown. */
  listed: boolean
  /** The passage has nothing but a company's details, and nothing above it says whose they are. */
  isPure: boolean
  /** The lines of the name and number have nothing else, whatever is above them. */
  isBare: boolean
  passage: Passage
  number: NumberMention | null
  quote: string
}

/** A number that is labelled as a company number but is not on the register, with the name printed beside it. */
export interface UnknownNumber {
  printed: string
  certainty: NumberMention['certainty']
  printedName: string | null
  reading: RoleReading
  passage: Passage
  quote: string
}

export interface Claims {
  claims: Claim[]
  unknown: UnknownNumber[]
}

export function readClaims(findings: SiteFindings, view: RegisterView): Claims {
  const read: Claims = { claims: [], unknown: [] }
  let named = 0
  for (const passage of findings.passages) {
    const seen = new Set<string>()
    for (const number of passage.numbers) {
      // Repeated numbers count once per passage; a page full of numbers would take minutes otherwise.
      const [reading = ''] = number.readings
      if (seen.has(reading)) continue
      seen.add(reading)
      const subject = findSubject(passage, number)
      const company = number.readings.flatMap((one) => view.companies.get(one) ?? [])[0]
      if (read.claims.length >= CLAIMS_MAX) break
      if (company) {
        const claim = claimByNumber(findings, view, passage, number, company, subject)
        if (!isIrishNumber(claim)) read.claims.push(claim)
      }
      if (!company && read.unknown.length < UNKNOWN_MAX)
        read.unknown.push(toUnknownNumber(findings, passage, number, subject))
    }
    for (const bare of passage.bare) {
      const company = view.companies.get(bare.reading)
      const claim = company && claimByBareNumber(findings, view, passage, bare, company)
      if (claim) read.claims.push(claim)
    }
    for (const name of passage.names) {
      if (named >= NAMES_MAX) break
      if (name.country !== null || hasForeignNumber(passage, name)) continue
      const claims = claimsByName(findings, view, passage, name, read.claims)
      named += claims.length
      read.claims.push(...claims)
    }
  }
  return { claims: demoteListed(joinNames(read.claims)), unknown: read.unknown }
}

/** True for a short number beside an Irish address that fits no name of the UK register: it is a number of the register there. */
const isIrishNumber = ({ passage, number, agreement }: Claim): boolean =>
  (agreement === 'conflict' || agreement === 'unnamed') &&
  (number?.printed.replaceAll(/\D/g, '').length ?? 0) <= 6 &&
  findIrish(passage) !== undefined

/** More unknown numbers add no information. */
const UNKNOWN_MAX = 50
/** A name without its number never decides alone. A site that prints more of them is a list; each costs a reading of its passage. */
const NAMES_MAX = 300
const CLAIMS_MAX = 1_000

/** A number without a name has the name that is printed elsewhere on its page, if the register gives them to one company. */
function joinNames(claims: Claim[]): Claim[] {
  const named = new Map<string, Claim>()
  for (const claim of claims) {
    if (claim.printedName === null || (claim.agreement !== 'name' && claim.agreement !== 'previous_name')) continue
    const key = `${claim.company.number} ${claim.passage.page.url}`
    if (!named.has(key)) named.set(key, claim)
  }
  return claims.map((claim) => {
    if (claim.agreement !== 'unnamed' || claim.listed) return claim
    const name = named.get(`${claim.company.number} ${claim.passage.page.url}`)
    return name ? { ...claim, agreement: name.agreement, printedName: name.printedName } : claim
  })
}

/** This many companies in the rows of one table or list are suppliers or listings, not the site's own. */
const LIST_MIN = 3

/** Changes claims in lists of companies, and claims of sellers, to the role `third_party`. */
function demoteListed(claims: Claim[]): Claim[] {
  const companiesByList = new Map<string, Set<string>>()
  const listOf = ({ passage }: Claim) => (passage.row === null ? null : `${passage.page.url} ${passage.row}`)
  for (const claim of claims) {
    const key = listOf(claim)
    if (key !== null) companiesByList.set(key, (companiesByList.get(key) ?? new Set()).add(claim.company.number))
  }
  return claims.map((claim) => {
    const key = listOf(claim)
    if (isSeller(claim, claims))
      return { ...claim, role: 'third_party', cue: 'one_of_several_sellers', isExplicit: true }
    const isListed = key !== null && (companiesByList.get(key)?.size ?? 0) >= LIST_MIN
    if (!isListed || claim.listed || claim.role !== 'stated' || isOwnName(claim.relation)) return claim
    return { ...claim, role: 'third_party', cue: 'list_of_companies', words: 'a list of companies', isExplicit: true }
  })
}

/** True if the same label ("Trader:") also introduces another company: a marketplace prints its sellers. */
function isSeller({ role, cue, scope, company, relation }: Claim, claims: Claim[]): boolean {
  if (role !== 'operator' || scope !== 'label' || isOwnName(relation)) return false
  const key = toNameKey(company.name)
  return claims.some((other) => other.cue === cue && other.role === 'operator' && toNameKey(other.company.name) !== key)
}

/** A number without a label counts only if the company's name is beside it, or is the site's own name. */
function claimByBareNumber(
  findings: SiteFindings,
  view: RegisterView,
  passage: Passage,
  bare: BareNumber,
  company: Company,
): Claim | null {
  const number: NumberMention = {
    start: bare.start,
    end: bare.end,
    printed: bare.printed,
    readings: [bare.reading],
    label: '',
    distance: 0,
    certainty: 'implied',
    jurisdiction: null,
  }
  const claim = claimByNumber(findings, view, passage, number, company, null)
  // Six digits can be many other things, so they need the name.
  const isLongEnough = bare.printed.replaceAll(/\D/g, '').length >= 7
  return claim.agreement !== 'unnamed' || (claim.relation.level === 'same' && isLongEnough) ? claim : null
}

function claimByNumber(
  findings: SiteFindings,
  view: RegisterView,
  passage: Passage,
  number: NumberMention,
  company: Company,
  subject: LegalName | null,
): Claim {
  const registered = findRegisteredName(passage, company, number)
  const agreement = registered
    ? registered.agreement
    : subject === null
      ? 'unnamed'
      : isNearlySame(toNameKey(subject.name), toNameKey(company.name))
        ? 'similar'
        : 'conflict'
  const span = registered?.span ?? subject ?? labelSpan(number)
  const relation = relateCompany(findings, view, company)
  const spans = registered ? [span, ...registered.others] : [span]
  const isNumberSure = number.certainty === 'stated' || agreement !== 'unnamed'
  const facts = [...(subject && !registered ? [subject] : spans), number]
  const isPure = isNumberSure && isPureDisclosure(findings, passage, facts, company)
  const plainest = choosePlainest(spans.map((one) => readRoleAt(findings, passage, one, number, relation, company)))
  const reading = isPure ? toStated(plainest) : plainest
  return {
    company,
    via: 'number',
    agreement,
    printedName: registered
      ? passage.text.slice(registered.span.start, registered.span.end).replace(/\.$/, '')
      : (subject?.name ?? null),
    ...reading,
    relation,
    office: locateOffice(findings, passage, company),
    listed: agreement === 'unnamed' && passage.numbers.length > 1 && passage.names.length === 0,
    isPure,
    isBare: isPure || isBareDisclosure(findings, passage, facts, company),
    passage,
    number,
    quote: quoteOf(passage, [span, number, ...findOfficeSpan(passage, company)]),
  }
}

function claimsByName(
  findings: SiteFindings,
  view: RegisterView,
  passage: Passage,
  name: LegalName,
  previousClaims: Claim[],
): Claim[] {
  const numbers = listNameKeys(name.name)
    .map((key) => view.byName.get(key.replaceAll(' ', '')))
    .find((list) => list !== undefined)
  if (!numbers) return []
  return filterSameForm(name, numbers, view).flatMap((number) => {
    const company = view.companies.get(number)
    if (!company) return []
    // The claim by its number in the same passage is stronger.
    if (
      previousClaims.some((claim) => claim.passage === passage && claim.company === company && claim.via === 'number')
    )
      return []
    const relation = relateCompany(findings, view, company)
    const isPure = isPureDisclosure(findings, passage, [name], company)
    const plain = readRoleAt(findings, passage, name, null, relation, company)
    const reading = isPure ? toStated(plain) : plain
    const isCurrent = listNameKeys(name.name).includes(toNameKey(company.name))
    return [
      {
        company,
        via: 'name' as const,
        agreement: isCurrent ? ('name' as const) : ('previous_name' as const),
        printedName: name.name,
        ...reading,
        relation,
        office: locateOffice(findings, passage, company),
        listed: false,
        isPure,
        isBare: isPure || isBareDisclosure(findings, passage, [name], company),
        passage,
        number: null,
        quote: quoteOf(passage, [name, ...findOfficeSpan(passage, company)]),
      },
    ]
  })
}

/** The shape of a sentence that has nothing but details does not make its company another party. */
function toStated(reading: RoleReading): RoleReading {
  const isByShape = reading.role === 'named' || (reading.role === 'third_party' && !reading.isExplicit)
  return isByShape ? { role: 'stated', cue: 'alone', scope: 'label', words: '', isExplicit: true } : reading
}

function toUnknownNumber(
  findings: SiteFindings,
  passage: Passage,
  number: NumberMention,
  subject: LegalName | null,
): UnknownNumber {
  const span = subject ?? labelSpan(number)
  return {
    printed: number.printed,
    certainty: number.certainty,
    printedName: subject?.name ?? null,
    reading: readRoleAt(findings, passage, span, number, { level: 'none', with: '' }),
    passage,
    quote: quoteOf(passage, [span, number]),
  }
}

export function relateCompany({ identity }: SiteFindings, view: RegisterView, company: Company): NameRelation {
  const keys = [company.name, ...company.previousNames.map(({ name }) => name)].map(toNameKey)
  const relations = keys.map((key) => relateToSite(key, identity, view.isRare))
  const strongestFirst = ['same', 'contains', 'shares', 'none']
  return (
    relations.sort((one, other) => strongestFirst.indexOf(one.level) - strongestFirst.indexOf(other.level))[0] ?? {
      level: 'none',
      with: '',
    }
  )
}

function locateOffice({ postcodes }: SiteFindings, passage: Passage, company: Company): Claim['office'] {
  const [code] = compact(company.address.postcode)
  if (code === undefined) return 'no'
  if (passage.postcodes.some((postcode) => postcode.code === code)) return 'here'
  return postcodes.has(code) ? 'site' : 'no'
}

/** Returns the position of the registered office's postcode in the passage. */
function findOfficeSpan({ postcodes }: Passage, company: Company): Span[] {
  const [code] = compact(company.address.postcode)
  return postcodes.filter((postcode) => postcode.code === code).slice(0, 1)
}

/** Chooses the clearest of several readings in one passage: a denial, then an explicit operator. */
function choosePlainest(readings: RoleReading[]): RoleReading {
  const [first] = readings
  if (!first) throw new Error('a claim needs at least one reading')
  return readings.find(({ role }) => role === 'denied') ?? readings.find(({ role }) => role === 'operator') ?? first
}

function labelSpan(number: NumberMention): Span {
  return { start: Math.max(0, number.start - number.distance - number.label.length), end: number.end }
}
