import { Readable } from 'node:stream'
import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { readBody } from './body-reader.ts'

const TEXT = Buffer.from('Registered in England and Wales. '.repeat(500))
const BOUNDS = { bytesMax: 100_000, whenTooLarge: 'refuse', signal: new AbortController().signal } as const

/** In pieces, as a socket brings them. */
function bodyOf(bytes: Buffer, pieceBytes = 100): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, nth) =>
    bytes.subarray(nth * pieceBytes, (nth + 1) * pieceBytes),
  )
  return Readable.from(pieces)
}

test.each<[string, Buffer]>([
  ['', TEXT],
  ['identity', TEXT],
  ['gzip', zlib.gzipSync(TEXT)],
  ['X-GZIP', zlib.gzipSync(TEXT)],
  ['identity, gzip', zlib.gzipSync(TEXT)],
  ['deflate', zlib.deflateSync(TEXT)],
  ['deflate', zlib.deflateRawSync(TEXT)],
  ['br', zlib.brotliCompressSync(TEXT)],
  ['zstd', zlib.zstdCompressSync(TEXT)],
])('a body sent as "%s" is read', async (encoding, bytes) => {
  const read = await readBody(bodyOf(bytes), encoding, BOUNDS)
  expect(read.cut).toBe(false)
  expect(read.body.equals(TEXT)).toBe(true)
})

test('a body of exactly the bound is whole, one more byte is not', async () => {
  const exact = { ...BOUNDS, bytesMax: TEXT.length }
  expect((await readBody(bodyOf(TEXT), undefined, exact)).body.length).toBe(TEXT.length)
  const over = Buffer.concat([TEXT, Buffer.from('!')])
  await expect(readBody(bodyOf(over), undefined, exact)).rejects.toMatchObject({ reason: 'too_large' })
  const cut = await readBody(bodyOf(over), undefined, { ...exact, whenTooLarge: 'cut' })
  expect([cut.cut, cut.body.equals(TEXT)]).toEqual([true, true])
})

const NOTHINGS = Buffer.alloc(50_000_000)
test.each<[string, Buffer]>([
  ['gzip', zlib.gzipSync(NOTHINGS)],
  ['deflate', zlib.deflateSync(NOTHINGS)],
  ['br', zlib.brotliCompressSync(NOTHINGS, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['zstd', zlib.zstdCompressSync(NOTHINGS)],
])('a bomb in %s ends at the bound', async (encoding, bomb) => {
  expect(bomb.length).toBeLessThan(100_000)
  await expect(readBody(bodyOf(bomb), encoding, BOUNDS)).rejects.toMatchObject({ reason: 'too_large' })
  const cut = await readBody(bodyOf(bomb), encoding, { ...BOUNDS, whenTooLarge: 'cut' })
  expect([cut.cut, cut.body.length]).toEqual([true, BOUNDS.bytesMax])
})

test('a compressed body that decodes to nothing and never ends is left', async () => {
  let sent = 0
  const empty = zlib.gzipSync('')
  const endless = Readable.from(
    (function* () {
      for (; sent < 50_000_000; sent += empty.length) yield empty
    })(),
  )
  await expect(readBody(endless, 'gzip', BOUNDS)).rejects.toMatchObject({ reason: 'too_large' })
  expect(sent).toBeLessThan(1_000_000)
})

test.each([
  ['gzip, gzip', 'stacked'],
  ['br,gzip', 'stacked'],
  ['gzip, br, deflate', 'stacked'],
  ['compress', 'unknown'],
  ['gzip2', 'unknown'],
])('a body sent as "%s" is refused', async (encoding, detail) => {
  const twice = zlib.gzipSync(zlib.gzipSync(TEXT))
  await expect(readBody(bodyOf(twice), encoding, BOUNDS)).rejects.toMatchObject({ reason: 'encoding', detail })
})

test.each(['gzip', 'deflate', 'br', 'zstd'])('what is not %s although it says so is refused', async (encoding) => {
  const wrong = Buffer.alloc(3_000, '<html>')
  await expect(readBody(bodyOf(wrong), encoding, BOUNDS)).rejects.toMatchObject({ reason: 'encoding' })
})

test('a compressed body without its end is read as far as it goes', async () => {
  const noise = Buffer.from(Array.from({ length: 20_000 }, (_, nth) => (nth * 7919) % 251))
  const half = zlib.gzipSync(noise).subarray(0, -8)
  expect((await readBody(bodyOf(half), 'gzip', BOUNDS)).body.equals(noise)).toBe(true)
})

test('an encoding without a body is an empty body', async () => {
  expect(await readBody(Readable.from([]), 'gzip', BOUNDS)).toEqual({ body: Buffer.alloc(0), cut: false })
})

test('a connection that breaks in a compressed body is not mistaken for a bad encoding', async () => {
  const broken = Readable.from(
    (function* () {
      yield zlib.gzipSync(TEXT).subarray(0, 20)
      throw Object.assign(new Error('broken'), { code: 'ECONNRESET' })
    })(),
  )
  await expect(readBody(broken, 'gzip', BOUNDS)).rejects.toMatchObject({ code: 'ECONNRESET' })
})
