/** Company to domain, scored on `websites.csv`. */
import { getDomain } from 'tldts'
import type { Website } from '../../rig/labels.ts'
import { share } from './proportion.ts'

export interface ScoredWebsite {
  website: Website
  /** The domain in the answer; null for `not_found`. */
  answered: string | null
  isRight: boolean
  isWrongMatch: boolean
}

export interface ReverseScore {
  companies: number
  precision: number | null
  recall: number | null
  wrong: number
  scored: ScoredWebsite[]
}

export function scoreWebsites(answers: ReadonlyMap<string, string>, websites: readonly Website[]): ReverseScore {
  const scored = websites.map((website) => scoreWebsite(website, answers.get(website.companyNumber) ?? null))
  const answered = scored.filter((scoredWebsite) => scoredWebsite.answered !== null)
  const right = answered.filter((scoredWebsite) => scoredWebsite.isRight)
  const toBeFound = scored.filter(({ website }) => website.domain !== null)
  return {
    companies: websites.length,
    precision: share(right.length, answered.length),
    recall: share(right.length, toBeFound.length),
    wrong: answered.length - right.length,
    scored,
  }
}

function scoreWebsite(website: Website, answered: string | null): ScoredWebsite {
  const isRight =
    answered === null || website.domain === null
      ? answered === website.domain
      : registrable(answered) === registrable(website.domain)
  return { website, answered, isRight, isWrongMatch: answered !== null && !isRight }
}

function registrable(domain: string): string {
  return getDomain(domain) ?? domain
}
