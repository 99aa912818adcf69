import { type Company, toNameKey } from '../../register/index.ts'
import type { NumberMention } from '../extract/company-numbers.ts'
import type { SiteFindings } from '../extract/findings.ts'
import { type LegalName, nameKeysOf } from '../extract/legal-names.ts'
import { type Passage, sentenceAt } from '../extract/passages.ts'
import { isSiteName, type NameRelation, relateToSite } from '../extract/relate-names.ts'
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
    const named = new Set<LegalName>()
    for (const number of passage.numbers) {
      const subject = subjectOf(passage, number)
      if (subject) named.add(subject)
      const company = number.readings.flatMap((reading) => view.companies.get(reading) ?? [])[0]
      if (company) found.claims.push(claimByNumber(findings, view, passage, number, company, subject))
      else found.unknown.push(unknownNumber(findings, passage, number, subject))
    }
    for (const name of passage.names) {
      if (name.country !== null || isForeignHere(passage, name)) continue
      found.claims.push(...claimsByName(findings, view, passage, name, found.claims))
    }
  }
  return found
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
  const reading = readRoleAt(findings, passage, span, number, relation)
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
  return numbers.flatMap((number) => {
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
): { span: Span; agreement: 'name' | 'previous_name' } | null {
  const current = findName(passage.words, toNameKey(company.name), number.start)
  if (current) return { span: withEnding(passage, current), agreement: 'name' }
  for (const { name } of company.previousNames) {
    const previous = findName(passage.words, toNameKey(name), number.start)
    if (previous) return { span: withEnding(passage, previous), agreement: 'previous_name' }
  }
  return null
}

/** The register's key has no legal ending; the printed name has. */
function withEnding({ text }: Passage, span: Span): Span {
  const ending =
    /^[\s,]*(?:limited liability partnership|community interest company|public limited company|limited|ltd|plc|llp|cic|c\.i\.c|cyfyngedig|cyf|ccc)\b\.?/i.exec(
      text.slice(span.end, span.end + 40),
    )
  return { start: span.start, end: span.end + (ending?.[0].length ?? 0) }
}

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
  })
  if (number && OWN_NUMBER.test(passage.text.slice(Math.max(0, number.start - 60), number.start))) {
    return { role: 'operator', cue: 'our company number' }
  }
  if (reading.role === 'operator' || reading.role === 'denied') return reading
  const inside = (outer: Span) => span.start < outer.end && outer.start < span.end
  if (passage.outbound.some(inside) && relation.level !== 'same')
    return { role: 'third_party', cue: 'a link to another site' }
  if (passage.quoted) return { role: 'third_party', cue: 'a quotation' }
  const heading = passage.headings.at(-1) ?? ''
  if (reading.role === 'stated' && OTHERS_HEADING.test(heading) && relation.level !== 'same') {
    return { role: 'third_party', cue: heading }
  }
  return reading
}

/** In "A Ltd (No. 1) and B Ltd (No. 2)" what is said of A is said of B. */
function partnerBefore(passage: Passage, span: Span): Span | null {
  const previous = passage.names.filter(({ end }) => end <= span.start).at(-1)
  if (!previous || sentenceAt(passage, previous.start).start !== sentenceAt(passage, span.start).start) return null
  const between = passage.text.slice(previous.end, span.start)
  if (!/(?:,|;|\band|&|\/|\bor)\s*$/i.test(between)) return null
  const rest = between.replaceAll(
    /\([^)]{0,60}\)|\d+|\b(?:and|or|no|nos|number|company|registered|reg)\b|[^\p{L}]/giu,
    '',
  )
  return rest === '' ? previous : null
}

const OWN_NUMBER = /\bour (?:own )?(?:uk )?(?:company|registered|registration|co\.?)[^.;]{0,30}$/i

/** The sentence of the name, with what introduces it when that stands in a box or line of its own ("Website by | …"). */
function sentenceWithLead(passage: Passage, span: Span): Span {
  const sentence = sentenceAt(passage, span.start)
  if (passage.text.slice(sentence.start, span.start).trim() !== '') return sentence
  const place = passage.sentences.findIndex(({ start }) => start === sentence.start)
  const previous = passage.sentences[place - 1]
  if (!previous) return sentence
  const lead = passage.text.slice(previous.start, previous.end)
  const introduces = lead.length <= 40 && /(?:\bby|:)$/i.test(lead)
  return introduces ? { start: previous.start, end: sentence.end } : sentence
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
