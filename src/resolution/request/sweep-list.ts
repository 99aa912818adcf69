import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Tx } from '../../lib/db/db.ts'
import { parseDomain } from '../../resolver/index.ts'
import { resolveDomainJob } from '../jobs.ts'
import { lockWork, PRIORITY } from '../worker/work.ts'

/** The counts of a sweep so far. `read` is the sum of all the others. */
export interface SweepReport {
  read: number
  /** Lines that are no domain, or one that no company can have. */
  invalid: number
  repeated: number
  /** Domains that had an answer already. */
  known: number
  outcomes: Record<string, number>
  /** Work that ended without an answer; the next sweep tries again. */
  failed: number
  underWay: number
}

export interface SweepOptions {
  /** How many are queued at a time: enough for the workers, few enough to leave room for requests. */
  ahead: number
  onProgress: (report: SweepReport) => void
  signal: AbortSignal
}

const POLL_MS = 500
const CHUNK = 500

/**
 * Has the site of every domain in a list read in the background, behind all requests. Known domains are skipped, so a
 * sweep that was interrupted continues when it is started again.
 */
export async function sweepDomains(
  app: App,
  lines: AsyncIterable<string>,
  options: SweepOptions,
): Promise<SweepReport> {
  const sweep = new Sweep(app, options)
  let chunk: string[] = []
  for await (const line of lines) {
    if (options.signal.aborted) break
    chunk.push(line)
    if (chunk.length < CHUNK) continue
    await sweep.queue(chunk)
    chunk = []
  }
  if (!options.signal.aborted) await sweep.queue(chunk)
  await sweep.waitUntilLeft(0)
  return sweep.report()
}

class Sweep {
  readonly #app: App
  readonly #options: SweepOptions
  readonly #startedAt: Date
  readonly #underWay = new Set<string>()
  #counts: Omit<SweepReport, 'underWay'> = { read: 0, invalid: 0, repeated: 0, known: 0, outcomes: {}, failed: 0 }

  constructor(app: App, options: SweepOptions) {
    this.#app = app
    this.#options = options
    this.#startedAt = app.clock.now()
  }

  report(): SweepReport {
    return { ...this.#counts, underWay: this.#underWay.size }
  }

  async queue(lines: string[]): Promise<void> {
    const domains = this.#parse(lines)
    const known = new Set(await this.#listKnown(domains))
    this.#counts.known += known.size
    const open = domains.filter((domain) => !known.has(domain))
    for (const [index, domain] of open.entries()) {
      await this.waitUntilLeft(this.#options.ahead - 1)
      if (this.#options.signal.aborted) {
        // The rest was not begun: the next sweep reads it.
        this.#counts.read -= open.length - index
        return
      }
      await this.#app.db.transaction((tx) => warmDomain(this.#app, tx, { domain, at: this.#app.clock.now() }))
      this.#underWay.add(domain)
    }
    this.#options.onProgress(this.report())
  }

  /** Waits until no more than so many are under way. */
  async waitUntilLeft(left: number): Promise<void> {
    while (this.#underWay.size > left && !this.#options.signal.aborted) {
      await this.#settle()
      this.#options.onProgress(this.report())
      if (this.#underWay.size > left) await sleep(POLL_MS)
    }
  }

  #parse(lines: string[]): string[] {
    const domains = new Set<string>()
    for (const line of lines) {
      // A spreadsheet's column of domains comes with its neighbours; the first cell counts.
      const text =
        line
          .split(/[,;\t]/, 1)[0]
          ?.trim()
          .replaceAll(/^"|"$/g, '') ?? ''
      if (text === '' || text.startsWith('#') || (this.#counts.read === 0 && /^(?:domain|website|url)$/i.test(text)))
        continue
      this.#counts.read += 1
      const domain = toDomain(text)
      if (domain === null) this.#counts.invalid += 1
      else if (domains.has(domain) || this.#underWay.has(domain)) this.#counts.repeated += 1
      else domains.add(domain)
    }
    return [...domains]
  }

  async #listKnown(domains: string[]): Promise<string[]> {
    const rows = await this.#app.db.query<{ domain: string }>(
      'select domain from known_domain where domain = any ($1) and expires_at > $2',
      [domains, this.#app.clock.now()],
    )
    return rows.map(({ domain }) => domain)
  }

  async #settle(): Promise<void> {
    const domains = [...this.#underWay]
    const rows = await this.#app.db.query<{ domain: string; outcome: string | null }>(
      `select wanted.domain, k.outcome
       from unnest($1::text[]) wanted (domain)
       left join known_domain k on k.domain = wanted.domain and k.resolved_at >= $2
       where not exists (select from resolution_work w where w.kind = 'domain' and w.subject = wanted.domain)`,
      [domains, this.#startedAt],
    )
    for (const { domain, outcome } of rows) {
      this.#underWay.delete(domain)
      if (outcome === null) this.#counts.failed += 1
      else this.#counts.outcomes[outcome] = (this.#counts.outcomes[outcome] ?? 0) + 1
    }
  }
}

function toDomain(text: string): string | null {
  try {
    return parseDomain(text)
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

/** Queues a crawl that no account asked for. False when one is under way. */
export async function warmDomain(app: App, tx: Tx, ask: { domain: string; at: Date }): Promise<boolean> {
  const before = await lockWork(tx, { kind: 'domain', subject: ask.domain, isBackground: true, at: ask.at })
  if (before !== 'none') return false
  await app.jobs.enqueue(tx, resolveDomainJob, { domain: ask.domain }, { priority: PRIORITY.background })
  return true
}
