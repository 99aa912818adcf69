/**
 * Company to domain, scored on `websites.csv`. There is no reverse resolver yet, so the answers are derived from the
 * forward ones of the same run: a company's verified site is a domain that was matched to it. `findWebsites` is the
 * part that a reverse resolver replaces; the scoring stays.
 */
import { getDomain, getDomainWithoutSuffix } from 'tldts'
import type { ResolvedSite } from './answer.ts'
import type { Website } from './labels.ts'
import { share } from './proportion.ts'

export interface WebsiteVerdict {
  website: Website
  /** What was answered; null for `not_found`. */
  answered: string | null
  isRight: boolean
  isWrongMatch: boolean
}

export interface ReverseScore {
  companies: number
  precision: number | null
  recall: number | null
  wrong: number
  verdicts: WebsiteVerdict[]
}

export function scoreWebsites(answers: ReadonlyMap<string, string>, websites: readonly Website[]): ReverseScore {
  const verdicts = websites.map((website) => judge(website, answers.get(website.companyNumber) ?? null))
  const answered = verdicts.filter((verdict) => verdict.answered !== null)
  const right = answered.filter((verdict) => verdict.isRight)
  const toBeFound = verdicts.filter(({ website }) => website.domain !== null)
  return {
    companies: websites.length,
    precision: share(right.length, answered.length),
    recall: share(right.length, toBeFound.length),
    wrong: answered.length - right.length,
    verdicts,
  }
}

function judge(website: Website, answered: string | null): WebsiteVerdict {
  const isRight =
    answered === null || website.domain === null
      ? answered === website.domain
      : registrable(answered) === registrable(website.domain)
  return { website, answered, isRight, isWrongMatch: answered !== null && !isRight }
}

function registrable(domain: string): string {
  return getDomain(domain) ?? domain
}

/** Company number → its domain. Of several, one that did not redirect; then the one most like the company's name. */
export function findWebsites(sites: readonly ResolvedSite[]): Map<string, string> {
  const matched = sites.flatMap(({ domain, resolution }) => {
    if (resolution?.outcome !== 'matched' || !resolution.company) return []
    const { company, crawl } = resolution
    return [{ domain, number: company.number, name: company.name, redirects: crawl.redirectedTo !== null }]
  })
  matched.sort(
    (a, b) =>
      Number(a.redirects) - Number(b.redirects) ||
      likeness(b.domain, b.name) - likeness(a.domain, a.name) ||
      a.domain.localeCompare(b.domain),
  )
  const found = new Map<string, string>()
  for (const { number, domain } of matched) if (!found.has(number)) found.set(number, domain)
  return found
}

/** Dice's coefficient over pairs of letters: 1 for the same letters in the same order, 0 for no pair in common. */
export function likeness(domain: string, name: string): number {
  const ours = letterPairs(getDomainWithoutSuffix(domain) ?? domain)
  const theirs = letterPairs(name.toLowerCase().replace(/\b(limited|ltd|plc|llp|cyfyngedig)\b/g, ''))
  if (ours.size + theirs.size === 0) return 0
  const both = [...ours].filter((pair) => theirs.has(pair))
  return (2 * both.length) / (ours.size + theirs.size)
}

function letterPairs(text: string): Set<string> {
  const letters = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)))
}
