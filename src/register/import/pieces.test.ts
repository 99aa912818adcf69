import { expect, test } from 'vitest'
import { cutLines } from './pieces.ts'

const MEGABYTE = 1 << 20

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const all = Buffer.from(text)
  const memory = Buffer.alloc(size)
  for (let at = 0; at < all.length; at += size) yield memory.subarray(0, all.copy(memory, 0, at, at + size))
}

test.each([1_000, MEGABYTE, 5 * MEGABYTE])(
  'pieces of chunks of %i bytes are whole lines, in order, and nothing is lost',
  async (size) => {
    const text = Array.from({ length: 60_000 }, (_, index) => `${index} ${'x'.repeat(index % 97)}\n`).join('')
    const read: string[] = []
    for await (const { index, bytes } of cutLines(inChunks(`${text}the last line`, size))) {
      expect(index).toBe(read.length)
      read.push(bytes.toString())
    }
    expect(read.join('') === `${text}the last line`).toBe(true)
    expect(read.slice(0, -1).every((piece) => piece.endsWith('\n'))).toBe(true)
    expect(read.length).toBeGreaterThan(1)
  },
)

test('a file whose line never ends is refused, before it fills the memory', async () => {
  const pieces = cutLines(inChunks('x'.repeat(3 * MEGABYTE), MEGABYTE))
  await expect(pieces.next()).rejects.toThrow('a line has no end')
})
