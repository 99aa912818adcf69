import { isUtf8 } from 'node:buffer'
import type { Encoding } from '../table-shape.ts'
import { UnreadableTable } from '../unreadable-table.ts'

/** Bytes of a start by which UTF-16 without a mark is found. */
const SAMPLE_BYTES = 4_096
const CHUNK_BYTES = 256 * 1_024

/**
 * The encoding of text: by its mark, else UTF-16 where every second byte of plain characters is zero, else UTF-8 where all
 * of it is valid, else windows-1252, which older programs write in western Europe.
 */
export function findEncoding(bytes: Uint8Array): { encoding: Encoding; start: number } {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return { encoding: isUtf8(bytes) ? 'utf-8' : 'windows-1252', start: 3 }
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', start: 2 }
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', start: 2 }
  const zeros = countZeros(bytes.subarray(0, SAMPLE_BYTES))
  if (zeros.odd > zeros.pairs * 0.4 && zeros.even < zeros.odd / 4) return { encoding: 'utf-16le', start: 0 }
  if (zeros.even > zeros.pairs * 0.4 && zeros.odd < zeros.even / 4) return { encoding: 'utf-16be', start: 0 }
  return { encoding: isUtf8(bytes) ? 'utf-8' : 'windows-1252', start: 0 }
}

function countZeros(sample: Uint8Array): { even: number; odd: number; pairs: number } {
  const counts = [0, 0]
  sample.forEach((byte, index) => {
    if (byte === 0) counts[index % 2] = (counts[index % 2] ?? 0) + 1
  })
  return { even: counts[0] ?? 0, odd: counts[1] ?? 0, pairs: Math.max(1, Math.floor(sample.length / 2)) }
}

/** Yields the text piece by piece, so that it is never in memory as a whole. */
export function* decodeText(
  bytes: Uint8Array,
  { encoding, start }: ReturnType<typeof findEncoding>,
): Generator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true, fatal: true })
  try {
    for (let at = start; at < bytes.length; at += CHUNK_BYTES)
      yield decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true })
    const rest = decoder.decode()
    if (rest !== '') yield rest
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw cause
    throw new UnreadableTable('The text of the file is damaged. Save it again as CSV with UTF-8, and send that.', {
      cause,
    })
  }
}
