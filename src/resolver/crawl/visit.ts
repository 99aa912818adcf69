import type { GuardError } from '../../lib/web/guarded-client.ts'
import type { CrawledPage } from './crawl.ts'

/** What came of asking for one page: the page, or why there is none. */
export type Visit = { kind: 'page'; url: URL; page: CrawledPage } | NoPage

export interface NoPage {
  kind: 'none'
  /** Where the trouble was: after redirects, not where they began. */
  url: URL
  trouble: Trouble
}

export type Trouble = { kind: 'status'; status: number } | { kind: GuardError['reason'] | Hindrance | OwnLimit }

/** `robots`: disallowed. `robots_unknown`: the rules could not be read, so nothing may be. `other_site`: it redirected away. */
type Hindrance =
  | 'challenge'
  | 'robots'
  | 'robots_unknown'
  | 'redirect_loop'
  | 'not_html'
  | 'empty'
  | 'other_site'
  | 'long_address'

/** No turn came in time; the crawl's time or bytes are spent; or reading took more than any page may. */
type OwnLimit = 'busy' | 'out_of_time' | 'out_of_bytes' | 'unreadable'

export function noPage(url: URL, trouble: Trouble): NoPage {
  return { kind: 'none', url, trouble }
}

/** As it stands in the list of attempts. */
export function outcomeOf(trouble: Trouble): string {
  return trouble.kind === 'status' ? String(trouble.status) : trouble.kind
}
