import { pipeline, type Readable, type Transform } from 'node:stream'
import zlib from 'node:zlib'
import { GuardError } from './guard-error.ts'

interface BodyBounds {
  /** Counted after decoding: a few compressed bytes can stand for very many. */
  bytesMax: number
  whenTooLarge: 'cut' | 'refuse'
  signal: AbortSignal
}

/** The encodings we request. Servers send others too, and `decoderFor` knows them. */
export const ACCEPTED_ENCODINGS = 'gzip, br'

/** Compression can make a short body a little longer, never this much. */
export const COMPRESSED_BYTES_OVER = 65_536

/** Reads and decodes a body within its bounds. Leaving early ends the connection, so the rest is never received. */
export async function readBody(
  body: Readable,
  contentEncoding: string | undefined,
  bounds: BodyBounds,
): Promise<{ body: Buffer; cut: boolean }> {
  const encoding = parseEncoding(contentEncoding)
  if (encoding === null) return collect(body, bounds)
  const received = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const first = await received.next()
  // Redirects and errors often name an encoding and have no body.
  if (first.done) return { body: Buffer.alloc(0), cut: false }
  const compressed = new CompressedBody(first.value, received, bounds.bytesMax + COMPRESSED_BYTES_OVER)
  const decoder = decoderFor(encoding, first.value)
  pipeline(compressed, decoder, () => {})
  try {
    const decoded = await collect(decoder, bounds)
    if (!compressed.cut) return decoded
    if (bounds.whenTooLarge === 'refuse') throw new GuardError('too_large')
    return { ...decoded, cut: true }
  } catch (error) {
    if (error instanceof GuardError || error === compressed.problem || bounds.signal.aborted) throw error
    throw new GuardError('encoding', encoding, error)
  } finally {
    body.destroy()
  }
}

async function collect(body: Readable, bounds: BodyBounds): Promise<{ body: Buffer; cut: boolean }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bounds.signal.throwIfAborted()
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes <= bounds.bytesMax) continue
    if (bounds.whenTooLarge === 'refuse') throw new GuardError('too_large')
    return { body: Buffer.concat(chunks).subarray(0, bounds.bytesMax), cut: true }
  }
  return { body: Buffer.concat(chunks), cut: false }
}

/** The body as it was sent, from its first chunk on. It has a bound of its own, as a decoder may swallow without end. */
class CompressedBody implements AsyncIterable<Buffer> {
  cut = false
  /** The error of the connection, as distinct from one of the decoder. */
  problem: unknown = null
  readonly #first: Buffer
  readonly #rest: AsyncIterator<Buffer>
  readonly #bytesMax: number

  constructor(first: Buffer, rest: AsyncIterator<Buffer>, bytesMax: number) {
    this.#first = first
    this.#rest = rest
    this.#bytesMax = bytesMax
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    let bytes = this.#first.byteLength
    yield this.#first
    while (bytes <= this.#bytesMax) {
      const next = await this.#receive()
      if (next.done) return
      bytes += next.value.byteLength
      yield next.value
    }
    this.cut = true
  }

  async #receive(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#rest.next()
    } catch (problem) {
      this.problem = problem
      throw problem
    }
  }
}

/** 8 MiB, the most a web server may ask of its reader (RFC 9659). */
const ZSTD_WINDOW_LOG_MAX = 23

type Encoding = 'gzip' | 'deflate' | 'br' | 'zstd'

/** Null when the body is sent as it is. One encoding is enough for anyone; two are a way to hide a bomb in a bomb. */
function parseEncoding(contentEncoding = ''): Encoding | null {
  const names = contentEncoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > 1) throw new GuardError('encoding', 'stacked')
  switch (names[0]) {
    case undefined:
      return null
    case 'gzip':
    case 'x-gzip':
      return 'gzip'
    case 'deflate':
    case 'br':
    case 'zstd':
      return names[0]
    default:
      throw new GuardError('encoding', 'unknown')
  }
}

/** As browsers do, a body that stops without its proper end is taken as far as it goes. */
function decoderFor(encoding: Encoding, first: Buffer): Transform {
  const lenient = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH }
  switch (encoding) {
    case 'gzip':
      return zlib.createGunzip(lenient)
    case 'deflate':
      // "deflate" means zlib (RFC 9110 §8.4.1.2), but some servers send it bare. Zlib's first byte names method 8.
      return ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient)
    case 'br':
      return zlib.createBrotliDecompress({
        flush: zlib.constants.BROTLI_OPERATION_FLUSH,
        finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
      })
    case 'zstd':
      return zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } })
  }
}
