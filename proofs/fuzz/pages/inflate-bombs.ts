import { Readable } from 'node:stream'
import zlib from 'node:zlib'
import { readBody } from '../../../src/lib/web/body-reader.ts'
import { GuardError } from '../../../src/lib/web/guard-error.ts'

/** As much as is read of a page. */
const BYTES_MAX = 2_000_000
const TIME_MS_MAX = 5_000

const ZEROS = Buffer.alloc(200 * 2 ** 20)

/** Little that becomes very much, and what cannot be inflated at all, as bodies are received. */
const COMPRESSED: ReadonlyArray<{ encoding: string; bytes: () => Buffer; refused?: true }> = [
  { encoding: 'gzip', bytes: () => zlib.gzipSync(ZEROS) },
  { encoding: 'deflate', bytes: () => zlib.deflateSync(ZEROS) },
  { encoding: 'deflate', bytes: () => zlib.deflateRawSync(ZEROS) },
  {
    encoding: 'br',
    bytes: () => zlib.brotliCompressSync(ZEROS, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  },
  { encoding: 'zstd', bytes: () => zlib.zstdCompressSync(ZEROS) },
  { encoding: 'gzip', bytes: () => zlib.gzipSync(zlib.gzipSync(ZEROS)) },
  { encoding: 'gzip, gzip', bytes: () => zlib.gzipSync(zlib.gzipSync(ZEROS)), refused: true },
  { encoding: 'gzip', bytes: () => Buffer.from('not compressed at all'), refused: true },
  { encoding: 'br', bytes: () => Buffer.alloc(100_000, 0xff), refused: true },
  { encoding: 'nonsense', bytes: () => Buffer.from('x'), refused: true },
]

/** Each is read within the bound of a page and in time, or refused as what it is. */
export async function inflateBombs(): Promise<{ bombs: number; wrong: string[] }> {
  const wrong: string[] = []
  for (const { encoding, bytes, refused = false } of COMPRESSED) {
    const sent = Readable.from(chunksOf(bytes()))
    const startedAtMs = performance.now()
    const bounds = { bytesMax: BYTES_MAX, whenTooLarge: 'cut', signal: AbortSignal.timeout(60_000) } as const
    const read = await readBody(sent, encoding, bounds).catch((error: unknown) => error)
    const isRefused = read instanceof GuardError
    const isWhole = !(read instanceof Error) && (read as { body: Buffer }).body.length <= BYTES_MAX
    if ((refused ? !isRefused : !isWhole) || performance.now() - startedAtMs > TIME_MS_MAX) {
      wrong.push(encoding)
      console.error(`✗ ${encoding}: ${read instanceof Error ? read.message : 'not as it should be'}`)
    }
  }
  return { bombs: COMPRESSED.length, wrong }
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 16_384) yield bytes.subarray(start, start + 16_384)
}
