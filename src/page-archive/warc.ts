/**
 * Kept pages as a WARC 1.1 file (ISO 28500), which archives and their viewers read. The same pages make the same bytes: dates
 * are those of the exchange, and ids are made from what they name.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { VERSION } from '../version.ts'
import type { KeptCapture } from './captures.ts'

const compress = promisify(gzip)

export interface CapturedPage {
  capture: KeptCapture
  body: Buffer
}

/** Returns the first record: what made the file and what it is about. */
export function formatInfo(about: { title: string; at: Date }): Promise<Buffer> {
  const fields = [
    `software: Nameplate/${VERSION}`,
    'format: WARC File Format 1.1',
    'conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
    `description: ${about.title}`,
  ]
  const block = Buffer.from(fields.map((line) => `${line}\r\n`).join(''), 'utf8')
  return formatRecord('warcinfo', block, {
    'WARC-Date': about.at.toISOString(),
    'Content-Type': 'application/warc-fields',
  })
}

/** Returns the two records of a page: its response, then the request. */
export async function formatPage({ capture, body }: CapturedPage): Promise<Buffer> {
  const shared = {
    'WARC-Target-URI': capture.url,
    'WARC-Date': capture.fetchedAt.toISOString(),
    'WARC-IP-Address': capture.ip,
  }
  const response = Buffer.concat([Buffer.from(toReplayed(capture.response, body.byteLength), 'latin1'), body])
  const request = Buffer.from(capture.request, 'latin1')
  const responseId = toId('response', response, shared)
  return Buffer.concat([
    await formatRecord('response', response, {
      ...shared,
      'WARC-Payload-Digest': digest(body),
      ...(capture.isCut ? { 'WARC-Truncated': 'length' } : {}),
      'Content-Type': 'application/http; msgtype=response',
    }),
    await formatRecord('request', request, {
      ...shared,
      'WARC-Concurrent-To': responseId,
      'Content-Type': 'application/http; msgtype=request',
    }),
  ])
}

const MOVED = new Set(['content-encoding', 'transfer-encoding', 'content-length'])

/** The body is stored without its encodings, so the headers that describe them get another name, as archives do. */
export function toReplayed(head: string, bodyBytes: number): string {
  const [status = '', ...lines] = head.split('\r\n').filter((line) => line !== '')
  const headers = lines.map((line) => {
    const name = line.slice(0, line.indexOf(':'))
    return MOVED.has(name.toLowerCase()) ? `X-Archive-Orig-${line}` : line
  })
  return [status, ...headers, `Content-Length: ${bodyBytes}`, '', ''].join('\r\n')
}

type RecordType = 'warcinfo' | 'request' | 'response'
type Fields = Record<string, string>

async function formatRecord(type: RecordType, block: Buffer, fields: Fields): Promise<Buffer> {
  const shared = Object.fromEntries(Object.entries(fields).filter(([name]) => IDENTIFYING.has(name)))
  const lines = Object.entries({
    'WARC-Type': type,
    'WARC-Record-ID': toId(type, block, shared),
    ...fields,
    'WARC-Block-Digest': digest(block),
    'Content-Length': String(block.byteLength),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n`, 'utf8')
  return compress(Buffer.concat([head, block, Buffer.from('\r\n\r\n')]))
}

const IDENTIFYING = new Set(['WARC-Target-URI', 'WARC-Date', 'WARC-IP-Address'])

/** A UUID (RFC 9562, version 8) from what the record says. */
function toId(type: RecordType, block: Buffer, shared: Fields): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([type, shared]))
    .update(block)
    .digest()
    .subarray(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
  return `<urn:uuid:${parts.join('-')}>`
}

function digest(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
