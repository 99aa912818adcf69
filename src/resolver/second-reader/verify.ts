/** Checks every word of a second reader's answer against the pages and the register. Nothing else is believed. Pure. */
import { isOffRegister } from '../../register/words/index.ts'
import type { OpenedPage } from '../crawl/crawl.ts'
import { isOwnName, isSiteName } from '../extract/relate-names.ts'
import type { Case, Verdict } from '../match/case.ts'
import type { Claim } from '../match/claims.ts'
import type { Dossier } from '../match/dossier.ts'
import { isLegalText } from '../match/legal-text.ts'
import type { ReaderCase } from './case.ts'
import type { CheckAnswer, FindAnswer } from './task.ts'

/** An answer that holds, or the first reason why it does not. */
export type Verified =
  | { holds: true; dossier: Dossier; page: OpenedPage; quote: string }
  | { holds: false; why: Refusal }

export type Refusal =
  | 'silent'
  | 'not_certain'
  | 'no_candidate'
  | 'no_quote'
  | 'quote_not_on_page'
  | 'quote_to_a_machine'
  | 'quote_without_company'
  | 'dissolved'
  | 'denied'
  | 'not_operator'
  | 'not_about_site'

const CERTAINTY_MIN = 0.8

/** Returns whether the site may be stated as the company's on this answer. */
export function verifyFound(
  answer: FindAnswer,
  { verdict, site }: { verdict: Verdict; site: Case },
  { candidates }: ReaderCase,
): Verified {
  if (answer.decision !== 'match') return refuse('silent')
  if (answer.certainty < CERTAINTY_MIN) return refuse('not_certain')
  const number = answer.company_number ?? ''
  const dossier = site.dossiers.find(({ company }) => company.number === number)
  if (!dossier || !candidates.includes(number)) return refuse('no_candidate')
  const quoted = findQuote(answer.quote, site)
  if ('why' in quoted) return refuse(quoted.why)
  const claims = dossier.claims.filter((claim) => isNamedIn(quoted, claim))
  if (claims.length === 0) return refuse('quote_without_company')
  if (isOffRegister(dossier.company.status)) return refuse('dissolved')
  if (isDenied(dossier, claims, verdict, site)) return refuse('denied')
  if (answer.role !== 'operator') return refuse('not_operator')
  // Many companies may have the site's name: by name alone it takes a sentence about the site.
  const isOwn =
    isOwnName(dossier.relation) && claims.some(({ via, passage }) => via === 'number' && isLegalText(passage))
  const isTied = isOwn || isAboutSite(quoted, claims, site) || isDisclosed(claims, verdict)
  if (!isTied) return refuse('not_about_site')
  return { holds: true, dossier, ...quoted }
}

/** Returns whether an objection to a match holds: its words stand on a page. It can only take the match away. */
export function verifyChecked(answer: CheckAnswer, site: Case, matched: string): Verified {
  if (answer.decision !== 'object') return refuse('silent')
  if (answer.certainty < CERTAINTY_MIN) return refuse('not_certain')
  const dossier = site.dossiers.find(({ company }) => company.number === matched)
  if (!dossier || answer.company_number !== matched) return refuse('no_candidate')
  const quoted = findQuote(answer.quote, site)
  return 'why' in quoted ? refuse(quoted.why) : { holds: true, dossier, ...quoted }
}

const refuse = (why: Refusal): Verified => ({ holds: false, why })

interface Quoted {
  page: OpenedPage
  quote: string
}

const QUOTE_MIN = 8

/** Finds the page that shows the whole quote at one point. Documents have only text that a person can see. */
export function findQuote(given: string | null, { findings }: Case): Quoted | { why: Refusal } {
  const quote = plain(given ?? '')
  if (quote.length < QUOTE_MIN) return { why: 'no_quote' }
  if (TO_A_MACHINE.test(quote)) return { why: 'quote_to_a_machine' }
  for (const page of findings.pages) {
    if (hasWords(plain(page.document.blocks.map((block) => block.text).join(' ')), quote)) return { page, quote }
  }
  return { why: 'quote_not_on_page' }
}

/** Readers write a mark for the end of a line. */
const plain = (text: string): string => text.replaceAll(/[\s⏎]+/g, ' ').trim()

const LETTER = /[\p{L}\p{N}]/u

/** True if a text has these words, not as a part of longer ones. */
function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before, after] = [text[at - 1] ?? '', text[at + words.length] ?? '']
    const isCut = (outer: string, inner: string | undefined) => LETTER.test(outer) && LETTER.test(inner ?? '')
    if (!isCut(before, words[0]) && !isCut(after, words.at(-1))) return true
  }
  return false
}

