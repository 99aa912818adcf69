import { type IsolatedThreads, ThreadFailure } from '../../lib/isolated-threads.ts'
import type { Crawl } from '../crawl/crawl.ts'
import type { CandidatePage } from '../crawl/link-promise.ts'
import { type PageAddress, toCandidates } from '../crawl/outline.ts'
import type { RobotsRules } from '../crawl/robots.ts'
import type { RegisterData } from '../match/register-view.ts'
import type { Decision } from '../resolution.ts'
import type { Applied } from '../second-reader/apply.ts'
import type { ReaderCase } from '../second-reader/case.ts'
import type { GivenAnswer } from '../second-reader/task.ts'
import type { DecidableSite, Extract, PageRead, PageResponse, ReadingTask } from './messages.ts'

/** Thrown when a site's data passes our limits, or ended the thread that read it. */
export class Unreadable extends Error {
  constructor(cause?: unknown) {
    super('the site cannot be read within our limits of time and memory', { cause })
    this.name = 'Unreadable'
  }
}

/** The longest document of a page, and the longest findings of a site. */
const SHARED_BYTES_MAX = 12_000_000

/** The pages of a site and what was extracted from them. */
export interface ExtractedSite extends Extract, Pick<Crawl, 'pages' | 'certificates'> {}

/** Parses what sites send, in threads with limits, without secrets and without a database. */
export class SiteReader {
  readonly #threads: IsolatedThreads

  /** Readers share the threads of the process. */
  constructor(threads: IsolatedThreads) {
    this.#threads = threads
  }

  /** Throws `Unreadable`, like the other methods. */
  async readPage(body: Buffer, about: PageResponse): Promise<PageRead> {
    const read = await this.#run<PageRead>({ kind: 'page', body: copyOf(body), ...about })
    checkSize(read.content.document)
    return read
  }

  readRobots({ status, body }: { status: number; body: Buffer }): Promise<RobotsRules | null> {
    return this.#run({ kind: 'robots', body: copyOf(body), status })
  }

  async readSitemap(body: Buffer, home: URL): Promise<CandidatePage[]> {
    return toCandidates(await this.#run<PageAddress[]>({ kind: 'sitemap', body: copyOf(body), home: home.href }))
  }

  async extract(site: Pick<Crawl, 'domain' | 'redirectedTo' | 'pages' | 'certificates'>): Promise<ExtractedSite> {
    const { domain, redirectedTo, pages, certificates } = site
    const task: ReadingTask = { kind: 'extract', site: { domain, redirectedTo }, pages: close(pages), certificates }
    const extract = await this.#run<Extract>(task)
    checkSize(extract.findings)
    return { ...extract, pages, certificates }
  }

  /** Decides a site. A page can make that expensive, so it is done in a thread, too. */
  decide(site: ExtractedSite, register: RegisterData): Promise<Decision> {
    return this.#run({ kind: 'decide', ...toDecidable(site, register) })
  }

  /** Writes the case for a second reader. */
  buildCase(site: ExtractedSite, register: RegisterData): Promise<ReaderCase> {
    return this.#run({ kind: 'case', ...toDecidable(site, register) })
  }

  /** Verifies a second reader's answer. Returns the decision that follows from it. */
  applyAnswer(site: ExtractedSite, register: RegisterData, given: GivenAnswer): Promise<Applied> {
    return this.#run({ kind: 'apply', given, ...toDecidable(site, register) })
  }

  async #run<Result>(task: ReadingTask): Promise<Result> {
    const transfer = 'body' in task ? [task.body] : []
    try {
      return (await this.#threads.run(task, transfer)) as Result
    } catch (error) {
      throw error instanceof ThreadFailure ? new Unreadable(error) : error
    }
  }
}

function checkSize({ byteLength }: SharedArrayBuffer): void {
  if (byteLength > SHARED_BYTES_MAX) throw new Unreadable()
}

const toDecidable = (site: ExtractedSite, register: RegisterData): DecidableSite => ({
  findings: site.findings,
  pages: close(site.pages),
  certificates: site.certificates,
  register,
})

/** Leaves the outlines out, which no thread needs. */
const close = (pages: Crawl['pages']) =>
  pages.map((page) => {
    const { outline: _, ...closed } = page
    return closed
  })

/** Copies the bytes: a Buffer is often part of a larger one, which must not be transferred. */
function copyOf(body: Buffer): ArrayBuffer {
  return new Uint8Array(body).buffer
}
