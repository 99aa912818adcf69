import { parseCompanyNumber } from '../../register/words/index.ts'
import { findLabels, type Label } from './number-labels.ts'
import type { Span } from './sentences.ts'

/** A number that the text around it labels as a UK company number. */
export interface NumberMention extends Span {
  printed: string
  /** In the register's form; several if the prefix is missing, the most likely first. */
  readings: string[]
  label: string
  /** Characters between the label and the number. */
  distance: number
  /** `stated`: the label says company. `implied`: a bare "No.", or a bracket after a name or country. */
  certainty: 'stated' | 'implied'
  jurisdiction: Jurisdiction | null
}

type Jurisdiction = 'england and wales' | 'scotland' | 'northern ireland' | 'uk'

/** A number of another kind, or of another country's register. */
export interface OtherNumber extends Span {
  printed: string
  of: string
  foreign: boolean
}

/** Digits without a label that have the length of a company number. */
export interface BareNumber extends Span {
  printed: string
  reading: string
}

interface NumbersFound {
  companies: NumberMention[]
  others: OtherNumber[]
  bare: BareNumber[]
}

const PREFIXES =
  'SC|NI|OC|SO|NC|LP|SL|NL|FC|SF|NF|BR|IP|SP|NP|RS|RC|SR|NR|ZC|SZ|NZ|GE|GS|GN|CE|CS|IC|SI|AC|SA|NA|ES|PC|RO|R0'

/** Also 1,051,914. Digits right after a letter belong to another scheme, unless the letter ends a label. */
const DIGITS =
  /(?<![A-Za-z\d]|[A-Za-z]-)(?:\d{1,2},\d{3},\d{3}(?![\d,])|\d(?:[ .‐‑-]?\d){4,})(?![A-Za-z]\b)|(?<=(?:number|no|nos|registration|company|wales|england|scotland|ireland|crn|reg))\d(?:[ .‐‑-]?\d){4,}(?![A-Za-z]\b)/gi

/** Right after these, a lower-case prefix that is also a word belongs to a number. */
const AFTER_LABEL = '(?<=(?:number|no\\.?|registration|reg\\.?|llp)[: ]{1,3})'

/** Eight characters with the letter O for a zero: "1OO21748". */
const LETTERS_FOR_ZEROS =
  /(?<![A-Za-z\d])(?=\d*O)(?=(?:\D*\d){5})\d[\dO]{7}(?![A-Za-z\d])|(?<![A-Za-z\d])O(?=(?:\D*\d){6})[\dO]{7}(?![A-Za-z\d])/g

/** In lower case, only the prefixes that are not also a word or country. */
const PREFIXED = new RegExp(
  `(?<![A-Za-z0-9])(${PREFIXES}|sc|ni|oc|nc|lp|sl|fc|Sc|Ni|Oc|${AFTER_LABEL}(?:so|sf|rs|ip|sp|ce|ge|gs|nl|So))[ .:-]{0,2}(\\d(?:[ .]?\\d){3,6})(R?)(?![A-Za-z0-9])`,
  'g',
)

/** Numbers printed by templates. Some belong to real companies, which have nothing to do with the site. */
const PLACEHOLDERS = /^(?:0{6,8}|1{8}|9{8}|12345678|01234567|87654321|98765432|00012345|00123456|11223344|X+)$/

/** Letters that no UK number begins with: "C 72941", "HE 345678". */
const OTHER_SCHEME = /(?:^|[^\w.])(?!NO|NR|REG|CO|CRN|UK|LTD|PLC|LLP|CIC|CYF|NOS|NUM)[A-Z]{1,3}[ -]$/

/** Numbers of Scottish charities look like those of Scottish companies. */
const CHARITY_BEFORE = /\bcharit(?:y|ies)\b(?!.*\bcompan(?:y|ies)\b)/i

const LABEL_REACH = 75

