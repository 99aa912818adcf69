import type { App } from '../../app.ts'
import type { DomainWatcher } from '../../resolver/index.ts'
import type { Subject } from '../money/payments.ts'

/** How far the work on a domain is. */
export interface Progress {
  step: 'queued' | 'reading' | 'deciding'
  /** What was fetched so far, in its order. */
  pages: Array<{ url: string; status: number }>
  startedAt: Date | null
}

/** As it is kept beside the work, from the moment somebody is at it. */
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

/** `stored` is what stands beside the work: undefined where there is no work, null where nobody is at it. */
export function toProgress(stored: StoredProgress | null | undefined): Progress | null {
  if (stored === undefined) return null
  if (stored === null) return { step: 'queued', pages: [], startedAt: null }
  return { ...stored, startedAt: new Date(stored.startedAt) }
}

/**
 * Notes what a crawl reads, at most every 400 ms and one statement at a time. Nobody waits for it, and a note that cannot
 * be written is lost: the resolution goes on as if it had never been tried.
 */
export class ProgressNotes implements DomainWatcher, Disposable {
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
    // Somebody who joins the work holds its row for a moment; the next note comes anyway.
    await this.#app.db.query(
      `update resolution_work set progress = $4 where (kind, subject) in (
         select kind, subject from resolution_work where kind = $1 and subject = $2 and claimed_by = $3
         for update skip locked)`,
      [kind, subject, jobId, JSON.stringify(this.#progress)],
    )
  }
}
