/** Looks for secrets in text, in every form in which one might have slipped into a log. */

export interface Leak {
  /** A secret that was found, by the name under which it was recorded. */
  secret: string
  form: string
  /** In bytes from the start. */
  at: number
}

export interface Secret {
  name: string
  value: string
}

interface Needle extends Omit<Leak, 'at'> {
  bytes: Buffer
}

/** A shorter one would be found in ordinary words. */
export const SECRET_LENGTH_MIN = 8

/**
 * A search for all of them in one pass over the text, however many there are: the first bytes of each form are hashed,
 * and the hash of as many bytes rolls along the text (Rabin and Karp).
 */
export function searchFor(secrets: readonly Secret[]): (text: Buffer) => Leak[] {
  const byHash = new Map<number, Needle[]>()
  for (const needle of secrets.flatMap(listForms)) {
    const hash = hashOf(needle.bytes)
    byHash.set(hash, [...(byHash.get(hash) ?? []), needle])
  }
  const isPossible = new Uint8Array(FILTER_SIZE)
  for (const hash of byHash.keys()) isPossible[hash & (FILTER_SIZE - 1)] = 1
  return (text) => {
    const leaks: Leak[] = []
    let hash = 0
    for (let end = 0; end < text.length; end += 1) {
      const gone = end >= WINDOW ? Math.imul(text[end - WINDOW] ?? 0, LAST_POWER) : 0
      hash = (Math.imul((hash - gone) | 0, BASE) + (text[end] ?? 0)) | 0
      if (isPossible[hash & (FILTER_SIZE - 1)] === 0 || end < WINDOW - 1) continue
      const at = end - WINDOW + 1
      for (const { bytes, ...found } of byHash.get(hash) ?? []) {
        if (text.subarray(at, at + bytes.length).equals(bytes)) leaks.push({ ...found, at })
      }
    }
    return leaks
  }
}

const WINDOW = SECRET_LENGTH_MIN
const FILTER_SIZE = 1 << 20
const BASE = 0x01000193
let power = 1
for (let times = 1; times < WINDOW; times += 1) power = Math.imul(power, BASE)
const LAST_POWER = power

function hashOf(bytes: Buffer): number {
  let hash = 0
  for (const byte of bytes.subarray(0, WINDOW)) hash = (Math.imul(hash, BASE) + byte) | 0
  return hash
}

function listForms({ name, value }: Secret): Needle[] {
  if (value.length < SECRET_LENGTH_MIN) return []
  const forms = {
    'as it is': value,
    'as JSON': JSON.stringify(value).slice(1, -1),
    'URL-encoded': encodeURIComponent(value),
    'in a form': new URLSearchParams({ value }).toString().slice('value='.length),
    hexadecimal: Buffer.from(value).toString('hex'),
  }
  const texts = [...Object.entries(forms), ...listBase64(value).map((text) => ['base64', text] as const)]
  const seen = new Set<string>()
  return texts.flatMap(([form, text]) => {
    if (text.length < SECRET_LENGTH_MIN || seen.has(text)) return []
    seen.add(text)
    return [{ secret: name, form, bytes: Buffer.from(text) }]
  })
}

/** Forms of the secret behind other text, as `user:secret` in a header: three, by the position of its first bit. */
function listBase64(value: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
    const from = Math.ceil((before * 8) / 6)
    const to = Math.floor((bytes.length * 8) / 6)
    return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)]
  })
}
