import { availableParallelism } from 'node:os'
import { IsolatedThreads, type IsolatedThreadsOptions, ThreadFailure } from '../../lib/isolated-threads.ts'
import type { Crawl, CrawledPage } from '../crawl/crawl.ts'
import type { RobotsRules } from '../crawl/robots.ts'
import type { SiteFindings } from '../extract/findings.ts'
import type { Link, PageDocument } from '../page/document.ts'
import { unpackFindings } from './packed-findings.ts'
import type { PackedPage, PageAnswer, ReadingTask } from './reading-task.ts'

/** What a stranger sent is more than we are willing to read, or ended the thread that read it. */
export class Unreadable extends Error {
  constructor(cause?: unknown) {
    super('the site cannot be read within our limits of time and memory', { cause })
    this.name = 'Unreadable'
  }
}

const PROGRAM = new URL('./reader-thread.ts', import.meta.url)
const LIMITS: Omit<IsolatedThreadsOptions, 'program'> = {
  threads: Math.min(4, availableParallelism()),
  // Every crawl of a process waits for two pages at most.
  queueMax: 500,
  heapMbMax: 256,
  // Most pages take a few milliseconds; the worst that was ever made took 1.5 seconds.
  cpuMsMax: 5_000,
}
/** Taking in the text of a result is all that is left for this thread: so much of it takes some 100 ms. */
const RESULT_CHARACTERS_MAX = 12_000_000

/** Reads what sites send in threads that have limits, no secrets and no database. */
export class SiteReader {
  readonly #threads: IsolatedThreads
  /** The text that a document was made of, to be handed on without being written again. */
  readonly #texts = new WeakMap<PageDocument, string>()

  constructor(limits: Partial<typeof LIMITS> = {}) {
    this.#threads = new IsolatedThreads({ ...LIMITS, ...limits, program: PROGRAM })
  }

  /** Throws `Unreadable`, as do the others. */
  async readPage(body: Buffer, about: PageAnswer): Promise<{ document: PageDocument; isChallenge: boolean }> {
    const text = await this.#run({ kind: 'page', body: copyOf(body), ...about })
    const written = text.slice(1)
    const document = JSON.parse(written) as PageDocument
    this.#texts.set(document, written)
    return { document, isChallenge: text.startsWith('1') }
  }

  async readRobots(answer: { status: number; body: Buffer }): Promise<RobotsRules | null> {
    return JSON.parse(
      await this.#run({ kind: 'robots', body: copyOf(answer.body), status: answer.status }),
    ) as RobotsRules | null
  }

  async readSitemap(body: Buffer): Promise<Link[]> {
    return JSON.parse(await this.#run({ kind: 'sitemap', body: copyOf(body) })) as Link[]
  }

  async extractFindings(
    site: Pick<Crawl, 'domain' | 'redirectedTo' | 'pages' | 'certificates'>,
  ): Promise<SiteFindings> {
    const { domain, redirectedTo, pages, certificates } = site
    const packed = pages.map((page) => this.#pack(page))
    const text = await this.#run({ kind: 'extract', site: { domain, redirectedTo }, pages: packed })
    return unpackFindings(text, pages, certificates)
  }

  async close(): Promise<void> {
    await this.#threads.close()
  }

  #pack({ document, ...page }: CrawledPage): PackedPage {
    const text = this.#texts.get(document) ?? JSON.stringify(document)
    this.#texts.set(document, text)
    return { ...page, document: text }
  }

  async #run(task: ReadingTask): Promise<string> {
    const transfer = 'body' in task ? [task.body] : []
    const result = await this.#threads.run(task, transfer).catch((error: unknown) => {
      throw error instanceof ThreadFailure ? new Unreadable(error) : error
    })
    if (typeof result !== 'string') throw new Error('a reader answered with no text')
    if (result.length > RESULT_CHARACTERS_MAX) throw new Unreadable()
    return result
  }
}

let shared: SiteReader | undefined

/** One for the process. Its threads do not keep the process alive. */
export function siteReader(): SiteReader {
  shared ??= new SiteReader()
  return shared
}

/** Of its own: a Buffer is often a part of a larger one. */
function copyOf(body: Buffer): ArrayBuffer {
  return new Uint8Array(body).buffer
}
