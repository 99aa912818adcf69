/** Checks every word of a second reader's answer against the pages and the register. Nothing else is believed. Pure. */
import { type Company, toNameKey } from '../../register/index.ts'
import type { OpenedPage } from '../crawl/crawl.ts'
import { isOwnName, isSiteName } from '../extract/relate-names.ts'
import type { Case } from '../match/case.ts'
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
  | 'quote_without_company'
  | 'dissolved'
  | 'denied'
  | 'not_operator'
  | 'not_about_site'

const CERTAINTY_MIN = 0.8

/** Returns whether the site may be stated as the company's on this answer. */
export function verifyFound(answer: FindAnswer, site: Case, { candidates }: ReaderCase): Verified {
  if (answer.decision !== 'match') return refuse('silent')
  if (answer.certainty < CERTAINTY_MIN) return refuse('not_certain')
  const number = answer.company_number ?? ''
  const dossier = site.dossiers.find(({ company }) => company.number === number)
  if (!dossier || !candidates.includes(number)) return refuse('no_candidate')
  const quoted = findQuote(answer.quote, site)
  if ('why' in quoted) return refuse(quoted.why)
  if (!namesCompany(quoted.quote, dossier.company)) return refuse('quote_without_company')
  if (dossier.company.status === 'dissolved') return refuse('dissolved')
  if (dossier.claims.some(({ role, isExplicit }) => role === 'denied' && isExplicit)) return refuse('denied')
  if (!isOwnName(dossier.relation)) {
    if (answer.role !== 'operator') return refuse('not_operator')
    if (!isAboutSite(quoted, site)) return refuse('not_about_site')
  }
  return { holds: true, dossier, ...quoted }
}

/** Returns whether an objection to a match holds: its words stand on a page. It can only take the match away. */
export function verifyObjection(answer: CheckAnswer, site: Case, matched: string): Verified {
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
/** Lines of a case that the reader joined. */
const JOINED = /\s*[⏎\n]\s*/

/** Finds the page that shows all parts of a quote. Documents have only text that a person can see. */
function findQuote(quote: string | null, { findings }: Case): Quoted | { why: Refusal } {
  const parts = (quote ?? '')
    .split(JOINED)
    .map(plain)
    .filter((part) => part !== '')
  if (parts.join('').length < QUOTE_MIN) return { why: 'no_quote' }
  for (const page of findings.pages) {
    const text = plain(page.document.blocks.map((block) => block.text).join(' '))
    if (parts.every((part) => text.includes(part))) return { page, quote: parts.join(' … ') }
  }
  return { why: 'quote_not_on_page' }
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The registered name, a former one, either without its legal form, or the number. */
function namesCompany(quote: string, { number, name, previousNames }: Company): boolean {
  const letters = quote.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  if (letters.includes(number) || (/^0{1,3}\d/.test(number) && letters.includes(number.replace(/^0+/, '')))) return true
  const words = ` ${toNameKey(quote)} `
  return [name, ...previousNames.map((previous) => previous.name)]
    .map(toNameKey)
    .some((key) => key.length >= 3 && words.includes(` ${key} `))
}

/** The words name the site, or the people who speak on it, or stand in its small print. */
function isAboutSite({ quote }: Quoted, { findings }: Case): boolean {
  if (SPEAKS_FOR_SITE.test(quote)) return true
  const { identity, passages } = findings
  if (quote.toLowerCase().includes(identity.domain)) return true
  if (identity.brands.some(({ name }) => name.length >= 3 && isSiteName(name, identity) && quote.includes(name)))
    return true
  return passages.some(
    (passage) => isLegalText(passage) && plain(passage.text).includes(quote.split(' … ')[0] ?? quote),
  )
}

const SPEAKS_FOR_SITE = /\b(?:this|the|our) (?:web ?)?(?:site|shop|store|app)\b|\b(?:we|us|our)\b/i
