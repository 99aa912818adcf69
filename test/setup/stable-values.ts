/** Makes a recorded text the same after every run: what is drawn, signed or measured is replaced, one value always by one other. */
import { createHash } from 'node:crypto'

/** `count` numbers the different values that a pattern has found. */
interface Kind {
  pattern: RegExp
  replace: (found: string, count: number) => string
}

const KINDS: readonly Kind[] = [
  {
    // Tokens and signatures in three parts, of which only the algorithm stays.
    pattern: /\beyJ[\w-]+\.[\w-]*\.[\w-]{20,}/g,
    replace: (found, count) => {
      const [header = '', claims] = found.split('.')
      const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string }
      const kept = Buffer.from(JSON.stringify({ alg })).toString('base64url')
      return `${kept}.${claims === '' ? '' : draw(`claims ${count}`, 24)}.${draw(`signature ${count}`, 42)}`
    },
  },
  {
    // Ids, API keys and secrets: the beginning says what they are.
    pattern: /\b(?:[a-z]{2,3}|np_live|np_test)_[\dA-Za-z]{27,43}\b|\bwhsec_[\dA-Za-z+/]{43}/g,
    replace: (found, count) => {
      const kind = found.slice(0, found.lastIndexOf('_') + 1)
      return kind + draw(`${kind} ${count}`, found.length - kind.length)
    },
  },
  {
    // Other drawn ids, and secrets. A name that someone chose has no capitals.
    pattern: /(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{43}(?![\w-])|(?<=\bv1,)[\w+/]{43}/g,
    replace: (_, count) => draw(`drawn ${count}`, 43),
  },
  { pattern: /\b[\da-f]{64}\b/g, replace: (_, count) => drawHex(`hash ${count}`, 64) },
  { pattern: /\b[\da-f]{32}\b/g, replace: (_, count) => drawHex(`salt ${count}`, 32) },
  // The clock of the test stands still on whole minutes: the rest is how long something took.
  { pattern: /(?<=\dT\d\d:\d\d:)\d\d\.\d{3}(?=Z)/g, replace: () => '00.000' },
  // Parts of the register are read beside the request that asks for them.
  { pattern: /(?<=\bas_of\\?": ?(?:\{[^}]*)?\\?")\d{4}-\d\d-\d\dT\d\d:\d\d/g, replace: () => '2026-11-16T09:30' },
  // Events are numbered anew every week.
  { pattern: /(?<=\bsequence\\?": ?)\d{9,}/g, replace: () => '2968000000015' },
  { pattern: /(?<=\bduration_ms\\?": ?)\d+/g, replace: () => '84' },
  { pattern: /(?<=\blag_seconds\\?": ?)\d+/g, replace: () => '2' },
  { pattern: /(?<=\bWait )\d+(?= s\b)/g, replace: () => '60' },
]

/** `addresses` are those of the test, with what is written instead. */
export function makeStable(text: string, addresses: Record<string, string>): string {
  let stable = text
  for (const [address, instead] of Object.entries(addresses)) stable = stable.replaceAll(address, instead)
  const keys = new Map<string, string>()
  for (const { pattern, replace } of KINDS) {
    const replacements = new Map<string, string>()
    stable = stable.replaceAll(pattern, (found) => {
      const replacement = replacements.get(found) ?? replace(found, replacements.size + 1)
      replacements.set(found, replacement)
      if (found.startsWith('np_')) keys.set(found, replacement)
      return replacement
    })
  }
  // The beginning and the end of an API key are shown without the rest.
  for (const [key, instead] of keys) {
    stable = stable.replaceAll(key.slice(0, SHOWN_LENGTH), instead.slice(0, SHOWN_LENGTH))
    stable = stable.replaceAll(new RegExp(`(?<=…|last4": ")${key.slice(-4)}\\b`, 'g'), instead.slice(-4))
  }
  return stable
}

const SHOWN_LENGTH = 'np_live_'.length + 4

const draw = (seed: string, length: number) =>
  createHash('sha512').update(seed).digest('base64').replaceAll(/[+/=]/g, '').slice(0, length)

const drawHex = (seed: string, length: number) => createHash('sha256').update(seed).digest('hex').slice(0, length)
