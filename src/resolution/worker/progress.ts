import type { App } from '../../app.ts'
import type { DomainWatcher } from '../../resolver/index.ts'
import type { Subject } from '../money/payments.ts'

/** How far the work on a domain is. */
export interface Progress {
  step: 'queued' | 'reading' | 'deciding'
  /** The pages fetched so far, in order. */
  pages: Array<{ url: string; status: number }>
  startedAt: Date | null
}

/** As stored with the work, from the moment a worker leases it. */
export interface StoredProgress {
  step: 'reading' | 'deciding'
  pages: Progress['pages']
  startedAt: string
}

const EVERY_MS = 400
const PAGES_MAX = 10
const URL_LENGTH_MAX = 500

export function firstProgress(startedAt: Date): StoredProgress {
  return { step: 'reading', pages: [], startedAt: startedAt.toISOString() }
}

/** `stored` is undefined where there is no work, and null where no worker has leased it. */
export function toProgress(stored: StoredProgress | null | undefined): Progress | null {
  if (stored === undefined) return null
  if (stored === null) return { step: 'queued', pages: [], startedAt: null }
  return { ...stored, startedAt: new Date(stored.startedAt) }
}

/**
 * Writes best-effort progress of a crawl, at most every 400 ms and one statement at a time. The crawl never waits for it,
 * and an update that fails is lost.
 */
export class ProgressWriter implements DomainWatcher, Disposable {
  readonly #app: Pick<App, 'db' | 'log'>
  readonly #work: Subject & { jobId: string }
  readonly #progress: StoredProgress
  #timer: NodeJS.Timeout | null = null
  #nextAtMs = 0
  #hasNews = false
  #isOver = false

  constructor(app: Pick<App, 'db' | 'log'>, work: Subject & { jobId: string; startedAt: Date }) {
    this.#app = app
    this.#work = work
    this.#progress = firstProgress(work.startedAt)
  }

  onPage({ url, status }: { url: string; status: number }): void {
    const { pages } = this.#progress
    if (pages.length >= PAGES_MAX) return
    pages.push({ url: url.slice(0, URL_LENGTH_MAX), status })
    this.#writeSoon()
  }

  onDeciding(): void {
    this.#progress.step = 'deciding'
    this.#writeSoon()
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  #writeSoon(): void {
    this.#hasNews = true
    if (this.#isOver) return
    this.#timer ??= setTimeout(() => void this.#write(), Math.max(0, this.#nextAtMs - performance.now()))
  }

  async #write(): Promise<void> {
    this.#hasNews = false
    this.#nextAtMs = performance.now() + EVERY_MS
    try {
      await this.#store()
    } catch (error) {
      this.#app.log.debug({ event: 'resolution.progress_lost', error })
    }
    this.#timer = null
    if (this.#hasNews) this.#writeSoon()
  }

  async #store(): Promise<void> {
    const { kind, subject, jobId } = this.#work
    // A request that joins the work locks its row for a moment; the next update comes anyway.
    await this.#app.db.query(
      `update resolution_work set progress = $4 where (kind, subject) in (
         select kind, subject from resolution_work where kind = $1 and subject = $2 and claimed_by = $3
         for update skip locked)`,
      [kind, subject, jobId, JSON.stringify(this.#progress)],
    )
  }
}
