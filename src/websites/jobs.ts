import type { App } from '../app.ts'
import { defineJob } from '../lib/jobs/jobs.ts'
import { findCompany } from '../register/index.ts'
import { FIND_WEBSITE, findQueued, outcomeOf, RETRIES_MAX, runWork, storeWebsite } from '../resolution/index.ts'
import { resolveDomain } from '../resolver/index.ts'
import { CHECK_WEBSITE, scheduleWebsiteChecks, storeCheck } from './drift/check-websites.ts'
import { searchWebsite } from './search/search-website.ts'

/** Each search reads several sites at once. */
const SEARCHES = 8
const SEARCH_SECONDS = 200

/** Looks for a company's web site and gives the answer to all who wait for it. Running twice is harmless. */
export const findWebsiteJob = defineJob({
  name: FIND_WEBSITE,
  concurrency: SEARCHES,
  retriesMax: RETRIES_MAX,
  retryDelaySeconds: 5,
  timeoutSeconds: 240,
  async run(app: App, { companyNumber, isFresh }: { companyNumber: string; isFresh: boolean }, run) {
    await runWork(app, { kind: 'company', subject: companyNumber }, run, SEARCH_SECONDS, async () => {
      const company = await findCompany(app.db, companyNumber)
      if (!company) throw new Error(`company ${companyNumber} has left the register`)
      const website = await searchWebsite(app, company, { isFresh, signal: run.signal })
      return async (tx) => ({
        outcome: outcomeOf(website.status),
        fact: website.domain === null ? null : { domain: website.domain, companyNumber },
        resolutionId: website.resolutionId,
        websiteSearchId: await storeWebsite(tx, { ...website, companyNumber, checkedAt: app.clock.now() }),
      })
    })
  },
})

/**
 * Checks one verified site again and notifies the watchers of its company when it has changed. No account asked for it, so
 * none is charged. Running twice is harmless: the second run finds that the check has ended.
 */
export const checkWebsiteJob = defineJob({
  name: CHECK_WEBSITE,
  // Requests come first.
  concurrency: 8,
  retriesMax: 2,
  retryDelaySeconds: 30,
  timeoutSeconds: 90,
  async run(app: App, { companyNumber }: { companyNumber: string }, run) {
    const check = await findQueued(app.db, companyNumber)
    if (!check) return
    const resolution = await resolveDomain(app, check.domain)
    // A process that stops has cut its own connections, so a failure then is not the site's.
    run.signal.throwIfAborted()
    await app.db.transaction(async (tx) => {
      await storeCheck(app, tx, check, resolution)
      await run.finish(tx)
    })
  },
})

/** Every five minutes: finds verified sites of watched companies and queues the checks that are due. */
export const scheduleWebsiteChecksJob = defineJob({
  name: 'resolution.schedule_website_checks',
  retriesMax: 1,
  timeoutSeconds: 240,
  schedule: '*/5 * * * *',
  async run(app: App) {
    await scheduleWebsiteChecks(app)
  },
})
