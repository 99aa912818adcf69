import { randomBytes } from 'node:crypto'

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
    | 'res'
    | 'web'
    | 'evt'
    | 'blk'
    | 'rev'
    | 'dec'
    | 'rfd',
): string {
  return `${prefix}_${toBase62(randomBytes(20), 27)}`
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
