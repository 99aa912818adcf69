import type { App } from '../../app.ts'
import { removeMember } from '../../lib/crawl/readings.ts'
import type { Resolution } from '../../resolver/index.ts'

const PAGES: keyof Resolution = 'captures'

/** Deletes the pages that readings of a list have of a domain. Their answers come without pages then. Returns how many readings had some. */
export async function forgetReadPages({ crawl }: Pick<App, 'crawl'>, domain: string): Promise<number> {
  let readings = 0
  // The former store first: a domain that moves meanwhile is met twice, and never missed.
  for (const store of [crawl.findPreviousOwner(domain), crawl.ownerOf(domain)]) {
    if (store) readings += await removeMember(store.db, { domain, member: PAGES })
  }
  return readings
}
