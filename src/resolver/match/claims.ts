import { type Company, toNameKey } from '../../register/index.ts'
import type { BareNumber, NumberMention } from '../extract/company-numbers.ts'
import type { SiteFindings } from '../extract/findings.ts'
import { type LegalName, nameKeysOf } from '../extract/legal-names.ts'
import { type Passage, sentenceAt } from '../extract/passages.ts'
import { isSiteName, isSiteWord, type NameRelation, relateToSite } from '../extract/relate-names.ts'
import { type Role, type RoleReading, readRole } from '../extract/role.ts'
import type { Span } from '../extract/sentences.ts'
import { findName } from '../extract/words.ts'
import { isNearlySame } from './name-likeness.ts'
import { compact, type RegisterView } from './register-view.ts'

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
  for (const passage of findings.passages) {
    const printed = new Set<string>()
    for (const number of passage.numbers) {
      // What a passage repeats it says once, or a page of nothing but numbers would be read for minutes.
      const [reading = ''] = number.readings
      if (printed.has(reading)) continue
      printed.add(reading)
      const subject = subjectOf(passage, number)
      const company = number.readings.flatMap((one) => view.companies.get(one) ?? [])[0]
      if (company) found.claims.push(claimByNumber(findings, view, passage, number, company, subject))
      else if (found.unknown.length < UNKNOWN_MAX) found.unknown.push(unknownNumber(findings, passage, number, subject))
    }
    for (const bare of passage.bare) {
      const company = view.companies.get(bare.reading)
      const claim = company && claimByBareNumber(findings, view, passage, bare, company)
      if (claim) found.claims.push(claim)
    }
    for (const name of passage.names) {
      if (name.country !== null || isForeignHere(passage, name)) continue
      found.claims.push(...claimsByName(findings, view, passage, name, found.claims))
    }
  }
  return { claims: demoteLists(found.claims), unknown: found.unknown }
}

/** More numbers that nobody has make no stronger a case. */
const UNKNOWN_MAX = 50

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
    if (
      !isListed ||
      claim.listed ||
      claim.role !== 'stated' ||
      claim.relation.level === 'same' ||
      claim.relation.level === 'contains'
    )
      return claim
    return { ...claim, role: 'third_party', cue: 'a list of companies', isExplicit: true }
  })
}

/** "Trader:" on one page is another's on the next: a marketplace prints its sellers. */
function isSeller({ role, cue, company, relation }: Claim, claims: Claim[]): boolean {
  const isStranger = relation.level === 'none' || relation.level === 'shares'
  if (role !== 'operator' || !/[:|]$/.test(cue) || !isStranger) return false
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
    printedName: registered ? passage.text.slice(registered.span.start, registered.span.end) : (subject?.name ?? null),
    ...reading,
    relation,
    office: officeOf(findings, passage, company),
    listed: agreement === 'unnamed' && passage.numbers.length > 1 && passage.names.length === 0,
    passage,
    number,
    quote: quoteOf(passage, [span, number]),
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
        quote: quoteOf(passage, [name]),
      },
    ]
  })
}

/** "Harcott Blythe Limited" is not Harcott Blythe LLP where the register has both. */
function ofSameForm({ name }: LegalName, numbers: string[], view: RegisterView): string[] {
  const same = numbers.filter((number) => formOf(view.companies.get(number)?.name ?? '') === formOf(name))
  return same.length > 0 ? same : numbers
}