/** Words that a site writes to a model, not to a person. */
const TO_A_MACHINE =
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:above|previous|prior|earlier|other|all|your|instructions?)\b|\b(?:prompt|language model|chatbot|LLM|AI (?:model|assistant|agent)|system message)\b|\b(?:system|assistant|user)\s*:|company_number|\bcertainty\b|\byou (?:must|should|will) (?:answer|reply|respond|say|output|return)\b/i

/** The quote is of the claim's passage, and has the name or number by which the rules found the company there. */
const isNamedIn = ({ quote }: Quoted, { passage, printedName, number, company }: Claim): boolean =>
  hasWords(plain(passage.text), quote) &&
  [printedName ?? company.name, number?.printed ?? ''].some((words) => words !== '' && hasWords(quote, plain(words)))

/** A rule speaks against the tie: what the site is, what it denies, or what it makes of the company elsewhere. */
function isDenied(dossier: Dossier, quoted: readonly Claim[], { outcome, situation }: Verdict, site: Case): boolean {
  const { claims, relation, isOperator } = dossier
  const { placeholder, fictional, notCompany, publicBody, club, commentary, imitation } = site.findings.kind
  if ([placeholder, fictional, notCompany, publicBody, club, commentary, imitation].some((words) => words !== null))
    return true
  if (claims.some(({ role, isExplicit }) => role === 'denied' && isExplicit)) return true
  // The company of a platform or a brand, on a page of another.
  if (isOwnName(relation) && (outcome === 'no_match' || situation === 'untied')) return true
  // Several companies have a claim: only words that name the operator decide between them.
  const isOperating = ({ role, isExplicit }: Claim) => role === 'operator' && isExplicit
  if (UNDECIDED.has(situation) && !quoted.some(isOperating)) return true
  if (site.dossiers.some((other) => other !== dossier && other.claims.some(isOperating))) return true
  // A number that is another's, or no one's, is printed with the name.
  if (situation === 'contradiction' && !quoted.some(({ via }) => via === 'number')) return true
  const isContrary = ({ role, isExplicit }: Claim) => isExplicit && OTHERS.has(role)
  if (quoted.some((claim) => isContrary(claim) || claim.listed || claim.agreement === 'conflict')) return true
  return !isOwnName(relation) && !isOperator && claims.some(isContrary)
}

const UNDECIDED: ReadonlySet<string> = new Set(['several', 'franchise', 'rival'])

const OTHERS: ReadonlySet<string> = new Set(['third_party', 'related', 'denied'])

/** One sentence or line names the company and, apart from its name, this site or the people who speak. */
function isAboutSite({ quote }: Quoted, claims: readonly Claim[], { findings: { identity } }: Case): boolean {
  const brands = identity.brands.map(({ name }) => name)
  const names = brands.filter((name) => name.length >= 3 && isSiteName(name, identity))
  const address = toAddress(identity.domain)
  return quote.split(BETWEEN).some((part) =>
    claims.some(({ printedName, number }) => {
      const own = [printedName ?? '', number?.printed ?? '']
        .map(plain)
        .filter((words) => words !== '' && hasWords(part, words))
      if (own.length === 0) return false
      const rest = own.reduce((text, words) => text.replaceAll(words, ' '), part)
      return SPEAKS_AS_OWNER.test(part) || address.test(rest) || names.some((name) => hasWords(rest, plain(name)))
    }),
  )
}

const toAddress = (domain: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}.-])(?:www\\.)?${domain.replaceAll('.', '\\.')}(?![\\p{L}\\p{N}-])`, 'iu')

/** Ends of sentences and lines. A copyright mark begins another line. */
const BETWEEN = /(?<!\b(?:Co|No|Ltd|St|Reg))[.;!?]\s+|\s+[|•·—–]\s+|\s*(?=©)/

const SPEAKS_AS_OWNER =
  /\b(?:we|I) (?:are|am|trade) (?:a |an |the )?(?:\p{Lu}|registered|incorporated|trading|as\b)|\bwe[’']re registered\b/u

/** The rules read the small print as one company's own details and left open only whose they are. */
const isDisclosed = (claims: readonly Claim[], { outcome }: Verdict): boolean =>
  outcome === 'needs_review' && claims.some((claim) => isLegalText(claim.passage) && isOwnDetails(claim))

const isOwnDetails = ({ role, scope, via, agreement, isPure }: Claim): boolean =>
  (role === 'operator' && scope !== 'company') ||
  (role === 'stated' && via === 'number' && (agreement === 'unnamed' || isPure))
