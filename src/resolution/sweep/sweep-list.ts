/** Lists of domains that an operator wants read. They are added to the crawl stores, where workers read what is due. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import {
  type AnsweredDomain,
  addAgain,
  addAnswered,
  addDomains,
  isPaused,
  listHere,
  putSweep,
} from '../../lib/crawl/add-domains.ts'
import { countAdded } from '../../lib/crawl/counts.ts'
import { GIVEN_UP } from '../../lib/crawl/due-domains.ts'
import type { CrawlStore } from '../../lib/crawl/stores.ts'
import { isPassingFailure, isTooLong } from '../../lib/db/failures.ts'
import { parseDomain } from '../../resolver/index.ts'

/** The counts of a list so far. `read` is the sum of all the others, unless another list took domains over meanwhile. */
export interface SweepReport {
  read: number
  /** Lines that are no domain, or one that no company can have. */
  invalid: number
  repeated: number
  /** Domains that had an answer already. */
  known: number
  outcomes: Record<string, number>
  /** Domains that could not be read in all attempts; the next sweep tries again. */
  failed: number
  /** Domains whose store did not answer: adding the list again adds them. */
  notAdded: number
  underWay: number
}

export interface NewList {
  /** Under this name it is paused and counted. */
  name: string
  /** How many are queued at a time in each store: enough for the workers, few enough to stop soon. Null: as before. */
  ahead: number | null
  /** Null: each domain is read once. */
  everyDays?: number | null
}

export interface SweepOptions extends NewList {
  onProgress: (report: SweepReport) => void
  signal: AbortSignal
}

const CHUNK = 2_000
const POLL_MS = 500
/** Counting takes the store some work: it may take this part of the time. */
const COUNTING_SHARE = 0.05

/**
 * Adds a list and follows it until every domain is read or `signal` stops it. The workers read the domains all the same. What
 * is known is left out, so adding a list again adds what is missing.
 */
export async function sweepDomains(
  app: App,
  lines: AsyncIterable<string>,
  options: SweepOptions,
): Promise<SweepReport> {
  const list = await addList(app, lines, options)
  for (;;) {
    const startedAt = performance.now()
    const counts = await countProgress(app, list)
    const report = { ...list.counts, ...counts }
    options.onProgress(report)
    if (report.underWay === 0 || options.signal.aborted) return report
    const ms = Math.max(POLL_MS, (performance.now() - startedAt) / COUNTING_SHARE)
    await sleep(ms, undefined, { signal: options.signal }).catch(() => undefined)
  }
}

interface AddedList {
  name: string
  everyDays: number | null
  ahead: number | null
  /** It was paused before: a store that is new to it reads nothing either. */
  isPaused: boolean
  at: Date
  counts: Pick<SweepReport, 'read' | 'invalid' | 'repeated' | 'known' | 'notAdded'>
  added: number
  /** The stores that have the list. */
  ready: Set<CrawlStore>
  /** The stores that did not answer, with the time at which they are tried again. */
  away: Map<CrawlStore, number>
}

/** Adds the domains of a list, without waiting until they are read. */
export async function addList(
  app: App,
  lines: AsyncIterable<string>,
  { onProgress, signal, name, ahead, everyDays = null }: SweepOptions,
): Promise<AddedList> {
  const counts = { read: 0, invalid: 0, repeated: 0, known: 0, notAdded: 0 }
  const at = app.clock.now()
  const pauses = await Promise.all(app.crawl.all.map((store) => app.crawl.ask(store, (db) => isPaused(db, name))))
  const known = { name, ahead, everyDays, at, isPaused: pauses.includes(true) }
  const list: AddedList = { ...known, counts, added: 0, ready: new Set(), away: new Map() }
  // Also a store without a domain of the list shows it, and has its figures.
  for (const store of app.crawl.all) await attempt(list, store, [], async () => undefined)
  let chunk: string[] = []
  const add = async () => {
    await addChunk(app, list, chunk)
    chunk = []
    onProgress({ ...list.counts, outcomes: {}, failed: 0, underWay: list.added })
  }
  for await (const line of lines) {
    if (signal.aborted) break
    chunk.push(line)
    if (chunk.length >= CHUNK) await add()
  }
  if (!signal.aborted) await add()
  return list
}

async function addChunk(app: App, list: AddedList, lines: readonly string[]): Promise<void> {
  const { counts } = list
  const domains = new Set<string>()
  for (const line of lines) {
    const text = readCell(line)
    if (text === '' || text.startsWith('#') || (counts.read === 0 && HEADING.test(text))) continue
    counts.read += 1
    const domain = toDomain(text)
    if (domain === null) counts.invalid += 1
    else if (domains.has(domain)) counts.repeated += 1
    else domains.add(domain)
  }
  const known = new Map((await listKnown(app, [...domains])).map((one) => [one.domain, one]))
  for (const [owner, own] of Map.groupBy(domains, (domain) => app.crawl.ownerOf(domain))) {
    const answered = own.flatMap((domain) => known.get(domain) ?? [])
    const open = own.filter((domain) => !known.has(domain))
    await attempt(list, owner, open, (isRepeat) => addOpen(app, list, { owner, domains: open, isRepeat }))
    if (list.everyDays === null) counts.known += answered.length
    else await attempt(list, owner, answered, () => repeatAnswered(app, list, owner, answered))
  }
}