function formOf(name: string): string {
  const ending =
    /\b(limited liability partnership|llp|public limited company|plc|community interest company|c\.?i\.?c|limited|ltd|cyfyngedig|cyf)\b\.?$/i
      .exec(name.trim())?.[1]
      ?.toLowerCase() ?? ''
  if (/^(?:llp|limited liability)/.test(ending)) return 'llp'
  if (/^(?:plc|public)/.test(ending)) return 'plc'
  if (ending.startsWith('c') && !ending.startsWith('cyf')) return 'cic'
  return ending === '' ? '' : 'ltd'
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

/** The register's own name for the number, where the passage prints it: better than any guess at where a name begins. */
function findRegisteredName(
  passage: Passage,
  company: Company,
  number: NumberMention,
): { span: Span; others: Span[]; agreement: 'name' | 'previous_name' } | null {
  const find = (name: string) => fullestFirst(passage, findName(passage.words, toNameKey(name), number.start))
  const [current, ...others] = find(company.name)
  if (current) return { span: current, others, agreement: 'name' }
  for (const { name } of company.previousNames) {
    const [previous, ...rest] = find(name)
    if (previous) return { span: previous, others: rest, agreement: 'previous_name' }
  }
  return null
}

const OCCURRENCES_MAX = 5

/** Of what a passage says of a company in several places, what it says outright. */
function plainest(readings: RoleReading[]): RoleReading {
  const [first] = readings
  if (!first) throw new Error('a claim without a place')
  return readings.find(({ role }) => role === 'denied') ?? readings.find(({ role }) => role === 'operator') ?? first
}

/** The nearest first, but those with the legal ending that the register's key leaves off: "X Ltd trades as X". */
function fullestFirst({ text }: Passage, spans: readonly Span[]): Span[] {
  const full = spans.flatMap((span) => {
    const ending = LEGAL_ENDING.exec(text.slice(span.end, span.end + 40))
    return ending ? [{ start: span.start, end: span.end + ending[0].length }] : []
  })
  return (full.length > 0 ? full : spans.slice(0, 1)).slice(0, OCCURRENCES_MAX)
}

const LEGAL_ENDING =
  /^[\s,)\]]*(?:limited liability partnership|community interest company|public limited company|limited|ltd|plc|llp|cic|c\.i\.c|cyfyngedig|cyf|ccc)\b\.?/i

/** The name the number belongs to: the nearest before it with no other number between, else the next one after it. */
export function subjectOf(passage: Passage, number: Span): LegalName | null {
  const before = passage.names.filter(({ end }) => end <= number.start).at(-1) ?? null
  const numberBetween = (from: number, to: number) =>
    passage.numbers.some((other) => other !== number && other.start >= from && other.end <= to)
  if (before && !numberBetween(before.end, number.start)) return before
  const after = passage.names.find(({ start }) => start >= number.end) ?? null
  if (after && after.start - number.end <= 120 && !numberBetween(number.end, after.start)) return after
  return null
}

function labelSpan(number: NumberMention): Span {
  return { start: Math.max(0, number.start - number.distance - number.label.length), end: number.end }
}

const OTHERS_HEADING =
  /\b(?:suppliers?|(?:sub-?)?processors?|clients?|case stud(?:y|ies)|partners?|sponsors?|credits|portfolio|registered here|listings?|directory|vacancies|press|notes to editors|sellers?|stockists?|installers?|third part(?:y|ies)|company facts|employment|experience|references)\b/i

/** The role from the sentence, corrected by what stands around the passage. */
export function readRoleAt(
  findings: SiteFindings,
  passage: Passage,
  span: Span,
  number: Span | null,
  relation: NameRelation,
): RoleReading {
  const before = partnerBefore(passage, span)
  if (before) return readRoleAt(findings, passage, before, number, relation)
  const sentence = sentenceWithLead(passage, span)
  const text = passage.text.slice(sentence.start, sentence.end)
  const reading = readRole({
    text,
    name: { start: span.start - sentence.start, end: Math.min(span.end, sentence.end) - sentence.start },
    isOwnName: (piece) => isSiteName(piece, findings.identity),
    isOwnWord: (piece) => isSiteWord(piece, findings.identity),
  })
  if (number && OWN_NUMBER.test(passage.text.slice(Math.max(0, number.start - 60), number.start))) {
    return { role: 'operator', cue: 'our company number', isExplicit: true }
  }
  if (reading.role === 'operator' || reading.role === 'denied') return reading
  const inside = (outer: Span) => span.start < outer.end && outer.start < span.end
  if (passage.outbound.some(inside) && relation.level !== 'same')
    return { role: 'third_party', cue: 'a link to another site', isExplicit: true }
  if (passage.quoted) return { role: 'third_party', cue: 'a quotation', isExplicit: true }
  const heading = passage.headings.at(-1) ?? ''
  if (reading.role === 'stated' && OTHERS_HEADING.test(heading) && relation.level !== 'same') {
    return { role: 'third_party', cue: heading, isExplicit: true }
  }
  const isOwnName = relation.level === 'same' || relation.level === 'contains'
  return reading.role === 'third_party' && !reading.isExplicit && isOwnName ? { ...reading, role: 'named' } : reading
}

