import { type CrawlReading, findReading } from './readings.ts'
import type { CrawlStores } from './stores.ts'

/** Asks the domain's store, and during a move the one before it. Null also when they do not answer in time. */
export async function findInStores<Answer>(stores: CrawlStores, domain: string): Promise<CrawlReading<Answer> | null> {
  const previous = stores.findPreviousOwner(domain)
  for (const store of [stores.ownerOf(domain), ...(previous ? [previous] : [])]) {
    const reading = await stores.ask(store, (db) => findReading<Answer>(db, domain))
    if (reading) return reading
  }
  return null
}
