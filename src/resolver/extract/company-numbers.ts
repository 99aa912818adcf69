import { parseCompanyNumber } from '../../register/index.ts'
import { findLabels, type Label } from './number-labels.ts'
import type { Span } from './sentences.ts'

/** A number that the words around it call a UK company number. */
export interface NumberMention extends Span {
  printed: string
  /** As the register writes it; several when a missing prefix leaves a choice, likeliest first. */
  readings: string[]
  label: string
  /** Characters between the label and the number. */
  distance: number
  /** `stated`: the label says company; `implied`: a bare "No." or a bracket after a name or place. */
  certainty: 'stated' | 'implied'
  jurisdiction: Jurisdiction | null
}

export type Jurisdiction = 'england and wales' | 'scotland' | 'northern ireland' | 'uk'

/** A number that is something else, and what. */
export interface OtherNumber extends Span {
  printed: string
  of: string
  foreign: boolean
}

/** Digits that nobody calls anything, but that have the length of a company number. */
export interface BareNumber extends Span {
  printed: string
  reading: string
}

export interface NumbersFound {
  companies: NumberMention[]
  others: OtherNumber[]
  bare: BareNumber[]
}

const PREFIXES =
  'SC|NI|OC|SO|NC|LP|SL|NL|FC|SF|NF|BR|IP|SP|NP|RS|RC|SR|NR|ZC|SZ|NZ|GE|GS|GN|CE|CS|IC|SI|AC|SA|NA|ES|PC|RO|R0'

/** Also as a calculator writes them, 1,051,914. A letter right before is another scheme's, unless it ends a label. */
const DIGITS =
  /(?<![A-Za-z\d]|[A-Za-z]-)(?:\d{1,2},\d{3},\d{3}(?![\d,])|\d(?:[ .-]?\d){4,})(?![A-Za-z]\b)|(?<=(?:number|no|nos|registration|company|wales|england|scotland|ireland|crn|reg))\d(?:[ .-]?\d){4,}(?![A-Za-z]\b)/gi

/** In small letters only those that are no word or country. */
const PREFIXED = new RegExp(
  `(?<![A-Za-z0-9])(${PREFIXES}|sc|ni|oc|nc|lp|sl|fc|Sc|Ni|Oc)[ .:-]{0,2}(\\d(?:[ .]?\\d){3,6})(R?)(?![A-Za-z0-9])`,
  'g',
)

/** Numbers that templates print; some belong to real companies, none of which put them there. */
const PLACEHOLDERS = /^(?:0{6,8}|1{8}|9{8}|12345678|01234567|87654321|98765432|00012345|00123456|11223344|X+)$/

/** "C 72941", "HE 345678": letters that no UK number begins with. */
const OTHER_SCHEME = /(?:^|[^\w.])(?!NO|NR|REG|CO|CRN|UK|LTD|PLC|LLP|CIC|CYF|NOS|NUM)[A-Z]{1,3}[ -]$/

/** Scottish charities' numbers look like Scottish companies'. */
const CHARITY_BEFORE = /\bcharit(?:y|ies)\b(?!.*\bcompan(?:y|ies)\b)/i

const LABEL_REACH = 75

/** Finds company numbers and tells them from the look-alikes by the nearest words. */
export function findCompanyNumbers(text: string): NumbersFound {
  const found: NumbersFound = { companies: [], others: [], bare: [] }
  if (!/\d/.test(text)) return found
  const candidates = findCandidates(text)
  if (candidates.length === 0) return found
  const labels = findLabels(text)
  const taken: Span[] = []
  for (const candidate of candidates) {
    if (PLACEHOLDERS.test(candidate.digits) || isInUrlOrAddress(text, candidate)) continue
    const reading = readCandidate(text, candidate, labels, taken)
    if (reading === null) {
      const bare = readBare(text, candidate)
      if (bare) found.bare.push(bare)
      continue
    }
    taken.push(candidate)
    if ('of' in reading) found.others.push(reading)
    else found.companies.push(reading)
  }
  return found
}

function readBare(text: string, { start, end, prefix, digits }: Candidate): BareNumber | null {
  if (prefix === null && (digits.length < 6 || digits.length > 8)) return null
  const reading = parseCompanyNumber((prefix ?? '') + digits)
  return reading === null ? null : { start, end, printed: text.slice(start, end), reading }
}

interface Candidate extends Span {
  prefix: string | null
  digits: string
}

function findCandidates(text: string): Candidate[] {
  const candidates: Candidate[] = []
  for (const match of text.matchAll(PREFIXED)) {
    const [start, end] = [match.index, match.index + match[0].length]
    candidates.push({
      start,
      end,
      prefix: (match[1] ?? '').toUpperCase(),
      digits: (match[2] ?? '').replaceAll(/[ .]/g, '') + match[3],
    })
  }
  for (const match of text.matchAll(DIGITS)) {
    for (const run of splitRun(match[0], match.index)) {
      if (!candidates.some((one) => one.start < run.end && run.start < one.end)) candidates.push(run)
    }
  }
  return candidates.sort((one, other) => one.start - other.start)
}

