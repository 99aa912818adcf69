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
interface SealingKey {
  id: string
  key: Uint8Array
}

export interface Secrets {
  /** Encrypts for storage. `context` names the row it belongs to; opened in another row it fails. */
  seal(plaintext: string, context: string): string
  /** Throws `UnreadableSecret` where no configured key opens it. */
  unseal(sealed: string, context: string): string
  /** True when the newest sealing key sealed it. */
  isNewest(sealed: string): boolean
  /** Keyed hash for looking a secret up without storing it, with the newest hashing key. */
  keyedHash(value: string): Buffer
  /** The hash with each hashing key, newest first: what is stored may be any of them. */
  keyedHashes(value: string): Buffer[]
  /** A secret of its own for one purpose, the same in every process; one for each hashing key, newest first. */
  derive(purpose: string): [Buffer, ...Buffer[]]
}

/** The key that sealed this value is no longer configured, or the value was changed. */
export class UnreadableSecret extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnreadableSecret'
  }
}

const FORMAT = 'v1'
const IV_BYTES = 12

/** The first key of each list seals and hashes; all of them open and find. Put a new key first to rotate. */
export function createSecrets(options: {
  sealingKeys: readonly SealingKey[]
  hashingKeys: readonly Uint8Array[]
}): Secrets {
  const [current] = options.sealingKeys
  const [hashingKey, ...olderHashingKeys] = options.hashingKeys
  if (!current || !hashingKey) return NO_SECRETS
  const keysById = new Map(options.sealingKeys.map((key) => [key.id, derive(key.key, 'seal')]))
  // Made into a key once: from bare bytes every hash would make its own, which costs four times the hash.
  const toHashKey = (key: Uint8Array) => createSecretKey(derive(key, 'lookup'))
  const newestHashKey = toHashKey(hashingKey)
  const hashKeys = [newestHashKey, ...olderHashingKeys.map(toHashKey)]

  function keyById(id: string): Buffer {
    const key = keysById.get(id)
    if (!key) throw new UnreadableSecret(`sealed with key "${id}", which is not configured`)
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
      if (format !== FORMAT || !id || !iv || ciphertext === undefined || !tag)
        throw new UnreadableSecret('not a sealed value')
      const key = keyById(id)
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
        decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag, 'base64url'))
        const opened = decipher.update(Buffer.from(ciphertext, 'base64url'))
        return Buffer.concat([opened, decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new UnreadableSecret(`key "${id}" does not open this value`, { cause })
      }
    },
    isNewest: (sealed) => sealed.startsWith(`${FORMAT}.${current.id}.`),
    keyedHash: (value) => createHmac('sha256', newestHashKey).update(value).digest(),
    keyedHashes: (value) => hashKeys.map((key) => createHmac('sha256', key).update(value).digest()),
    derive: (purpose) => [derive(hashingKey, purpose), ...olderHashingKeys.map((key) => derive(key, purpose))],
  }
}

function refuse(): never {
  throw new Error('this kind of process has no sealing key and no hashing key')
}

/** For a process that was given no keys, as it needs none: using them is a mistake of ours, and is seen at once. */
const NO_SECRETS: Secrets = {
  seal: refuse,
  unseal: refuse,
  isNewest: refuse,
  keyedHash: refuse,
  keyedHashes: refuse,
  derive: refuse,
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
