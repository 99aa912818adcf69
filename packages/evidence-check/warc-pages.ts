/** The pages in a WARC file (ISO 28500): enough to see that every quoted page is there as it was. */
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'

const WARC_BYTES_MAX = 64_000_000
const RECORDS_MAX = 1_000
const HEADER_END = '\r\n\r\n'

export interface WarcPage {
  url: string
  /** As the file has it. */
  fetchedAt: string
  /** The SHA-256 of the body. */
  sha256: string
}

/** Returns the pages of the file; null where it cannot be read to its end. */
export function listWarcPages(file: Buffer): WarcPage[] | null {
  const bytes = open(file)
  if (!bytes) return null
  const pages: WarcPage[] = []
  let at = 0
  for (let count = 0; at < bytes.length; count += 1) {
    const end = bytes.indexOf(HEADER_END, at)
    if (count === RECORDS_MAX || end === -1) return null
    const header = bytes.toString('utf8', at, end)
    const length = Number(/^Content-Length: (\d{1,9})\r?$/im.exec(header)?.[1] ?? Number.NaN)
    const from = end + HEADER_END.length
    if (!header.startsWith('WARC/1.') || Number.isNaN(length) || from + length > bytes.length) return null
    if (/^WARC-Type: response\r?$/im.test(header)) pages.push(readPage(header, bytes.subarray(from, from + length)))
    at = from + length + HEADER_END.length
  }
  return pages
}

/** The body of a response is what comes after its headers. */
function readPage(header: string, block: Buffer): WarcPage {
  const end = block.indexOf(HEADER_END)
  const body = end === -1 ? Buffer.alloc(0) : block.subarray(end + HEADER_END.length)
  return {
    url: /^WARC-Target-URI: (.*?)\r?$/im.exec(header)?.[1] ?? '',
    fetchedAt: /^WARC-Date: (.*?)\r?$/im.exec(header)?.[1] ?? '',
    sha256: createHash('sha256').update(body).digest('hex'),
  }
}

function open(file: Buffer): Buffer | null {
  try {
    return gunzipSync(file, { maxOutputLength: WARC_BYTES_MAX })
  } catch {
    return null
  }
}
