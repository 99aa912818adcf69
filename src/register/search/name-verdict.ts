/**
 * Which company a row of a list means, or why a person must decide. Pure. A wrong match costs more than none, so a row
 * is matched only on one of these grounds:
 *
 * 1. `number`: the row has the company's number, and its name, if it has one, is not a different one.
 * 2. `name_and_postcode`: the row has the company's name, and the postcode of its registered office. Of companies that
 *    share a name, the postcode may leave one; if no office has the whole postcode, its first half may.
 * 3. `name`: exactly one company on the register has this name, no postcode is given or the register has none, and the row
 *    writes the legal ending or a name of two words or more.
 * 4. `full_name`: exactly one company has, or had, this name; the row writes its legal ending; the name has a word that no other
 *    name has; and no company at the postcode has a name like it. The list's postcode is then that of a shop or a depot.
 * 5. `misspelt_at_postcode`: one company at the very postcode has the name but for its order of words, its spaces, or one or
 *    two letters in words that hardly any name has as the row spells them; and no company elsewhere has or had the name.
 *
 * A person decides on everything else that was found: previous names, companies that have ended, another legal form, names
 * with words too many or too few, another postcode, and a number whose company has a different name.
 *
 * Measured: on the first three grounds and on the fifth, a wrong match is a row whose slip makes it the
 * name of another company at the same postcode. Without the word of its own, the fourth matches GREEN FOODS LTD with a company
 * elsewhere although GREEN VALLEY FOODS LTD is meant.
 */
import { compareNames, type NameDifference } from './compare-names.ts'
import type { Candidate, NameQuery } from './name-candidates.ts'
import { toNameKey } from './name-key.ts'
import { compareOffices, type Office } from './office.ts'

export interface NameMatch {
  verdict: 'matched' | 'needs_review' | 'no_match'
  /** The matched company's. */
  companyNumber: string | null
  /** How often a match on this ground is right, as measured; null without a match. */
  confidence: number | null
  /** In words for the person who sent the row. */
  reason: string
  /** Best first, at most five. */
  candidates: NameCandidate[]
}

export interface NameCandidate {
  number: string
  name: string
  status: string
  postcode: string | null
  /** From 0 to 100. */
  score: number
  why: string
}

type Ground = 'number' | 'name_and_postcode' | 'name' | 'full_name' | 'misspelt_at_postcode'

interface AskedRow {
  query: NameQuery
  /** Best first. */
  candidates: readonly Candidate[]
  /** How many names of the register have a word. */
  counts: ReadonlyMap<string, number>
}

const CANDIDATES_SHOWN_MAX = 5
const OWN_WORD_LETTERS_MIN = 4
/** A name less like is not worth a person's time; at the same postcode or area, a less like one is. */
const REVIEW_LIKENESS_MIN = 0.6
const REVIEW_LIKENESS_NEARBY_MIN = 0.5

const CONFIDENCE: Record<Ground, number> = {
  number: 0.999,
  name_and_postcode: 0.999,
  name: 0.99,
  full_name: 0.99,
  misspelt_at_postcode: 0.995,
}

const REASONS: Record<Ground, string> = {
  number: 'The row has the number of this company.',
  name_and_postcode: 'The name and the postcode of the registered office are those of one company on the register.',
  name: 'Exactly one company on the register has this name.',
  full_name:
    'Exactly one company on the register has this full name. Its registered office is at another postcode, which is usual for a list of trading addresses.',
  misspelt_at_postcode:
    'One company at this postcode has this name in a slightly different spelling, and no other company has a name as near.',
}

/** A candidate beside the row: how its name and its office compare. */
interface Compared extends Candidate {
  difference: NameDifference
  office: Office
  isSlip: boolean
}

