import type { Company } from '../../register/index.ts'
import type { SiteFindings } from '../extract/findings.ts'
import type { LegalName } from '../extract/legal-names.ts'
import { type Passage, sentenceAt } from '../extract/passages.ts'
import { isOwnName, isSiteName, isSiteWord, type NameRelation } from '../extract/relate-names.ts'
import { type RoleReading, readRole } from '../extract/role.ts'
import type { Span } from '../extract/sentences.ts'
import { findSubject } from './printed-names.ts'

const THIRD_PARTY_HEADING =
  /\b(?:suppliers?|(?:sub-?)?processors?|clients?|case stud(?:y|ies)|partners?|sponsors?|credits|portfolio|registered here|listings?|directory|vacancies|press|notes to editors|sellers?|stockists?|installers?|third part(?:y|ies)|company facts|employment|experience|references)\b/i

/** Reads the role from the sentence, corrected by links, quotes and headings around the passage. */
export function readRoleAt(
  findings: SiteFindings,
  passage: Passage,
  span: Span,
  number: Span | null,
  relation: NameRelation,
  company: Company | null = null,
): RoleReading {
  const partner = findPartnerBefore(passage, span)
  if (partner) return readRoleAt(findings, passage, partner, number, relation, company)
  const whole = sentenceWithLead(passage, span)
  const sentence = {
    start: Math.max(whole.start, span.start - REACH.before),
    end: Math.min(whole.end, span.end + REACH.after),
  }
  // "Acme is operated by:" may be the block above.
  const isLed = span.start === 0 && /(?:\bby|:)\s*$/i.test(passage.lead)
  const lead = isLed ? `${passage.lead.trim()} ` : ''
  const text = lead + passage.text.slice(sentence.start, sentence.end)
  const from = sentence.start - lead.length
  const inSentence = {
    text,
    name: { start: span.start - from, end: Math.min(span.end, sentence.end) - from },
    isOwnName: (piece: string) => isSiteName(piece, findings.identity),
    isOwnWord: (piece: string) => isSiteWord(piece, findings.identity),
  }
  const read = readRole(inSentence)
  const reading =
    read.role === 'denied' && isEmptyDenial(read, text, relation, company) ? readRole(inSentence, 'without') : read
  const isOthers = reading.role === 'third_party' && !isOwnName(relation)
  if (number && !isOthers && OWN_NUMBER.test(passage.text.slice(Math.max(0, number.start - 60), number.start))) {
    return { role: 'operator', cue: 'our_number', scope: 'site', words: 'our company number', isExplicit: true }
  }
  if (reading.role === 'operator' || reading.role === 'denied') return reading
  const overlaps = (outer: Span) => span.start < outer.end && outer.start < span.end
  if (passage.outbound.some(overlaps) && relation.level !== 'same')
    return toThirdParty('outside_link', 'a link to another site')
  if (passage.quoted) return toThirdParty('quotation', 'a quotation')
  const heading = passage.headings.at(-1) ?? ''
  if (reading.role === 'stated' && THIRD_PARTY_HEADING.test(heading) && relation.level !== 'same') {
    return toThirdParty('heading', heading)
  }
  // A company of the site's name has other brands too.
  if (reading.cue === 'trading_name_of_other' && isOwnName(relation)) return { ...reading, role: 'stated' }
  const isPassing =
    reading.role === 'third_party' &&
    ((!reading.isExplicit && isOwnName(relation)) ||
      (number !== null && (relation.level === 'same' || (isOwnName(relation) && isDoneBy(reading)))))
  return isPassing ? { ...reading, role: 'named', isExplicit: false } : reading
}

/** "All work is carried out by": the site's people may speak of their own company so. */
const isDoneBy = ({ cue, words }: RoleReading): boolean => cue === 'service' && /\bby(?: the)?$/i.test(words)

/** More of a sentence says no more about the name in it, and takes time: some sites have no full stops. */
const REACH = { before: 600, after: 400 }

const toThirdParty = (cue: string, words: string): RoleReading => ({
  role: 'third_party',
  cue,
  scope: 'company',
  words,
  isExplicit: true,
})

const THIS_SITE = '(?:this|these|our) (?:web ?)?(?:sites?|pages?|domain|blog|shop|store)'
/** "X is not connected with this site", "X does not run this shop". */
const TIE_DENIED = new RegExp(
  `\\b(?:with|for|of|to|by|own|run|operate|behind|connected|affiliated|associated|us)\\b(?: or [\\w ]{2,20})? (?:${THIS_SITE}|us\\b)`,
  'i',
)
/** Words that a register would show to be true. */
const ENDED_CUES = new Set(['was_dissolved', 'in_insolvency', 'ceased_trading'])
const ENDED_STATUSES = new Set(['dissolved', 'liquidation', 'administration', 'receivership', 'insolvency-proceedings'])

/**
 * True if a sentence denies a duty, or a tie to others, but not that the company runs this site: "X is not responsible for
 * the content of other sites". Every firm's terms have such sentences.
 */
function isEmptyDenial(
  { cue }: RoleReading,
  sentence: string,
  relation: NameRelation,
  company: Company | null,
): boolean {
  if (cue === 'is_not') return isOwnName(relation) && !TIE_DENIED.test(sentence)
  if (cue === 'not_connected') return isOwnName(relation) && /^\W*you\b/i.test(sentence)
  return ENDED_CUES.has(cue) && isOwnName(relation) && company !== null && !ENDED_STATUSES.has(company.status)
}

/** In "A Ltd (No. 1) and B Ltd (No. 2)", B has the role of A: returns A's name. */
function findPartnerBefore(passage: Passage, span: Span): Span | null {
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

/** Returns the sentence of the name, with the one before it if that introduces it ("Website by | …") or is its "it" ("It is run by …"). */
function sentenceWithLead(passage: Passage, span: Span): Span {
  const sentence = sentenceAt(passage, span.start)
  const index = passage.sentences.findIndex(({ start }) => start === sentence.start)
  const previous = passage.sentences[index - 1]
  const before = passage.text.slice(sentence.start, span.start).trim()
  const refersToPrevious = /^(?:it|they) (?:is|are)\b/i.test(before)
  if (!previous || (before !== '' && !refersToPrevious)) return sentence
  const lead = passage.text.slice(previous.start, previous.end)
  const introduces =
    lead.length <= 40 &&
    /(?:\bby|:)$|^(?:legal (?:name|entity)|registered name|company name|operator|owner)$/i.test(lead.trim())
  return introduces || refersToPrevious ? { start: previous.start, end: sentence.end } : sentence
}

/** True if the passage gives another country's register number for this name: "Registered in Ireland No. 348700". */
export function hasForeignNumber(passage: Passage, name: LegalName): boolean {
  return passage.others.some((other) => {
    if (!other.foreign) return false
    const nearest =
      passage.names.filter(({ end }) => end <= other.start).at(-1) ??
      passage.names.find(({ start }) => start >= other.end)
    return nearest === name && !passage.numbers.some((number) => findSubject(passage, number) === name)
  })
}