/** "0123 4567" is one number, "04999990 2024" two: whole groups of seven or eight digits stand for themselves. */
function splitRun(run: string, at: number): Candidate[] {
  const digits = run.replaceAll(/\D/g, '')
  const whole = { start: at, end: at + run.length, prefix: null, digits }
  if (digits.length <= 8) return [whole]
  // "11029963 7 Coopers Row": a whole number, and the beginning of an address.
  const first = /^\d{8}(?=[ .]\d{1,3}$)/.exec(run)?.[0]
  if (first) return [{ start: at, end: at + first.length, prefix: null, digits: first }]
  const parts = [...run.matchAll(/\d+/g)]
    .filter(([part]) => part.length === 7 || part.length === 8)
    .map((part) => ({ start: at + part.index, end: at + part.index + part[0].length, prefix: null, digits: part[0] }))
  return parts.length > 0 && digits.length > 11 ? parts : parts.length === 1 && digits.length >= 12 ? parts : [whole]
}

function isInUrlOrAddress(text: string, { start, end }: Span): boolean {
  const before = text.slice(Math.max(0, start - 30), start)
  return /[@/=_£$€]\S*$/.test(before) || /^[\w@]*@|^%|^(?:st|nd|rd|th)\b/.test(text.slice(end, end + 20))
}

function readCandidate(
  text: string,
  candidate: Candidate,
  labels: Label[],
  taken: Span[],
): NumberMention | OtherNumber | null {
  const { start, end, prefix, digits } = candidate
  const printed = text.slice(start, end)
  const label = nearestLabel(text, candidate, labels, taken)
  const other = (of: string, foreign: boolean): OtherNumber => ({ start, end, printed, of, foreign })
  if (label?.kind === 'other') return other(label.of, false)
  if (prefix === 'SC' && CHARITY_BEFORE.test(text.slice(Math.max(0, start - 100), start)))
    return other('charity', false)
  if (label?.kind === 'foreign') return other(label.of, true)
  // Short ones are believed in one piece only: "161-167 High Street" is none.
  const isBroken = prefix === null && digits.length < 7 && printed !== digits
  if (digits.length > 8 || (isBroken && !isCalled(printed, label, start))) return null
  if (/^(?:\+?44|0044)/.test(printed)) return null
  if (prefix === null && OTHER_SCHEME.test(text.slice(Math.max(0, start - 8), start)))
    return other('another scheme', false)
  if (prefix === null && label === null) return null
  if (label !== null && isDate(digits) && label.kind === 'generic') return null
  const jurisdiction = findJurisdiction(text, candidate)
  const readings = readNumber(prefix, digits, jurisdiction, label)
  if (readings.length === 0) return null
  return {
    start,
    end,
    printed,
    readings,
    label: label?.text.trim() ?? '',
    distance: label === null ? 0 : Math.max(0, start - label.end),
    certainty: label?.kind === 'company' ? 'stated' : 'implied',
    jurisdiction,
  }
}

/** "Company number 482 913": halves are believed right after such a label. */
function isCalled(printed: string, label: Label | null, start: number): boolean {
  return label?.kind === 'company' && start - label.end <= 25 && /^\d{3}[ .]\d{3}$/.test(printed)
}

/** The label that speaks for this number: the nearest before it, unless another number has used it already. */
function nearestLabel(text: string, candidate: Candidate, labels: Label[], taken: Span[]): Label | null {
  const before = labels.filter(({ end }) => end <= candidate.start && candidate.start - end <= LABEL_REACH)
  const last = before.at(-1) ?? null
  const previous = taken.at(-1)
  if (last && previous && previous.start > last.end) {
    // The label's own number came first. A list goes on ("numbers 0123…, 0456…"); anything else is a new matter.
    const between = text.slice(previous.end, candidate.start)
    if (!/^\s*(?:[,;/&]|and|or)\s*(?:[,;/&]|and|or)?\s*$/.test(between)) return after(text, candidate, labels)
  }
  if (last === null) return after(text, candidate, labels)
  if (last.kind === 'other' || last.kind === 'foreign') return last
  return (
    foreignNearby(text, last, before, candidate, labels) ??
    (last.kind === 'company' ? last : qualify(text, last, before, candidate))
  )
}