/** "Example Ltd 01234567", "Example Limited: 01234567". */
const AFTER_NAME = /\b(?:limited|ltd|plc|llp|cic|cyf)\.?[\s:,(–-]{1,4}$/i
/** Numbers of registered societies and charitable incorporated organisations. */
const SOCIETY = /^(?:RS|IP|SP|NP|CE|CS)$/

/** Finds company numbers, and separates them from similar numbers by the nearest words. */
export function findCompanyNumbers(text: string): NumbersFound {
  const found: NumbersFound = { companies: [], others: [], bare: [] }
  if (!/\d/.test(text)) return found
  const candidates = findCandidates(text)
  if (candidates.length === 0) return found
  const labels = findLabels(text)
  const labelled: Span[] = []
  for (const candidate of candidates) {
    if (PLACEHOLDERS.test(candidate.digits) || isInUrlOrAddress(text, candidate)) continue
    const reading = readCandidate(text, candidate, labels, labelled)
    if (reading === null) {
      const bare = readBare(text, candidate)
      if (bare) found.bare.push(bare)
      continue
    }
    labelled.push(candidate)
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
  for (const match of text.matchAll(LETTERS_FOR_ZEROS)) {
    const [start, end] = [match.index, match.index + match[0].length]
    candidates.push({ start, end, prefix: null, digits: match[0].replaceAll(/[Oo]/g, '0') })
  }
  for (const match of text.matchAll(DIGITS)) {
    for (const run of splitRun(match[0], match.index)) {
      if (!candidates.some((one) => one.start < run.end && run.start < one.end)) candidates.push(run)
    }
  }
  return candidates.sort((one, other) => one.start - other.start)
}

/** Splits a run of digits: "0123 4567" is one number, "04999990 2024" two. Groups of seven or eight digits are whole numbers. */
function splitRun(run: string, at: number): Candidate[] {
  const digits = run.replaceAll(/\D/g, '')
  const whole = { start: at, end: at + run.length, prefix: null, digits }
  if (digits.length <= 8) return [whole]
  // "11029963 7 Coopers Row": a whole number, then the start of an address.
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
  labelled: Span[],
): NumberMention | OtherNumber | null {
  const { start, end, prefix, digits } = candidate
  const printed = text.slice(start, end)
  const label = findLabel(text, candidate, labels, labelled)
  const toOther = (of: string, foreign: boolean): OtherNumber => ({ start, end, printed, of, foreign })
  // Right after a company's name, or with the letters of a society, it is a company's number whatever is before it.
  if (
    label?.kind === 'other' &&
    (AFTER_NAME.test(text.slice(Math.max(0, start - 24), start)) || SOCIETY.test(prefix ?? ''))
  )
    return null
  if (label?.kind === 'other') return toOther(label.of, false)
  if (prefix === 'SC' && CHARITY_BEFORE.test(text.slice(Math.max(0, start - 100), start)))
    return toOther('charity', false)
  if (label?.kind === 'foreign') return toOther(label.of, true)
  // Short numbers must be in one piece: "161-167 High Street" is none.
  const isShortAndSplit = prefix === null && digits.length < 7 && printed !== digits
  if (digits.length > 8 || (isShortAndSplit && !isRightAfterLabel(printed, label, start))) return null
  // A number that begins with 44 is a telephone's only after a plus sign.
  if (printed.startsWith('0044') || /\+\s?$/.test(text.slice(Math.max(0, start - 2), start))) return null
  // "no. 12767/2018" is a case or a permit.
  if (prefix === null && /^\/(?:19|20)?\d\d\b/.test(text.slice(end, end + 6))) return toOther('a case', false)
  if (prefix === null && OTHER_SCHEME.test(text.slice(Math.max(0, start - 8), start)))
    return toOther('another scheme', false)
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

/** True for two groups of three digits right after a company label: "Company number 482 913". */
function isRightAfterLabel(printed: string, label: Label | null, start: number): boolean {
  return label?.kind === 'company' && start - label.end <= 25 && /^\d{3}[ .]\d{3}$/.test(printed)
}

/** Returns the number's label: the nearest before it, unless that label has its number already; or else one after it. */
function findLabel(text: string, candidate: Candidate, labels: Label[], labelled: Span[]): Label | null {
  const before = labels.filter(({ end }) => end <= candidate.start && candidate.start - end <= LABEL_REACH)
  const last = before.at(-1) ?? null
  const previous = labelled.at(-1)
  if (last && previous && previous.start > last.end) {
    // The label has its number already. It also applies to a list ("numbers 0123…, 0456…"), but to nothing else.
    const between = text.slice(previous.end, candidate.start)
    if (!/^\s*(?:[,;/&]|and|or)\s*(?:[,;/&]|and|or)?\s*$/.test(between)) return findLabelAfter(text, candidate, labels)
  }
  if (last === null) return findLabelAfter(text, candidate, labels)
  if (last.kind === 'other' || last.kind === 'foreign') return last
  return (
    findForeignLabel(text, last, before, candidate, labels) ??
    (last.kind === 'company' ? last : qualifyGeneric(text, last, before, candidate))
  )
}

/** Finds the foreign label in "registered in the Republic of Ireland, company number 397073" and "Company No. 12345, incorporated in Jersey". */
function findForeignLabel(
  text: string,
  label: Label,
  before: Label[],
  candidate: Candidate,
  labels: Label[],
): Label | null {
  if (candidate.prefix !== null) return null
  const country = before.findLast(({ kind, text: words }) => kind === 'foreign' || UK_WORDS.test(words))
  if (country && country.kind === 'foreign' && !/\d{5,}|[.]\s+\p{Lu}/u.test(text.slice(country.end, label.start)))
    return country
  const next = labels.find(({ start }) => start >= candidate.end)
  if (
    next?.kind === 'foreign' &&
    next.start - candidate.end <= 30 &&
    !/[.|;]|\d/.test(text.slice(candidate.end, next.start))
  )
    return next
  return null
}

const UK_WORDS =
  /\b(?:england|wales|scotland|northern ireland|uk|united kingdom|cardiff|edinburgh|belfast|companies house)\b/i

/** Finds what a generic "Reg. No." refers to: after "Financial Conduct Authority" it is the authority's number. */
function qualifyGeneric(text: string, generic: Label, before: Label[], candidate: Candidate): Label {
  for (const label of before.toReversed()) {
    if (label === generic || label.kind === 'generic') continue
    const between = text.slice(label.end, generic.start)
    if (between.length > 60 || /\d{5,}/.test(between)) break
    // A whole sentence between them separates the earlier label from this one.
    if (/[.|•·\n]\s*\S.*[.|•·\n]/.test(between)) break
    if (label.kind === 'company') return label
    // Numbers of regulators have fewer than eight digits.
    if (candidate.digits.length < 8 || between.trim().length <= 3) return label
  }
  return generic
}

/** Finds a label behind the number: "04999990 (company number)", "SC012345, a Scottish charity". */
function findLabelAfter(text: string, candidate: Candidate, labels: Label[]): Label | null {
  const next = labels.find(({ start }) => start >= candidate.end && start - candidate.end <= 4)
  const isForThisNumber = next && !/^\W{0,4}(?:[A-Z]{2})?\W?\d/.test(text.slice(next.end, next.end + 8))
  if (next && isForThisNumber && next.kind !== 'generic') return next
  // A bracket right after a name or a country: "Example Ltd (04999990)", "registered in Wales [04999990]".
  const introduced =
    /[([]\s*$|(?:ltd|limited|plc|llp|cyf|cic|england(?: (?:and|&) wales)?|wales|scotland|northern ireland|companies house|company)\.?[\s,:–-]*$/i.exec(
      text.slice(0, candidate.start),
    )
  if (!introduced) return null
  return { start: candidate.start, end: candidate.start, kind: 'generic', of: '', text: '' }
}

function isDate(digits: string): boolean {
  return /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$|^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d$/.test(
    digits,
  )
}

const JURISDICTION_WORDS: Array<[RegExp, Jurisdiction]> = [
  [/\bscotland\b|\bscottish\b|\byr alban\b|\bedinburgh\b/gi, 'scotland'],
  [/\bnorthern ireland\b|\bn\.? ?ireland\b|\bbelfast\b/gi, 'northern ireland'],
  [/\bengland\b|\bwales\b|\benglish\b|\bwelsh\b|\bcardiff\b|\bnghymru\b|\blloegr\b|\bcymru\b/gi, 'england and wales'],
  [/\bunited kingdom\b|\buk\b|\bgreat britain\b|\bbritish\b/gi, 'uk'],
]

/** Returns the jurisdiction whose words are nearest to the number. */
function findJurisdiction(text: string, { start, end }: Span): Jurisdiction | null {
  const from = Math.max(0, start - 120)
  const around = text.slice(from, end + 60)
  let best: { jurisdiction: Jurisdiction; distance: number } | null = null
  for (const [pattern, jurisdiction] of JURISDICTION_WORDS) {
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
  // Leading zeros are missing. Six digits or fewer need a label that says company.
  if (digits.length === 7) return [plain]
  return label?.kind === 'company' ? [plain] : []
}
