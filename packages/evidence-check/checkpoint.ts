/**
 * A signed head of the log, as transparency logs write it (C2SP tlog-checkpoint, signed-note): the name of the log, its size,
 * its root and the time, then an empty line and the signature.
 */
import { createHash, type KeyObject, sign, verify } from 'node:crypto'

export interface Head {
  origin: string
  size: number
  root: Buffer
  madeAt: Date
}

const TEXT = /^([^\n]{1,200})\n(\d{1,15})\n([A-Za-z0-9+/]{43}=)\n(\d{4}-[\dT:.-]{1,30}Z)\n$/
const ED25519 = 0x01

/** The signing key with its public half as bytes. */
export interface NoteSigner {
  key: KeyObject
  raw: Buffer
}

export function signHead({ origin, size, root, madeAt }: Head, signer: NoteSigner): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n${madeAt.toISOString()}\n`
  const signed = Buffer.concat([keyHash(origin, signer.raw), sign(null, Buffer.from(text), signer.key)])
  return `${text}\n— ${origin} ${signed.toString('base64')}\n`
}

/** Returns the head and the key that signed it; null where none of the keys did. */
export function openHead<Key extends NoteSigner>(note: string, keys: readonly Key[]): (Head & { by: Key }) | null {
  const end = note.indexOf('\n\n')
  const text = note.slice(0, end + 1)
  const parts = TEXT.exec(text)
  if (end < 0 || !parts) return null
  const [, origin = '', size, root = '', at = ''] = parts
  const line = /^— (\S+) ([A-Za-z0-9+/=]{1,200})\n$/.exec(note.slice(end + 2))
  if (line?.[1] !== origin) return null
  const signed = Buffer.from(line[2] ?? '', 'base64')
  const by = keys.find(
    (one) =>
      keyHash(origin, one.raw).equals(signed.subarray(0, 4)) &&
      verify(null, Buffer.from(text), one.key, signed.subarray(4)),
  )
  return by ? { origin, size: Number(size), root: Buffer.from(root, 'base64'), madeAt: new Date(at), by } : null
}

function keyHash(name: string, raw: Buffer): Buffer {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.from([ED25519]))
    .update(raw)
    .digest()
    .subarray(0, 4)
}
