import { type Company, toNameKey } from '../../register/index.ts'
import type { BareNumber, NumberMention } from '../extract/company-numbers.ts'
import type { SiteFindings } from '../extract/findings.ts'
import { type LegalName, nameKeysOf } from '../extract/legal-names.ts'
import type { Passage } from '../extract/passages.ts'
import { isOwnName, type NameRelation, relateToSite } from '../extract/relate-names.ts'
import type { Role, RoleReading } from '../extract/role.ts'
import type { Span } from '../extract/sentences.ts'
import { isNearlySame } from './name-likeness.ts'
import { findRegisteredName, ofSameForm, subjectOf } from './printed-names.ts'
import { quoteOf } from './quote.ts'
import { compact, type RegisterView } from './register-view.ts'
import { isForeignHere, readRoleAt } from './role-in-passage.ts'

/** One place where the site connects itself, or somebody, with a registered company. */
export interface Claim {
  company: Company
  via: 'number' | 'name'
  /** How the name printed with it compares with the register's. `unnamed`: none is printed. */
  agreement: 'name' | 'previous_name' | 'similar' | 'unnamed' | 'conflict'
  printedName: string | null
  role: Role
  cue: string
  isExplicit: boolean
  relation: NameRelation
  /** The registered office's postcode stands in the same passage, or elsewhere on the site. */
  office: 'here' | 'site' | 'no'
  /** One of several bare numbers in a row: whose they are cannot be told. */
  listed: boolean
  passage: Passage
  number: NumberMention | null
  quote: string
}

/** A number that calls itself a company's and is not on the register, with the name printed beside it. */
export interface UnknownNumber {
  printed: string
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
  const found: Claims = { claims: [], unknown: [] }
  let named = 0
  for (const passage of findings.passages) {
    const printed = new Set<string>()
    for (const number of passage.numbers) {
      // What a passage repeats it says once, or a page of nothing but numbers would be read for minutes.
      const [reading = ''] = number.readings
      if (printed.has(reading)) continue
      printed.add(reading)
      const subject = subjectOf(passage, number)
      const company = number.readings.flatMap((one) => view.companies.get(one) ?? [])[0]
      if (found.claims.length >= CLAIMS_MAX) break
      if (company) found.claims.push(claimByNumber(findings, view, passage, number, company, subject))
      else if (found.unknown.length < UNKNOWN_MAX) found.unknown.push(unknownNumber(findings, passage, number, subject))
    }
    for (const bare of passage.bare) {
      const company = view.companies.get(bare.reading)
      const claim = company && claimByBareNumber(findings, view, passage, bare, company)
      if (claim) found.claims.push(claim)
    }
    for (const name of passage.names) {
      if (named >= NAMES_MAX) break
      if (name.country !== null || isForeignHere(passage, name)) continue
      const claims = claimsByName(findings, view, passage, name, found.claims)
      named += claims.length
      found.claims.push(...claims)
    }
  }
  return { claims: demoteLists(found.claims), unknown: found.unknown }
}

/** More numbers that nobody has make no stronger a case. */
const UNKNOWN_MAX = 50
/** A name without its number never decides alone. A site that prints more of them is a list; each costs a reading of its passage. */
const NAMES_MAX = 300
const CLAIMS_MAX = 1_000

/** So many companies in the rows of one table or list, none of them the site's, are the site's suppliers or listings. */
const LIST_MIN = 3

function demoteLists(claims: Claim[]): Claim[] {
  const rows = new Map<string, Set<string>>()
  const keyOf = ({ passage }: Claim) => (passage.row === null ? null : `${passage.page.url} ${passage.row}`)
  for (const claim of claims) {
    const key = keyOf(claim)
    if (key !== null) rows.set(key, (rows.get(key) ?? new Set()).add(claim.company.number))
  }
  return claims.map((claim) => {
    const key = keyOf(claim)
    if (isSeller(claim, claims))
      return { ...claim, role: 'third_party', cue: `${claim.cue} of several`, isExplicit: true }
    const isListed = key !== null && (rows.get(key)?.size ?? 0) >= LIST_MIN
    if (!isListed || claim.listed || claim.role !== 'stated' || isOwnName(claim.relation)) return claim
    return { ...claim, role: 'third_party', cue: 'a list of companies', isExplicit: true }
  })
}

