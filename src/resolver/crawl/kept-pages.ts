/** The pages of a resolution as they came, in memory until the answer says which of them it quotes. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { WebAnswer } from '../../lib/web/guarded-client.ts'
import { registrableDomain } from './page-address.ts'

/** A page that an answer quotes, or a redirect on the way to it, with its exchange. All of it can be written as JSON. */
export interface PageCapture {
  url: string
  /** The page that a redirect leads to in the end; null for a quoted page. */
  leadsTo: string | null
  status: number
  fetchedAt: Date
  /** The IP address that answered. */
  ip: string
  /** Line and headers as sent and as received, each byte as one character. */
  request: string
  response: string
  /** The page went on beyond the bytes that a crawl reads. */
  isCut: boolean
  /** The hash of the body, without its transfer and content encodings. */
  sha256: string
  bytes: number
  /** The body, compressed by zstd, in base64. */
  content: string
}

/** A page that an answer quotes; the hash is null where the quote has only its address. */
export interface QuotedPage {
  url: string
  sha256: string | null
}

/** The parts of an answer that quote pages. */
interface Quoting {
  evidence: ReadonlyArray<{ url: string; contentSha256: string }>
  considered: ReadonlyArray<{ url: string }>
  secondReading?: { url: string | null } | null
}

/** Returns the pages that an answer quotes: its evidence, all companies that the site names, and the second reader's words. */
export function listQuoted({ evidence, considered, secondReading }: Quoting): QuotedPage[] {
  const named = [...considered, ...(secondReading ? [secondReading] : [])]
  return [
    ...evidence.map(({ url, contentSha256 }) => ({ url, sha256: contentSha256 })),
    ...named.flatMap(({ url }) => (url === null ? [] : [{ url, sha256: null }])),
  ]
}

function isQuoted(page: { url: string; sha256: string }, quoted: readonly QuotedPage[]): boolean {
  return quoted.some(({ url, sha256 }) => url === page.url && (sha256 === null || sha256 === page.sha256))
}

/** Returns the captured pages that are quoted, and the redirects that lead to their sites. */
export function selectQuoted(captures: readonly PageCapture[], quoted: readonly QuotedPage[]): PageCapture[] {
  const pages = captures.filter((capture) => capture.leadsTo === null && isQuoted(capture, quoted))
  const sites = new Set(pages.map(({ url }) => siteOf(url)))
  return captures.filter((capture) => (capture.leadsTo ? sites.has(siteOf(capture.leadsTo)) : pages.includes(capture)))
}

const siteOf = (url: string): string => registrableDomain(new URL(url).hostname)

/** As much as a crawl reads. A page beyond it is not kept. */
const BYTES_MAX = 10_000_000
/** 0.4 ms for a page of 60 kB; gzip takes ten times as long for a tenth less. */
const LEVEL = 3

const compress = promisify(zstdCompress)

export function compressBody(body: Buffer): Promise<Buffer> {
  return compress(body, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
}

/** No one reads the page of a redirect; this is enough to show that it was one. */
const REDIRECT_BYTES_MAX = 16_384
/** More than a crawl and a look at another site can meet. */
const REDIRECTS_MAX = 200

interface HeldPage extends Pick<PageCapture, 'fetchedAt' | 'sha256'> {
  answer: WebAnswer
}

/** A response that leads to another address: by its status, or by a refresh in its page. */
interface HeldRedirect {
  answer: WebAnswer
  fetchedAt: Date
  to: string
  /** On the way from a domain to its home page. */
  isHome: boolean
}

export class KeptPages {
  readonly #pages: HeldPage[] = []
  readonly #redirects: HeldRedirect[] = []
  #bytes = 0

  add(page: HeldPage): void {
    this.#bytes += page.answer.body.byteLength
    if (this.#bytes <= BYTES_MAX) this.#pages.push(page)
  }

  addRedirect(redirect: HeldRedirect): void {
    if (this.#redirects.length >= REDIRECTS_MAX) return
    const { answer } = redirect
    // A copy: a part of the body would keep all of it in memory.
    const body = Buffer.from(answer.body.subarray(0, REDIRECT_BYTES_MAX))
    const cut = answer.cut || answer.skipped || body.byteLength < answer.body.byteLength
    this.#redirects.push({ ...redirect, answer: { ...answer, body, cut } })
  }

  /** Adds the page of a home that sends its readers to another address. */
  addRefresh(from: string, to: string): void {
    const page = this.#pages.findLast(({ answer }) => answer.url.href === from)
    if (page) this.addRedirect({ answer: page.answer, fetchedAt: page.fetchedAt, to, isHome: true })
  }

  /** Returns the pages that an answer quotes, and the redirects from the domain to its home page and to each of them. */
  async capture(answer: Quoting): Promise<PageCapture[]> {
    const quoted = listQuoted(answer)
    const pages = this.#pages.filter(({ answer, sha256 }) => isQuoted({ url: answer.url.href, sha256 }, quoted))
    const unique = new Map(pages.map((page) => [`${page.sha256} ${page.answer.url.href}`, page]))
    const redirects = this.#listRedirects(pages.map(({ answer }) => answer.url.href))
    return Promise.all([
      ...redirects.map(({ redirect, leadsTo }) => toCapture(withHash(redirect), leadsTo)),
      ...[...unique.values()].map((page) => toCapture(page, null)),
    ])
  }

  /** Each redirect is followed to its end, and taken if it ends at one of these pages or at the home of their site. */
  #listRedirects(pages: readonly string[]): Array<{ redirect: HeldRedirect; leadsTo: string }> {
    const next = new Map(this.#redirects.map(({ answer, to }) => [answer.url.href, to]))
    const sites = new Set(pages.map(siteOf))
    return this.#redirects.flatMap((redirect) => {
      let leadsTo = redirect.to
      for (let hop = 0; hop < HOPS_MAX; hop += 1) leadsTo = next.get(leadsTo) ?? leadsTo
      const isWanted = pages.includes(leadsTo) || (redirect.isHome && sites.has(siteOf(leadsTo)))
      return isWanted ? [{ redirect, leadsTo }] : []
    })
  }
}

/** As many as a visit follows, for each refresh of a home page, and more. */
const HOPS_MAX = 20

function withHash({ answer, fetchedAt }: HeldRedirect): HeldPage {
  return { answer, fetchedAt, sha256: createHash('sha256').update(answer.body).digest('hex') }
}

async function toCapture({ answer, fetchedAt, sha256 }: HeldPage, leadsTo: string | null): Promise<PageCapture> {
  const { url, status, address: ip, body, cut: isCut } = answer
  const content = await compressBody(body)
  return {
    url: url.href,
    leadsTo,
    status,
    fetchedAt,
    ip,
    ...formatHeads(answer),
    isCut,
    sha256,
    bytes: body.byteLength,
    content: content.toString('base64'),
  }
}

/** The client writes `host` and `connection` first. */
function formatHeads({ url, status, heads }: WebAnswer): Pick<PageCapture, 'request' | 'response'> {
  const { method = 'GET', sent = {}, statusText = '', received = [] } = heads ?? {}
  const own = { host: url.host, connection: 'keep-alive' }
  const asked = Object.entries({ ...own, ...sent }).map(([name, value]) => `${name}: ${value}\r\n`)
  const lines = received.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${received[index + 1] ?? ''}\r\n`] : [],
  )
  return {
    request: `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${asked.join('')}\r\n`,
    response: `HTTP/1.1 ${status} ${statusText}\r\n${lines.join('')}\r\n`,
  }
}