/** In "A Ltd (No. 1) and B Ltd (No. 2)" what is said of A is said of B. */
function partnerBefore(passage: Passage, span: Span): Span | null {
  const previous = passage.names.filter(({ end }) => end <= span.start).at(-1)
  if (!previous || sentenceAt(passage, previous.start).start !== sentenceAt(passage, span.start).start) return null
  const between = passage.text.slice(previous.end, span.start)
  if (!/(?:,|;|\band(?: also)?(?: by| of| with)?|&|\/|\bor)(?:\s+the)?\s*$/i.test(between)) return null
  // "run by A Ltd for lettings and by B Ltd for sales".
  if (/\band (?:also )?(?:by|of|with)(?: the)?\s*$/i.test(between)) return previous
  const rest = between.replaceAll(
    /\([^)]{0,60}\)|\d+|\b(?:and|or|the|no|nos|number|company|registered|reg)\b|[^\p{L}]/giu,
    '',
  )
  return rest === '' ? previous : null
}

const OWN_NUMBER = /\bour (?:own )?(?:uk )?(?:company|registered|registration|co\.?)[^.;]{0,30}$/i

/** The sentence of the name, with the one before it where that introduces it ("Website by | …") or is spoken of ("It is run by …"). */
function sentenceWithLead(passage: Passage, span: Span): Span {
  const sentence = sentenceAt(passage, span.start)
  const place = passage.sentences.findIndex(({ start }) => start === sentence.start)
  const previous = passage.sentences[place - 1]
  const before = passage.text.slice(sentence.start, span.start).trim()
  const speaksOfPrevious = /^(?:it|they) (?:is|are)\b/i.test(before)
  if (!previous || (before !== '' && !speaksOfPrevious)) return sentence
  const lead = passage.text.slice(previous.start, previous.end)
  const introduces =
    lead.length <= 40 &&
    /(?:\bby|:)$|^(?:legal (?:name|entity)|registered name|company name|operator|owner)$/i.test(lead.trim())
  return introduces || speaksOfPrevious ? { start: previous.start, end: sentence.end } : sentence
}

/** "Registered in Ireland No. 348700": a name with a British ending and another country's register. */
export function isForeignHere(passage: Passage, name: LegalName): boolean {
  return passage.others.some((other) => {
    if (!other.foreign) return false
    const nearest =
      passage.names.filter(({ end }) => end <= other.start).at(-1) ??
      passage.names.find(({ start }) => start >= other.end)
    return nearest === name && !passage.numbers.some((number) => subjectOf(passage, number) === name)
  })
}

const QUOTE_MAX = 320

/** The sentences that hold the spans, as one quotation. */
export function quoteOf(passage: Passage, spans: readonly Span[]): string {
  const sentences = spans.map((span) => sentenceAt(passage, span.start))
  const start = Math.min(...sentences.map((sentence) => sentence.start))
  const end = Math.max(...sentences.map((sentence) => sentence.end))
  const quote = passage.text.slice(start, end).replaceAll(/\s+/g, ' ').trim()
  return quote.length <= QUOTE_MAX ? quote : `${quote.slice(0, QUOTE_MAX)}…`
}
