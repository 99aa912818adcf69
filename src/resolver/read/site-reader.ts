import { type IsolatedThreads, ThreadFailure } from '../../lib/isolated-threads.ts'
import type { Crawl, CrawledPage } from '../crawl/crawl.ts'
import type { RobotsRules } from '../crawl/robots.ts'
import type { RegisterData } from '../match/register-view.ts'
import type { Link, PageDocument } from '../page/document.ts'
import type { Decision, Extract, PackedPage, PageResponse, ReadingTask } from './messages.ts'

/** Thrown when a site's data passes our limits, or ended the thread that read it. */
export class Unreadable extends Error {
  constructor(cause?: unknown) {
    super('the site cannot be read within our limits of time and memory', { cause })
    this.name = 'Unreadable'
  }
}

/** The main thread only parses this JSON; this much takes about 100 ms. */
const RESULT_CHARACTERS_MAX = 12_000_000

/** The pages of a site and what was extracted from them; the findings are text that only reader threads read. */
export interface ExtractedSite extends Extract, Pick<Crawl, 'pages' | 'certificates'> {
  findings: string
}

/** Parses what sites send, in threads with limits, without secrets and without a database. */
export class SiteReader {
  readonly #threads: IsolatedThreads
  /** The JSON of each document, so that it is not serialised again. */
  readonly #jsonByDocument = new WeakMap<PageDocument, string>()

  /** Readers share the threads of the process. */
  constructor(threads: IsolatedThreads) {
    this.#threads = threads
  }

  /** Throws `Unreadable`, like the other methods. */
  async readPage(body: Buffer, about: PageResponse): Promise<{ document: PageDocument; isChallenge: boolean }> {
    const text = await this.#run({ kind: 'page', body: copyOf(body), ...about })
    const json = text.slice(1)
    const document = JSON.parse(json) as PageDocument
    this.#jsonByDocument.set(document, json)
    return { document, isChallenge: text.startsWith('1') }
  }

  async readRobots(response: { status: number; body: Buffer }): Promise<RobotsRules | null> {
    return JSON.parse(
      await this.#run({ kind: 'robots', body: copyOf(response.body), status: response.status }),
    ) as RobotsRules | null
  }

  async readSitemap(body: Buffer): Promise<Link[]> {
    return JSON.parse(await this.#run({ kind: 'sitemap', body: copyOf(body) })) as Link[]
  }

  async extract(site: Pick<Crawl, 'domain' | 'redirectedTo' | 'pages' | 'certificates'>): Promise<ExtractedSite> {
    const { domain, redirectedTo, pages, certificates } = site
    const packed = pages.map((page) => this.#pack(page))
    const text = await this.#run({ kind: 'extract', site: { domain, redirectedTo }, pages: packed, certificates })
    const end = text.indexOf('\n')
    const first = JSON.parse(text.slice(0, end)) as Extract
    return { ...first, findings: text.slice(end + 1), pages, certificates }
  }

  /** Decides a site. A page can make that expensive, so it is done in a thread, too. */
  async decide({ findings, pages, certificates }: ExtractedSite, register: RegisterData): Promise<Decision> {
    const packed = pages.map((page) => this.#pack(page))
    const task: ReadingTask = { kind: 'decide', findings, pages: packed, certificates, register }
    return (await this.#perform(task)) as Decision
  }

  #pack({ document, ...page }: CrawledPage): PackedPage {
    const json = this.#jsonByDocument.get(document) ?? JSON.stringify(document)
    this.#jsonByDocument.set(document, json)
    return { ...page, document: json }
  }

  async #run(task: ReadingTask): Promise<string> {
    const result = await this.#perform(task)
    if (typeof result !== 'string') throw new Error('a reader thread returned no text')
    if (result.length > RESULT_CHARACTERS_MAX) throw new Unreadable()
    return result
  }

  #perform(task: ReadingTask): Promise<unknown> {
    const transfer = 'body' in task ? [task.body] : []
    return this.#threads.run(task, transfer).catch((error: unknown) => {
      throw error instanceof ThreadFailure ? new Unreadable(error) : error
    })
  }
}

/** Copies the bytes: a Buffer is often part of a larger one, which must not be transferred. */
function copyOf(body: Buffer): ArrayBuffer {
  return new Uint8Array(body).buffer
}
