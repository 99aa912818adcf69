import type { Website } from '../../rig/labels.ts'
import type { App } from '../../src/app.ts'
import { findCompany } from '../../src/register/index.ts'
import { storeAnswer } from '../../src/resolution/index.ts'
import { searchWebsite } from '../../src/websites/index.ts'
import type { ResolvedSite } from './answer.ts'

/** Company number → the domain that the product verifies as the company's own; companies without one are left out. */
export async function searchWebsites(
  app: App,
  websites: readonly Website[],
  options: { concurrency: number; signal: AbortSignal },
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const queue = new Set(websites.map(({ companyNumber }) => companyNumber)).values()
  const work = async () => {
    for (const number of queue) {
      options.signal.throwIfAborted()
      const company = await findCompany(app.db, number)
      if (!company) continue
      const { status, domain } = await searchWebsite(app, company, { isFresh: false, signal: options.signal })
      if (status === 'verified' && domain !== null) found.set(number, domain)
    }
  }
  // Each search reads several sites at once.
  await Promise.all(Array.from({ length: Math.max(1, Math.floor(options.concurrency / 4)) }, work))
  return found
}

/** Stores the answers of the run, so that the search for websites can use them. */
export async function storeAnswers(app: App, sites: readonly ResolvedSite[]): Promise<void> {
  for (const { resolution } of sites) {
    if (resolution) await app.db.transaction((tx) => storeAnswer(app, tx, resolution))
  }
}