/** "Trader:" on one page is another's on the next: a marketplace prints its sellers. */
function isSeller({ role, cue, company, relation }: Claim, claims: Claim[]): boolean {
  if (role !== 'operator' || !/[:|]$/.test(cue) || isOwnName(relation)) return false
  return claims.some((other) => other.cue === cue && other.company !== company && other.role === 'operator')
}

/** Digits without a label count where the company's name stands beside them, or is the site's own. */
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
  // Six digits are too many things to be believed without the name.
  const isWhole = bare.printed.replaceAll(/\D/g, '').length >= 7
  return claim.agreement !== 'unnamed' || (claim.relation.level === 'same' && isWhole) ? claim : null
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
  const relation = relationOf(findings, view, company)
  const places = registered ? [span, ...registered.others] : [span]
  const reading = plainest(places.map((place) => readRoleAt(findings, passage, place, number, relation)))
  return {
    company,
    via: 'number',
    agreement,
    printedName: registered
      ? passage.text.slice(registered.span.start, registered.span.end).replace(/\.$/, '')
      : (subject?.name ?? null),
    ...reading,
    relation,
    office: officeOf(findings, passage, company),
    listed: agreement === 'unnamed' && passage.numbers.length > 1 && passage.names.length === 0,
    passage,
    number,
    quote: quoteOf(passage, [span, number, ...officeIn(passage, company)]),
  }
}

function claimsByName(
  findings: SiteFindings,
  view: RegisterView,
  passage: Passage,
  name: LegalName,
  already: Claim[],
): Claim[] {
  const numbers = nameKeysOf(name.name)
    .map((key) => view.byName.get(key.replaceAll(' ', '')))
    .find((list) => list !== undefined)
  if (!numbers) return []
  return ofSameForm(name, numbers, view).flatMap((number) => {
    const company = view.companies.get(number)
    if (!company) return []
    // Printed with its number in this very passage: that claim says more.
    if (already.some((claim) => claim.passage === passage && claim.company === company && claim.via === 'number'))
      return []
    const relation = relationOf(findings, view, company)
    const reading = readRoleAt(findings, passage, name, null, relation)
    const isCurrent = nameKeysOf(name.name).includes(toNameKey(company.name))
    return [
      {
        company,
        via: 'name' as const,
        agreement: isCurrent ? ('name' as const) : ('previous_name' as const),
        printedName: name.name,
        ...reading,
        relation,
        office: officeOf(findings, passage, company),
        listed: false,
        passage,
        number: null,
        quote: quoteOf(passage, [name, ...officeIn(passage, company)]),
      },
    ]
  })
}

function unknownNumber(
  findings: SiteFindings,
  passage: Passage,
  number: NumberMention,
  subject: LegalName | null,
): UnknownNumber {
  const span = subject ?? labelSpan(number)
  return {
    printed: number.printed,
    printedName: subject?.name ?? null,
    reading: readRoleAt(findings, passage, span, number, { level: 'none', with: '' }),
    passage,
    quote: quoteOf(passage, [span, number]),
  }
}

export function relationOf({ identity }: SiteFindings, view: RegisterView, company: Company): NameRelation {
  const keys = [company.name, ...company.previousNames.map(({ name }) => name)].map(toNameKey)
  const relations = keys.map((key) => relateToSite(key, identity, view.isRare))
  const order = ['same', 'contains', 'shares', 'none']
  return (
    relations.sort((one, other) => order.indexOf(one.level) - order.indexOf(other.level))[0] ?? {
      level: 'none',
      with: '',
    }
  )
}

function officeOf({ postcodes }: SiteFindings, passage: Passage, company: Company): Claim['office'] {
  const [code] = compact(company.address.postcode)
  if (code === undefined) return 'no'
  if (passage.postcodes.some((postcode) => postcode.code === code)) return 'here'
  return postcodes.has(code) ? 'site' : 'no'
}

/** Where the passage prints the postcode of the registered office. */
function officeIn({ postcodes }: Passage, company: Company): Span[] {
  const [code] = compact(company.address.postcode)
  return postcodes.filter((postcode) => postcode.code === code).slice(0, 1)
}

/** Of what a passage says of a company in several places, what it says outright. */
function plainest(readings: RoleReading[]): RoleReading {
  const [first] = readings
  if (!first) throw new Error('a claim without a place')
  return readings.find(({ role }) => role === 'denied') ?? readings.find(({ role }) => role === 'operator') ?? first
}

function labelSpan(number: NumberMention): Span {
  return { start: Math.max(0, number.start - number.distance - number.label.length), end: number.end }
}
