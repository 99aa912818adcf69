/** Lists of domains that an operator wants read: a file becomes rows, which workers read when they are due. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Db } from '../../lib/db/db.ts'
import { parseDomain } from '../../resolver/index.ts'
import { addDomains, putSweep } from './add-domains.ts'
import { GIVEN_UP } from './due-domains.ts'

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
  underWay: number
}

export interface SweepOptions {
  /** Under this name it is paused and counted. */
  name: string
  /** Null: each domain is read once. */
  everyDays?: number | null
  onProgress: (report: SweepReport) => void
  signal: AbortSignal
}

const CHUNK = 2_000
const POLL_MS = 500
/** Counting takes the database some work: it may take this part of the time. */
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
    const report = { ...list.counts, ...(await countProgress(app.db, list)) }
    options.onProgress(report)
    if (report.underWay === 0 || options.signal.aborted) return report
    const ms = Math.max(POLL_MS, (performance.now() - startedAt) / COUNTING_SHARE)
    await sleep(ms, undefined, { signal: options.signal }).catch(() => undefined)
  }
}

interface AddedList {
  name: string
  everyDays: number | null
  at: Date
  counts: Pick<SweepReport, 'read' | 'invalid' | 'repeated' | 'known'>
  added: number
}

/** Adds the domains of a list, without waiting until they are read. */
export async function addList(
  app: App,
  lines: AsyncIterable<string>,
  { onProgress, signal, name, everyDays = null }: SweepOptions,
): Promise<AddedList> {
  const counts = { read: 0, invalid: 0, repeated: 0, known: 0 }
  const list: AddedList = { name, everyDays, at: app.clock.now(), counts, added: 0 }
  await putSweep(app.db, list)
  let chunk: string[] = []
  const add = async () => {
    await addChunk(app.db, list, chunk)
    chunk = []
    onProgress({ ...counts, outcomes: {}, failed: 0, underWay: list.added })
  }
  for await (const line of lines) {
    if (signal.aborted) break
    chunk.push(line)
    if (chunk.length >= CHUNK) await add()
  }
  if (!signal.aborted) await add()
  return list
}

async function addChunk(db: Db, list: AddedList, lines: readonly string[]): Promise<void> {
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
  const { name: sweep, everyDays, at } = list
  const { added, known, repeated } = await addDomains(db, { sweep, domains: [...domains], everyDays, at })
  list.added += added
  counts.known += known
  counts.repeated += repeated
}

const HEADING = /^(?:domain|website|url)$/i

/** A spreadsheet's column of domains comes with its neighbours; the first cell counts. */
function readCell(line: string): string {
  const [cell = ''] = line.split(/[,;\t]/, 1)
  return cell.trim().replaceAll(/^"|"$/g, '')
}

/** Counts the domains that this call added. A domain that another list took over is counted there. */
async function countProgress(
  db: Db,
  { name, at }: AddedList,
): Promise<Pick<SweepReport, 'outcomes' | 'failed' | 'underWay'>> {
  const rows = await db.query<{ outcome: string | null; domains: number }>(
    `select case when state = 'read' then outcome end as outcome, count(*)::int as domains
     from sweep_domain where sweep = $1 and added_at = $2 group by 1`,
    [name, at],
  )
  const counts = new Map(rows.map(({ outcome, domains }) => [outcome, domains]))
  const [underWay = 0, failed = 0] = [counts.get(null), counts.get(GIVEN_UP)]
  counts.delete(null)
  counts.delete(GIVEN_UP)
  return { outcomes: Object.fromEntries(counts), failed, underWay }
}

function toDomain(text: string): string | null {
  try {
    return parseDomain(text)
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