/** "registered in the Republic of Ireland, company number 397073", "Company No. 12345, incorporated in Jersey". */
function foreignNearby(
  text: string,
  label: Label,
  before: Label[],
  candidate: Candidate,
  labels: Label[],
): Label | null {
  if (candidate.prefix !== null) return null
  const place = before.findLast(({ kind, text: words }) => kind === 'foreign' || UK_PLACE.test(words))
  if (place && place.kind === 'foreign' && !/\d{5,}|[.]\s+\p{Lu}/u.test(text.slice(place.end, label.start)))
    return place
  const next = labels.find(({ start }) => start >= candidate.end)
  if (
    next?.kind === 'foreign' &&
    next.start - candidate.end <= 30 &&
    !/[.|;]|\d/.test(text.slice(candidate.end, next.start))
  )
    return next
  return null
}

const UK_PLACE =
  /\b(?:england|wales|scotland|northern ireland|uk|united kingdom|cardiff|edinburgh|belfast|companies house)\b/i

/** "Reg. No." after "Financial Conduct Authority" is the authority's; after a company's name or place, the register's. */
function qualify(text: string, generic: Label, before: Label[], candidate: Candidate): Label {
  for (const label of before.toReversed()) {
    if (label === generic || label.kind === 'generic') continue
    const between = text.slice(label.end, generic.start)
    if (between.length > 60 || /\d{5,}/.test(between)) break
    // A sentence between them ends what the earlier word said, but not for a regulator's name right before.
    if (/[.|•·\n]\s*\S.*[.|•·\n]/.test(between)) break
    if (label.kind === 'company') return label
    // Eight digits are no regulator's number; six or seven may be.
    if (candidate.digits.length < 8 || between.trim().length <= 3) return label
  }
  return generic
}

/** "04999990 (company number)", "SC012345, a Scottish charity". */
function after(text: string, candidate: Candidate, labels: Label[]): Label | null {
  const next = labels.find(({ start }) => start >= candidate.end && start - candidate.end <= 4)
  const isItsOwn = next && !/^\W{0,4}(?:[A-Z]{2})?\W?\d/.test(text.slice(next.end, next.end + 8))
  if (next && isItsOwn && next.kind !== 'generic') return next
  // A bracket right after a name or a place: "Example Ltd (04999990)", "registered in Wales [04999990]".
  const opened =
    /[([]\s*$|(?:ltd|limited|plc|llp|cyf|cic|england(?: (?:and|&) wales)?|wales|scotland|northern ireland|companies house|company)\.?[\s,:–-]*$/i.exec(
      text.slice(0, candidate.start),
    )
  if (!opened) return null
  return { start: candidate.start, end: candidate.start, kind: 'generic', of: '', text: '' }
}

function isDate(digits: string): boolean {
  return /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$|^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d$/.test(
    digits,
  )
}

const PLACES: Array<[RegExp, Jurisdiction]> = [
  [/\bscotland\b|\bscottish\b|\byr alban\b|\bedinburgh\b/gi, 'scotland'],
  [/\bnorthern ireland\b|\bn\.? ?ireland\b|\bbelfast\b/gi, 'northern ireland'],
  [/\bengland\b|\bwales\b|\benglish\b|\bwelsh\b|\bcardiff\b|\bnghymru\b|\blloegr\b|\bcymru\b/gi, 'england and wales'],
  [/\bunited kingdom\b|\buk\b|\bgreat britain\b|\bbritish\b/gi, 'uk'],
]

/** The place words nearest to the number, in the same block and not far. */
function findJurisdiction(text: string, { start, end }: Span): Jurisdiction | null {
  const from = Math.max(0, start - 120)
  const around = text.slice(from, end + 60)
  let best: { jurisdiction: Jurisdiction; distance: number } | null = null
  for (const [pattern, jurisdiction] of PLACES) {
    for (const match of around.matchAll(pattern)) {
      const at = from + match.index
      const distance = at < start ? start - (at + match[0].length) : (at - end) * 1.5
      if (best === null || distance < best.distance) best = { jurisdiction, distance }
    }
  }
  return best?.jurisdiction ?? null
}

function readNumber(
  prefix: string | null,
  digits: string,
  jurisdiction: Jurisdiction | null,
  label: Label | null,
): string[] {
  if (prefix !== null) {
    const number = parseCompanyNumber(prefix + digits)
    return number === null ? [] : [number]
  }
  const plain = parseCompanyNumber(digits)
  if (plain === null) return []
  if (digits.length === 8) return [plain]
  if (digits.length <= 6 && jurisdiction === 'scotland') return [`SC${digits.padStart(6, '0')}`]
  if (digits.length <= 6 && jurisdiction === 'northern ireland') {
    return [`NI${digits.padStart(6, '0')}`, `R0${digits.padStart(6, '0')}`]
  }
  // Fewer digits than a number has: zeros were left off, which only a label that says company makes believable.
  if (digits.length === 7) return [plain]
  return label?.kind === 'company' ? [plain] : []
}
