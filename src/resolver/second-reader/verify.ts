/** Checks every word of a second reader's answer against the pages and the register. Nothing else is believed. Pure. */
import { type Company, toNameKey } from '../../register/index.ts'
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
  if (!namesCompany(quoted.quote, dossier.company)) return refuse('quote_without_company')
  if (dossier.company.status === 'dissolved') return refuse('dissolved')
  if (isDenied(quoted, dossier, verdict)) return refuse('denied')
  if (answer.role !== 'operator') return refuse('not_operator')
  const isTied = isOwnName(dossier.relation) || isAboutSite(quoted, site) || isDisclosed(quoted, dossier, verdict)
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
    const text = plain(page.document.blocks.map((block) => block.text).join(' '))
    if (text.includes(quote)) return { page, quote }
  }
  return { why: 'quote_not_on_page' }
}

/** Readers write a mark for the end of a line. */
const plain = (text: string): string => text.replaceAll(/[\s⏎]+/g, ' ').trim()

/** Words that a site writes to a model, not to a person. */
const TO_A_MACHINE =
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:above|previous|prior|earlier|other|all|your|instructions?)\b|\b(?:prompt|language model|chatbot|LLM|AI (?:model|assistant|agent)|system message)\b|\b(?:system|assistant|user)\s*:|company_number|\bcertainty\b|\byou (?:must|should|will) (?:answer|reply|respond|say|output|return)\b/i

/** The registered name, a former one, either without its legal form, or the number. */
function namesCompany(quote: string, { number, name, previousNames }: Company): boolean {
  const letters = quote.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  if (letters.includes(number) || (/^0{1,3}\d/.test(number) && letters.includes(number.replace(/^0+/, '')))) return true
  const words = ` ${toNameKey(quote)} `
  return [name, ...previousNames.map((previous) => previous.name)]
    .map(toNameKey)
    .some((key) => key.length >= 3 && words.includes(` ${key} `))
}

/** A rule speaks against the tie: the site denies it, or its words make the company another party, or another name's. */
function isDenied(quoted: Quoted, { claims, relation }: Dossier, { outcome }: Verdict): boolean {
  if (claims.some(({ role, isExplicit }) => role === 'denied' && isExplicit)) return true
  if (isOwnName(relation) && outcome === 'no_match') return true
  return claimsIn(quoted, claims).some(
    ({ role, isExplicit, agreement }) => (isExplicit && OTHERS.has(role)) || agreement === 'conflict',
  )
}

const OTHERS: ReadonlySet<string> = new Set(['third_party', 'related', 'denied'])

const claimsIn = ({ quote }: Quoted, claims: readonly Claim[]): Claim[] =>
  claims.filter(({ passage }) => plain(passage.text).includes(quote) || quote.includes(plain(passage.text)))

/** The words name the site by its name or domain, or speak as its owner. */
function isAboutSite({ quote }: Quoted, { findings: { identity } }: Case): boolean {
  if (SPEAKS_AS_OWNER.test(quote) || quote.toLowerCase().includes(identity.domain)) return true
  return identity.brands.some(({ name }) => name.length >= 3 && isSiteName(name, identity) && quote.includes(name))
}

const SPEAKS_AS_OWNER =
  /\b(?:we|I) (?:are|am|trade) (?:a |an |the )?(?:\p{Lu}|registered|incorporated|trading|as\b)|\bwe[’']re registered\b/u

/** The rules read the words as a disclosure in the small print and left open only whose it is. */
const isDisclosed = (quoted: Quoted, { claims }: Dossier, { outcome }: Verdict): boolean =>
  outcome === 'needs_review' &&
  claimsIn(quoted, claims).some(
    ({ role, scope, passage }) =>
      (role === 'operator' || role === 'stated') && scope !== 'company' && isLegalText(passage),
  )