export function decideRow(row: AskedRow): NameMatch {
  const { query, candidates, counts } = row
  const compared = candidates.map((one) => compare(query, one, counts))
  const decided = query.number === null ? decideByName(row, compared) : decideByNumber(query, compared)
  if (!('ground' in decided)) {
    const { verdict, reason } = decided
    return { verdict, companyNumber: null, confidence: null, reason, candidates: presentBest(compared) }
  }
  const { ground, company } = decided
  const [meant, others] = [
    compared.filter((one) => one.company === company),
    compared.filter((one) => one.company !== company),
  ]
  return {
    verdict: 'matched',
    companyNumber: company.number,
    confidence: CONFIDENCE[ground],
    reason: REASONS[ground],
    candidates: presentBest([...meant, ...others]),
  }
}

type Decided = { ground: Ground; company: Candidate['company'] } | Pick<NameMatch, 'verdict' | 'reason'>

const noMatch = (reason: string): Decided => ({ verdict: 'no_match', reason })
const review = (reason: string): Decided => ({ verdict: 'needs_review', reason })

function decideByNumber(query: NameQuery, compared: readonly Compared[]): Decided {
  const numbered = compared.find(({ by }) => by === 'number')
  if (!numbered) {
    return compared.some(isWorthReview)
      ? review('No company on the register has this number, but one has a name like this one.')
      : noMatch('No company on the register has this number.')
  }
  if (query.nameKey === '' || isNameOf(query.nameKey, numbered)) return { ground: 'number', company: numbered.company }
  return review(`The number is that of ${numbered.company.name}, which is not the name in the row.`)
}

function isNameOf(nameKey: string, { company, difference }: Compared): boolean {
  const differences = [
    difference,
    ...company.previousNames.map(({ name }) => compareNames(nameKey, toNameKey(name)).difference),
  ]
  return differences.some((one) => one !== 'other')
}

function decideByName(row: AskedRow, compared: readonly Compared[]): Decided {
  if (row.query.nameKey === '') return noMatch('The row has neither a name nor a number to look for.')
  const exact = compared.filter(({ by, isLive }) => isLive && (by === 'name' || by === 'letters'))
  return exact.length > 0 ? decideExact(row, compared, exact) : decideNear(compared)
}

function decideExact(row: AskedRow, compared: readonly Compared[], exact: readonly Compared[]): Decided {
  const fitting = exact.filter(({ hasOtherForm }) => !hasOtherForm)
  const here = fitting.filter(({ office }) => office === 'same')
  const near = here.length > 0 ? here : fitting.filter(({ office }) => office === 'near')
  const [only] = near.length > 0 ? near : fitting
  if (!only) return review('A company has this name, but with another legal ending.')
  if (near.length === 1) return { ground: 'name_and_postcode', company: only.company }
  if (exact.length > 1) return review('Several companies on the register have this name.')
  if (only.by === 'letters') return review('A company has this name but for its spaces.')
  if (only.office === 'unknown') return decideWithoutPostcode(row, only)
  return isFullName(row, only, compared)
    ? { ground: 'full_name', company: only.company }
    : review('A company has this name, but its registered office is at another postcode.')
}

function decideWithoutPostcode({ query }: AskedRow, { company }: Compared): Decided {
  return query.legalForm !== null || query.nameKey.includes(' ')
    ? { ground: 'name', company }
    : review('A company has this name, but one word without a postcode may mean another business.')
}

function isFullName({ query, counts }: AskedRow, one: Compared, compared: readonly Compared[]): boolean {
  if (query.legalForm === null || compared.some((other) => other !== one && isRival(other))) return false
  const names = [one.company.name, ...one.company.previousNames.map(({ name }) => name)].map(toNameKey)
  const own = (word: string) => new Set(names.filter((name) => name.split(' ').includes(word))).size
  return query.nameKey
    .split(' ')
    .some((word) => word.length >= OWN_WORD_LETTERS_MIN && (counts.get(word) ?? 0) <= own(word))
}

/** Another company that has or had the name, or one at the postcode whose name is like it. */
function isRival({ by, office, difference }: Compared): boolean {
  return by === 'name' || by === 'letters' || by === 'previous_name' || (office === 'same' && difference !== 'other')
}

