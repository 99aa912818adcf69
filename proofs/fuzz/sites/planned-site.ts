/** One hostile site: the seed and its index alone decide what it does. */
import { gzipSync } from 'node:zlib'
import { type Random, randomOf } from '../../../rig/random.ts'
import { BOMBS } from '../pages/bombs.ts'
import { mutatePage, type PageStock } from '../pages/mutate-page.ts'
import { hostileHeaders, hostileLocation, hostileRobots, hostileSitemap } from './hostile-files.ts'

/** How the server sends the bytes of an answer. */
export type Wire =
  | 'whole'
  | 'pieces'
  | 'cut short'
  | 'reset'
  | 'slow'
  | 'endless'
  | 'silent'
  | 'junk before'
  | 'junk after'

export interface PlannedAnswer {
  wire: Wire
  /** The first line of the head, without the version. */
  status: string
  headers: string[]
  body: Buffer
}

export type Names = 'good' | 'none' | 'silent' | 'failing' | 'private'
export type Certificate = 'good' | 'wrong name' | 'self-signed' | 'expired' | 'long fields' | 'no TLS'

export interface PlannedSite {
  kinds: string[]
  names: Names
  certificate: Certificate
  answer(path: string): PlannedAnswer
}

/** First an ordinary site, then the attacks that once stopped a worker. */
const PLANTED: Array<() => PlannedSite> = [
  () => planted('User-agent: *\nDisallow: /admin\n', null),
  () => planted(`${agents(18_000)}${'Disallow: /a\n'.repeat(14_000)}`, null),
  () => planted(`${agents(2_000)}${'Disallow: /a\n'.repeat(1_000)}`, null),
  () => planted(`User-agent: *\nDisallow: /${'*'.repeat(99_900)}`, `/${'a'.repeat(15_000)}`),
  () => planted(`User-agent: *\nDisallow: /${'*a'.repeat(49_000)}b`, `/${'a'.repeat(2_000)}`),
]
export const PLANTED_COUNT = PLANTED.length

export function planSite(seed: number, index: number, stock: PageStock): PlannedSite {
  const known = PLANTED[index]
  if (known) return known()
  const random = randomOf(seed, index)
  const names = random.pickByWeight<Names>({ good: 96, none: 1, silent: 0.3, failing: 1.2, private: 1.5 })
  const certificate = random.pickByWeight<Certificate>({
    good: 84,
    'wrong name': 3,
    'self-signed': 3,
    expired: 3,
    'long fields': 4,
    'no TLS': 3,
  })
  const kinds = [`names: ${names}`, `certificate: ${certificate}`]
  const answers = new Map<string, PlannedAnswer>()
  return {
    kinds,
    names,
    certificate,
    answer: (path) => {
      const known = answers.get(path)
      if (known) return known
      const made = makeAnswer(randomOf(seed ^ hash(path), index), path, stock)
      answers.set(path, made)
      return made
    },
  }
}

function makeAnswer(random: Random, path: string, stock: PageStock): PlannedAnswer {
  const wire = random.pickByWeight<Wire>({
    whole: 74,
    pieces: 10,
    'cut short': 4,
    reset: 3,
    slow: 0.6,
    endless: 1.4,
    silent: 0.4,
    'junk before': 3,
    'junk after': 3.6,
  })
  const { status, headers } = hostileHeaders(random)
  if (path === '/robots.txt') {
    if (random.isTrue(0.5)) return { wire: 'whole', status: '404 Not Found', headers: [], body: Buffer.alloc(0) }
    return { wire, status, headers, body: Buffer.from(hostileRobots(random)) }
  }
  if (path.endsWith('.xml')) return { wire, status, headers, body: Buffer.from(hostileSitemap(random)) }
  if (random.isTrue(0.12)) {
    return {
      wire: 'whole',
      status: '302 Found',
      headers: [`Location: ${hostileLocation(random)}`],
      body: Buffer.alloc(0),
    }
  }
  const { body, contentType } = makePage(random, stock)
  const typed = contentType === null ? [] : [`Content-Type: ${contentType}`]
  if (random.isTrue(0.06)) {
    return { wire, status, headers: [...headers, ...typed, 'Content-Encoding: gzip'], body: gzipSync(body) }
  }
  return { wire, status, headers: [...headers, ...typed], body }
}

const LINKS = '<a href="/legal">Legal</a> <a href="/privacy">Privacy</a> <a href="/contact">Contact us</a>'

function makePage(random: Random, stock: PageStock): { body: Buffer; contentType: string | null } {
  // Each takes a second of a processor: a few are enough.
  if (random.isTrue(0.002))
    return { body: Buffer.from(random.pick(BOMBS).make()).subarray(0, 2_000_000), contentType: 'text/html' }
  const { body, contentType } = mutatePage(random, stock)
  const refresh = random.isTrue(0.05) ? `<meta http-equiv="refresh" content="0; url=${hostileLocation(random)}">` : ''
  return { body: Buffer.concat([Buffer.from(refresh), body.subarray(0, 300_000), Buffer.from(LINKS)]), contentType }
}

function planted(robots: string, location: string | null): PlannedSite {
  const html: Omit<PlannedAnswer, 'body'> = { wire: 'whole', status: '200 OK', headers: ['Content-Type: text/html'] }
  return {
    kinds: ['planted'],
    names: 'good',
    certificate: 'good',
    answer: (path) => {
      if (path === '/robots.txt') return { ...html, body: Buffer.from(robots) }
      if (location !== null && path === '/') {
        return { ...html, status: '302 Found', headers: [`Location: ${location}`], body: Buffer.alloc(0) }
      }
      return { ...html, body: Buffer.from(`<title>Alder</title><p>${'We mend clocks. '.repeat(40)}`) }
    },
  }
}

const agents = (count: number) =>
  `${Array.from({ length: count }, (_, index) => `User-agent: b${index}\n`).join('')}User-agent: *\n`

function hash(text: string): number {
  let value = 0
  for (const character of text.slice(0, 200)) value = Math.imul(value, 31) + (character.codePointAt(0) ?? 0)
  return value
}
