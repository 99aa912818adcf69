/** The pages of a resolution as they came, in memory until the answer says which of them it quotes. */
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { WebAnswer } from '../../lib/web/guarded-client.ts'

/** A page that an answer quotes, with the exchange that brought it. All of it can be written as JSON. */
export interface PageCapture {
  url: string
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

export function isQuoted(page: { url: string; sha256: string }, quoted: readonly QuotedPage[]): boolean {
  return quoted.some(({ url, sha256 }) => url === page.url && (sha256 === null || sha256 === page.sha256))
}

/** As much as a crawl reads. A page beyond it is not kept. */
const BYTES_MAX = 10_000_000
/** 0.4 ms for a page of 60 kB; gzip takes ten times as long for a tenth less. */
const LEVEL = 3

const compress = promisify(zstdCompress)

export function compressBody(body: Buffer): Promise<Buffer> {
  return compress(body, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
}

interface HeldPage extends Pick<PageCapture, 'fetchedAt' | 'sha256'> {
  answer: WebAnswer
}

export class KeptPages {
  readonly #pages: HeldPage[] = []
  #bytes = 0

  add(page: HeldPage): void {
    this.#bytes += page.answer.body.byteLength
    if (this.#bytes <= BYTES_MAX) this.#pages.push(page)
  }

  /** Returns the pages that these answers quote. */
  async capture(answers: ReadonlyArray<Quoting | null>): Promise<PageCapture[]> {
    const quoted = answers.flatMap((answer) => (answer ? listQuoted(answer) : []))
    const pages = this.#pages.filter(({ answer, sha256 }) => isQuoted({ url: answer.url.href, sha256 }, quoted))
    const unique = new Map(pages.map((page) => [`${page.sha256} ${page.answer.url.href}`, page]))
    return Promise.all([...unique.values()].map(toCapture))
  }
}

async function toCapture({ answer, fetchedAt, sha256 }: HeldPage): Promise<PageCapture> {
  const { url, status, address: ip, body, cut: isCut } = answer
  const content = await compressBody(body)
  return {
    url: url.href,
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
