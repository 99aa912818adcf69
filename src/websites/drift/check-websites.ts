import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import { findCompany } from '../../register/index.ts'
import {
  addChecks,
  countQueued,
  endCheck,
  expireWebsite,
  isTestCompany,
  listWatched,
  lockClaims,
  moveWalk,
  storeAnswer,
  takeDue,
  type WebsiteCheck,
} from '../../resolution/index.ts'
import type { Resolution } from '../../resolver/index.ts'
import { raiseSignals } from '../../signals/index.ts'
import { observeDrift, takeStep, toWebsiteSignal, wordOf } from './drift.ts'

export const CHECK_WEBSITE = 'resolution.check_website'

/** Stores what a check found, and notifies the watchers of the company of a change. */
export async function storeCheck(app: App, tx: Tx, check: WebsiteCheck, resolution: Resolution): Promise<void> {
  const at = app.clock.now()
  const { companyNumber, domain } = check
  // Before the check's row: the comparison of rivals locks both in this order.
  await lockClaims(tx, companyNumber)
  const observation = observeDrift(check, resolution)
  const step = takeStep(check, observation)
  if (!(await endCheck(tx, check, step, { at, days: app.config.websiteCheckDays }))) return
  // An unreadable site does not replace a known answer.
  if (resolution.outcome !== 'scrape_failed') await storeAnswer(app, tx, resolution)
  if (step.isNews && observation.kind !== 'same' && observation.kind !== 'unread') {
    const company = await findCompany(tx, companyNumber)
    const companyName = company?.name ?? `Company ${companyNumber}`
    await raiseSignals(app, tx, [toWebsiteSignal(check, observation, { companyName, at })], at)
    await expireWebsite(tx, check, at)
  }
  app.log.info({
    event: 'website.checked',
    companyNumber,
    domain,
    observation: wordOf(observation),
    isNews: step.isNews,
  })
}

/** The size of a batch, and the batches of a run. Two million companies a day are walked past, so all that are watched within some days. */
const WALK_COMPANIES = 1_000
const WALK_BATCHES_MAX = 8
/** 140,000 sites a day at the most, where the workers keep up; no more than these wait for them. */
const DUE_SITES = 500
const DUE_BATCHES_MAX = 10
const QUEUED_MAX = 1_000

/**
 * A company may be watched long after its site was verified, or the other way round. So a walk over the watched companies,
 * some on each run, finds the sites to check; due checks then come from an index, and neither depends on how many accounts
 * watch a company. Safe to run twice.
 */
export async function scheduleWebsiteChecks(app: App): Promise<{ added: number; queued: number }> {
  const added = await walkWatched(app)
  const queued = await queueDue(app)
  if (added + queued > 0) app.log.info({ event: 'website.checks_scheduled', added, queued })
  return { added, queued }
}

async function walkWatched(app: App): Promise<number> {
  let added = 0
  for (let batch = 0; batch < WALK_BATCHES_MAX; batch += 1) {
    const done = await app.db.transaction((tx) => walkOn(app, tx))
    added += done.added
    if (done.isEnd) break
  }
  return added
}

async function walkOn(app: App, tx: Tx): Promise<{ added: number; isEnd: boolean }> {
  const numbers = await listWatched(tx, WALK_COMPANIES)
  const isEnd = numbers.length < WALK_COMPANIES
  const timing = { at: app.clock.now(), days: app.config.websiteCheckDays }
  // Any account may watch a test company, and none has a site.
  const real = numbers.filter((number) => !isTestCompany(number))
  const added = await addChecks(tx, real, timing)
  await moveWalk(tx, isEnd ? '' : (numbers.at(-1) ?? ''))
  return { added, isEnd }
}

async function queueDue(app: App): Promise<number> {
  const timing = { at: app.clock.now(), days: app.config.websiteCheckDays }
  let room = QUEUED_MAX - (await countQueued(app.db, timing.at))
  let queued = 0
  for (let batch = 0; batch < DUE_BATCHES_MAX && room > 0; batch += 1) {
    const limit = Math.min(DUE_SITES, room)
    const { found, numbers } = await app.db.transaction((tx) => queueBatch(app, tx, limit, timing))
    queued += numbers.length
    room -= numbers.length
    if (found < limit) break
  }
  return queued
}

async function queueBatch(app: App, tx: Tx, limit: number, timing: { at: Date; days: number }) {
  const taken = await takeDue(tx, limit, timing)
  const jobs = taken.numbers.map((companyNumber) => ({ payload: { companyNumber } }))
  await app.jobs.enqueueAll(tx, { name: CHECK_WEBSITE }, jobs)
  return taken
}
