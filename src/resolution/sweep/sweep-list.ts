/** Lists of domains that an operator wants read. They are added to the crawl stores, where workers read what is due. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { countRead } from '../../lib/crawl/counts.ts'
import { addAgain, addDomains, GIVEN_UP, putSweep } from '../../lib/crawl/due-domains.ts'
import type { CrawlStore } from '../../lib/crawl/stores.ts'
import { parseDomain } from '../../resolver/index.ts'

/** The counts of a list so far. `read` is the sum of all the others. */
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
  underWay: number
}

export interface NewList {
  /** Under this name it is paused and counted. */
  name: string
  /** How many are queued at a time in each store: enough for the workers, few enough to stop soon. */
  ahead: number
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
    const counts = await countAdded(app, list)
    const report = { ...list.counts, ...counts }
    options.onProgress(report)
    if (report.underWay === 0 || options.signal.aborted) return report
    const ms = Math.max(POLL_MS, (performance.now() - startedAt) / COUNTING_SHARE)
    await sleep(ms, undefined, { signal: options.signal }).catch(() => undefined)
  }
}

interface AddedList {
  name: string
  at: Date
  counts: Pick<SweepReport, 'read' | 'invalid' | 'repeated' | 'known'>
  added: number
}

/** Adds the domains of a list, without waiting until they are read. */
export async function addList(
  app: App,
  lines: AsyncIterable<string>,
  { onProgress, signal, ...sweep }: SweepOptions,
): Promise<AddedList> {
  const { name, everyDays = null, ahead } = sweep
  const at = app.clock.now()
  for (const { db } of app.crawl.all) await putSweep(db, { name, ahead, everyDays, at })
  const list: AddedList = { name, at, counts: { read: 0, invalid: 0, repeated: 0, known: 0 }, added: 0 }
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
  const known = new Set(await listKnown(app, [...domains]))
  counts.known += known.size
  const open = [...domains].filter((domain) => !known.has(domain))
  for (const [owner, own] of Map.groupBy(open, (domain) => app.crawl.ownerOf(domain)))
    await addTo(app, list, owner, own)
}

const HEADING = /^(?:domain|website|url)$/i

/** A spreadsheet's column of domains comes with its neighbours; the first cell counts. */
function readCell(line: string): string {
  const [cell = ''] = line.split(/[,;\t]/, 1)
  return cell.trim().replaceAll(/^"|"$/g, '')
}

async function listKnown(app: App, domains: string[]): Promise<string[]> {
  const rows = await app.db.query<{ domain: string }>(
    'select domain from known_domain where domain = any ($1) and expires_at > $2',
    [domains, app.clock.now()],
  )
  return rows.map(({ domain }) => domain)
}

/** During a move, a domain that is still in its former store is due there and moves with its state. */
async function addTo(app: App, list: AddedList, owner: CrawlStore, domains: readonly string[]): Promise<void> {
  const byPrevious = Map.groupBy(domains, (domain) => app.crawl.findPreviousOwner(domain))
  const rest = new Set(domains)
  for (const [previous, own] of byPrevious) {
    if (!previous) continue
    const found = await addAgain(previous.db, { sweep: list.name, domains: own, at: list.at })
    count(list, found)
    for (const domain of [...found.accepted, ...found.known, ...found.repeated]) rest.delete(domain)
  }
  if (rest.size > 0) count(list, await addDomains(owner.db, { sweep: list.name, domains: [...rest], at: list.at }))
}

function count(list: AddedList, found: Awaited<ReturnType<typeof addDomains>>): void {
  list.added += found.accepted.length
  list.counts.known += found.known.length
  list.counts.repeated += found.repeated.length
}

/** A store that is away keeps its share under way. */
async function countAdded(
  app: App,
  { name, at, added }: AddedList,
): Promise<Pick<SweepReport, 'outcomes' | 'failed' | 'underWay'>> {
  const outcomes: Record<string, number> = {}
  let failed = 0
  let ended = 0
  for (const { db } of app.crawl.all) {
    for (const { outcome, domains } of await countRead(db, { list: name, addedAt: at }).catch(() => [])) {
      ended += domains
      if (outcome === GIVEN_UP) failed += domains
      else outcomes[outcome] = (outcomes[outcome] ?? 0) + domains
    }
  }
  return { outcomes, failed, underWay: added - ended }
}

function toDomain(text: string): string | null {
  try {
    return parseDomain(text)
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
