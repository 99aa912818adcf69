/** Company to domain, scored on `websites.csv`. */
import { getDomain } from 'tldts'
import type { Website } from '../../rig/labels.ts'
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
