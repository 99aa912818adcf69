import { randomFillSync } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A prefixed random id such as `acc_3fJ…`: a log line that holds one explains itself. 160 bits, so it cannot be guessed. */
export function newId(
  prefix:
    | 'acc'
    | 'key'
    | 'ses'
    | 'hld'
    | 'req'
    | 'sgn'
    | 'aud'
    | 'job'
    | 'inc'
    | 'res'
    | 'web'
    | 'evt'
    | 'fil'
    | 'blk'
    | 'rev'
    | 'dec'
    | 'rfd'
    | 'wpn'
    | 'evd'
    | 'evk'
    | 'shl'
    | 'viw'
    | 'wl',
): string {
  return `${prefix}_${randomDigits(27)}`
}

// Drawing 4,096 random bytes costs about as much as drawing 20.
const drawn = Buffer.alloc(4_096)
let used = drawn.length

/** Bytes from 248 on are left out: with them, the first eight digits would be more frequent than the others. */
function randomDigits(length: number): string {
  let digits = ''
  while (digits.length < length) {
    if (used === drawn.length) {
      randomFillSync(drawn)
      used = 0
    }
    const byte = drawn[used] as number
    // No digit of an id stays in memory here.
    drawn[used] = 0
    used += 1
    if (byte < 248) digits += BASE62[byte % 62]
  }
  return digits
}

/** Big-endian base 62, left-padded to `length` digits. */
export function toBase62(bytes: Uint8Array, length: number): string {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  let digits = ''
  while (value > 0n) {
    digits = BASE62[Number(value % 62n)] + digits
    value /= 62n
  }
  return digits.padStart(length, '0')
}