function decideNear(compared: readonly Compared[]): Decided {
  const slips = compared.filter(({ isSlip }) => isSlip)
  const [slip] = slips
  const isExactElsewhere = compared.some(({ difference, by }) => difference === 'same' || by === 'previous_name')
  if (slip && slips.length === 1 && slip.office === 'same' && !isExactElsewhere)
    return { ground: 'misspelt_at_postcode', company: slip.company }
  if (compared.some(({ by, isLive }) => !isLive && (by === 'name' || by === 'letters')))
    return review('The company of this name has left the register.')
  if (compared.some(({ by }) => by === 'previous_name')) return review('A company had this name before.')
  if (compared.some(isWorthReview)) return review('A company has a name like this one.')
  return noMatch('No company on the register has this name, or one near enough to it.')
}

function isWorthReview({ likeness, office }: Compared): boolean {
  const isNearby = office === 'same' || office === 'near'
  return likeness >= (isNearby ? REVIEW_LIKENESS_NEARBY_MIN : REVIEW_LIKENESS_MIN)
}

/** Live, of the same legal form, and the name but for a slip of the person who typed it. */
function isSlip(candidate: Candidate, respelt: ReadonlyArray<[string, string]>, counts: AskedRow['counts']): boolean {
  return (
    candidate.isLive && !candidate.hasOtherForm && respelt.every(([typed, meant]) => isLikelySlip(typed, meant, counts))
  )
}

/** A word that names of the register have is no slip, unless the word it is like is far more usual. */
const USUAL_TIMES_MIN = 100

function isLikelySlip(typed: string, meant: string, counts: AskedRow['counts']): boolean {
  const typedCount = counts.get(typed) ?? 0
  return typedCount === 0 || typedCount * USUAL_TIMES_MIN <= (counts.get(meant) ?? 0)
}

function compare(query: NameQuery, candidate: Candidate, counts: AskedRow['counts']): Compared {
  const { difference, respelt } = compareNames(query.nameKey, toNameKey(candidate.company.name))
  return {
    ...candidate,
    difference,
    office: compareOffices(query.postcode, candidate.company),
    isSlip:
      ['letters', 'order', 'misspelt'].includes(difference) &&
      (candidate.by === 'likeness' || candidate.by === 'letters') &&
      isSlip(candidate, respelt, counts),
  }
}

/** Returns the words whose counts `decideRow` needs. */
export function listCountedWords({ query, candidates }: Pick<AskedRow, 'query' | 'candidates'>): string[] {
  if (candidates.some(({ by }) => by === 'name')) return query.nameKey.split(' ')
  return candidates.flatMap(({ company }) => compareNames(query.nameKey, toNameKey(company.name)).respelt.flat())
}

const WHY: Record<NameDifference, string> = {
  same: 'the same name',
  letters: 'the same name but for its spaces',
  order: 'the same words in another order',
  misspelt: 'a name that differs by one or two letters',
  part: 'a name with more or fewer words',
  other: 'a similar name',
}
const WHERE: Record<Office, string> = {
  same: ', the same postcode',
  near: ', the same area of the postcode',
  other: ', another postcode',
  unknown: '',
}

function presentBest(compared: readonly Compared[]): NameCandidate[] {
  return compared.slice(0, CANDIDATES_SHOWN_MAX).map(presentCandidate)
}

function presentCandidate({ company, by, score, difference, office, isLive, hasOtherForm }: Compared): NameCandidate {
  const wasCalled = by === 'previous_name' || by === 'previous_likeness'
  const name = by === 'number' ? 'the number of the row' : wasCalled ? 'a previous name like it' : WHY[difference]
  const why = `${name}${WHERE[office]}${hasOtherForm ? ', another legal ending' : ''}${isLive ? '' : ', no longer on the register'}`
  return {
    number: company.number,
    name: company.name,
    status: company.status,
    postcode: company.address.postcode,
    score,
    why: why.charAt(0).toUpperCase() + why.slice(1),
  }
}