const HEADING = /^(?:domain|website|url)$/i

/** A spreadsheet's column of domains comes with its neighbours; the first cell counts. */
function readCell(line: string): string {
  const [cell = ''] = line.split(/[,;\t]/, 1)
  return cell.trim().replaceAll(/^"|"$/g, '')
}

async function listKnown(app: App, domains: string[]): Promise<AnsweredDomain[]> {
  return app.db.query<AnsweredDomain>(
    `select domain, outcome, resolved_at as "resolvedAt", expires_at as "expiresAt" from known_domain
     where domain = any ($1) and expires_at > $2`,
    [domains, app.clock.now()],
  )
}

const AWAY_MS = 30_000
const ATTEMPTS = 3
const ATTEMPT_AGAIN_MS = 500

/**
 * Adds to one store, which may be away: then the other stores get their domains all the same. Adding twice is harmless, so a
 * failure that passes is tried again.
 */
async function attempt(
  list: AddedList,
  store: CrawlStore,
  domains: readonly unknown[],
  add: (isRepeat: boolean) => Promise<void>,
): Promise<void> {
  const isLeftOut = (list.away.get(store) ?? 0) > performance.now()
  for (let tries = isLeftOut ? 0 : ATTEMPTS; tries > 0; tries -= 1) {
    try {
      if (!list.ready.has(store)) await putSweep(store.db, list)
      list.ready.add(store)
      if (domains.length > 0) await add(tries < ATTEMPTS)
      list.away.delete(store)
      return
    } catch (error) {
      if (!isPassingFailure(error) && !isTooLong(error)) throw error
      if (tries > 1) await sleep(ATTEMPT_AGAIN_MS)
    }
  }
  list.counts.notAdded += domains.length
  if (!isLeftOut) list.away.set(store, performance.now() + AWAY_MS)
}

interface OpenDomains {
  owner: CrawlStore
  domains: readonly string[]
  /** An attempt before this one may have added some, although its reply was lost. */
  isRepeat: boolean
}

/** During a move, a domain that is still in its former store is due there and moves with its state. */
async function addOpen(app: App, list: AddedList, { owner, domains, isRepeat }: OpenDomains): Promise<void> {
  const ask = { sweep: list.name, everyDays: list.everyDays, at: list.at }
  const byPrevious = Map.groupBy(domains, (domain) => app.crawl.findPreviousOwner(domain))
  const rest = new Set(domains)
  const found: Array<Awaited<ReturnType<typeof addDomains>>> = []
  for (const [previous, own] of byPrevious) {
    if (!previous) continue
    const there = await addAgain(previous.db, { ...ask, domains: own })
    found.push(there)
    for (const domain of [...there.accepted, ...there.known, ...there.repeated]) rest.delete(domain)
  }
  if (rest.size > 0) found.push(await addDomains(owner.db, { ...ask, domains: [...rest] }))
  // Counted at the end: after a failure all of it is tried again.
  for (const { accepted, known, repeated } of found) {
    list.added += accepted.length + (isRepeat ? repeated.length : 0)
    list.counts.known += known.length
    list.counts.repeated += isRepeat ? 0 : repeated.length
  }
}

/** Domains with a fresh answer in the main database are read when they are due again. */
async function repeatAnswered(
  app: App,
  list: AddedList,
  owner: CrawlStore,
  answered: readonly AnsweredDomain[],
): Promise<void> {
  if (list.everyDays === null) return
  const ask = { sweep: list.name, everyDays: list.everyDays, at: list.at }
  const rest = new Set(answered)
  for (const [previous, own] of Map.groupBy(answered, ({ domain }) => app.crawl.findPreviousOwner(domain))) {
    if (!previous) continue
    const names = own.map(({ domain }) => domain)
    const here = await listHere(previous.db, names)
    const staying = own.filter(({ domain }) => here.has(domain))
    await addAnswered(previous.db, { ...ask, answered: staying })
    for (const one of staying) rest.delete(one)
  }
  await addAnswered(owner.db, { ...ask, answered: [...rest] })
  list.counts.known += answered.length
}

/** While a store is away, something is under way. A domain that another list took over is counted there. */
async function countProgress(
  app: App,
  { name, at }: AddedList,
): Promise<Pick<SweepReport, 'outcomes' | 'failed' | 'underWay'>> {
  const counts = { outcomes: {} as Record<string, number>, failed: 0, underWay: 0 }
  let isAway = false
  for (const { db } of app.crawl.all) {
    const rows = await countAdded(db, { list: name, addedAt: at }).catch(() => null)
    isAway ||= rows === null
    for (const { outcome, domains } of rows ?? []) {
      if (outcome === null) counts.underWay += domains
      else if (outcome === GIVEN_UP) counts.failed += domains
      else counts.outcomes[outcome] = (counts.outcomes[outcome] ?? 0) + domains
    }
  }
  return { ...counts, underWay: isAway ? Math.max(1, counts.underWay) : counts.underWay }
}

function toDomain(text: string): string | null {
  try {
    return parseDomain(text)
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
