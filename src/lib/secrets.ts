import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'

/** One key that seals; `id` is stored with what it sealed, so that older keys still open their own. */
export interface SealingKey {
  id: string
  key: Uint8Array
}

export interface Secrets {
  /** Encrypts for storage. `context` names the row it belongs to; opened in another row it fails. */
  seal(plaintext: string, context: string): string
  unseal(sealed: string, context: string): string
  /** Keyed hash for looking a secret up without storing it. */
  keyedHash(value: string): Buffer
  /** A secret of its own for one purpose, the same in every process. */
  derive(purpose: string): Buffer
}

const FORMAT = 'v1'
const IV_BYTES = 12

/** The first sealing key seals; all of them open. Put a new key first to rotate. */
export function createSecrets(options: { sealingKeys: readonly SealingKey[]; hashingKey: Uint8Array }): Secrets {
  const [current] = options.sealingKeys
  if (!current) throw new Error('at least one sealing key is needed')
  const keysById = new Map(options.sealingKeys.map((key) => [key.id, derive(key.key, 'seal')]))
  // Made into a key once: from bare bytes every hash would make its own, which costs four times the hash.
  const hashKey = createSecretKey(derive(options.hashingKey, 'lookup'))

  function keyById(id: string): Buffer {
    const key = keysById.get(id)
    if (!key) throw new Error(`sealed with key "${id}", which is not configured`)
    return key
  }

  return {
    seal(plaintext, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyById(current.id), iv).setAAD(Buffer.from(context))
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return [
        FORMAT,
        current.id,
        ...[iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url')),
      ].join('.')
    },
    unseal(sealed, context) {
      const [format, id, iv, ciphertext, tag] = sealed.split('.')
      if (format !== FORMAT || !id || !iv || ciphertext === undefined || !tag) throw new Error('not a sealed value')
      const decipher = createDecipheriv('aes-256-gcm', keyById(id), Buffer.from(iv, 'base64url'), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(ciphertext, 'base64url')), decipher.final()]).toString('utf8')
    },
    keyedHash(value) {
      return createHmac('sha256', hashKey).update(value).digest()
    },
    derive: (purpose) => derive(options.hashingKey, purpose),
  }
}

/** A key per purpose from one configured secret, so that no key is ever used for two things. */
function derive(key: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, new Uint8Array(), `nameplate ${purpose}`, 32))
}

/** A one-time token for a link: 256 random bits, so a plain hash of it is enough to store. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
