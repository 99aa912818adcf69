import type { Random } from '../../../rig/random.ts'

/** The material of mutated pages. */
export interface PageStock {
  seeds: readonly string[]
  /** Text that nearly matches the reader's patterns. */
  bait: readonly string[]
}

export interface MutatedPage {
  kind: string
  body: Buffer
  contentType: string | null
}

const BYTES_MAX = 1_000_000
const CHARSETS = 'utf-8 windows-1252 utf-16 shift_jis gb18030 nonsense'.split(' ')
const CONTENT_TYPES = [
  CHARSETS.map((charset) => `text/html; charset=${charset}`),
  ['text/html', null, 'text/plain', 'application/xhtml+xml'],
].flat()
const TAGS = 'div p b a table tr td ul li dl dt dd svg select template form h1 footer article span button'.split(' ')
const ATTRIBUTES = [
  ' class="footer"',
  ' style="display:none"',
  ' href="/a"',
  ' itemscope itemprop=x itemtype="https://schema.org/Organization"',
  ' hidden',
  ' id="copyright"',
]

type Mutate = (random: Random, page: string, stock: PageStock) => string | Buffer

/** Small more often than large: most pages are. */
function size(random: Random, most: number): number {
  return Math.max(1, Math.floor(most ** random.next()))
}

function insert(random: Random, page: string, piece: string): string {
  const at = random.below(page.length + 1)
  return page.slice(0, at) + piece + page.slice(at)
}

function tag(random: Random): string {
  return `<${random.pick(TAGS)}${random.isTrue(0.4) ? random.pick(ATTRIBUTES) : ''}>`
}

function companyNumber(random: Random): string {
  const digits = String(random.below(100_000_000)).padStart(8, '0')
  return random.pick([digits, `SC${digits.slice(2)}`, `${digits.slice(0, 4)} ${digits.slice(4)}`, digits.slice(1)])
}

const LABELS = 'Company number |Registered in England and Wales No. |Co. No: |VAT no. GB|Reg. |charity |'.split('|')

const MUTATIONS: Record<string, Mutate> = {
  'as it is': (_, page) => page,
  'bytes changed': (random, page) => {
    const bytes = Buffer.from(page)
    for (let count = size(random, 500); count > 0; count -= 1) bytes[random.below(bytes.length)] = random.below(256)
    return bytes
  },
  'cut off': (random, page) => page.slice(0, random.below(page.length)),
  'turned around': (_, page) => page.split('').toReversed().join(''),
  'two pages in one': (random, page, { seeds }) => {
    const other = random.pick(seeds)
    return page.slice(0, random.below(page.length)) + other.slice(random.below(other.length))
  },
  'a part repeated': (random, page) => {
    const start = random.below(page.length)
    const part = page.slice(start, start + size(random, 2_000))
    return insert(random, page, part.repeat(Math.min(size(random, 3_000), Math.floor(300_000 / (part.length + 1)))))
  },
  'tags left open': (random, page) => page.replaceAll(/<\/\w+>/g, (end) => (random.isTrue(0.5) ? '' : end)),
  'tags closed twice': (random, page) => page.replaceAll(/<\/\w+>/g, (end) => end.repeat(1 + random.below(3))),
  'tags in tags': (random, page) => {
    const opened = Array.from({ length: 1 + random.below(4) }, () => tag(random)).join('')
    return insert(random, page, `${opened.repeat(size(random, 100_000) / 8)}deep`)
  },
  'tags without end': (random, page) =>
    insert(random, page, `<${random.pick(TAGS)} ${'x '.repeat(size(random, 60_000))}`),
  'attributes without number': (random, page) => {
    const names = Array.from({ length: size(random, 20_000) }, (_, index) => `a${index}="${random.below(99)}"`)
    return insert(random, page, `<p ${names.join(' ')}>x</p>`)
  },
  'a giant attribute': (random, page, { bait }) => {
    const name = random.pick('class id style href title content itemprop itemtype rel lang'.split(' '))
    const piece = random.pick([' a', 'x', '&amp;', ';left:0', '-', '/..', random.pick(bait)])
    const value = piece.repeat(Math.min(size(random, 60_000), 400_000 / (piece.length || 1)))
    return insert(random, page, `<a ${name}="${value}">x</a>`)
  },
  'a flood of entities': (random, page) => {
    const entity = random.pick('&amp; &#x41; &#0; &#x110000; &notit & &# &#x;'.split(' '))
    return insert(random, page, entity.repeat(size(random, 40_000)))
  },
  'comments and scripts': (random, page) => {
    const pieces =
      '<!-- --> <!--x--> <![CDATA[ ]]> <script> </script <style> <?x <!x <!---> <textarea> <title> <plaintext>'
    const piece = random.pick(pieces.split(' '))
    return insert(random, page, piece.repeat(size(random, 20_000)))
  },
  'broken data for machines': (random, page) => {
    const pieces = [
      '{"a":',
      '[',
      '{"@type":"Organization","name":',
      '{"@graph":[',
      '"identifier":"0',
      '{"legalName":"Alder Ltd","vatID":"GB',
    ]
    const inside = random.pick(pieces).repeat(size(random, 20_000))
    return insert(random, page, `<script type="application/ld+json">${inside}${random.isTrue(0.5) ? '</script>' : ''}`)
  },
  'much data for machines': (random, page) => {
    const organisation = () => ({
      '@type': 'Organization',
      legalName: `Alder ${random.below(99)} Ltd`,
      identifier: companyNumber(random),
      sameAs: Array.from({ length: size(random, 50) }, () => 'https://example.co.uk/'),
    })
    const list = Array.from({ length: size(random, 600) }, organisation)
    return insert(random, page, `<script type="application/ld+json">${JSON.stringify(list)}</script>`)
  },
  'a flood of numbers': (random, page) => {
    const separator = random.pick([' ', ', ', '<br>', '</p><p>', '|', '\n', ' and ', ' Ltd ', '. '])
    const line = () => `${random.pick(LABELS)}${companyNumber(random)}`
    return insert(random, page, Array.from({ length: size(random, 6_000) }, line).join(separator))
  },
  'a flood of names': (random, page) => {
    const name = () =>
      `${random.pick(['Alder', 'The', 'A&B', 'St. John', 'McX', 'É', '(UK)'])} ${random.pick(['Ltd', 'Limited', 'plc', 'LLP', 'GmbH', 'S.A.', '&', ''])}`
    return insert(
      random,
      page,
      Array.from({ length: size(random, 8_000) }, name).join(random.pick([' ', ', ', '; ', ' and ', '</li><li>'])),
    )
  },
  'nearly a match': (random, page, { bait }) => {
    const sample = random.pick(bait)
    const near = random.isTrue(0.6) ? sample.slice(0, -1 - random.below(3)) : sample
    const piece = near === '' ? 'x' : near
    const flood = piece.repeat(Math.ceil(size(random, 200_000) / piece.length))
    return insert(random, page, random.isTrue(0.5) ? `<p>${flood}</p>` : `<footer>© 2026 ${flood} Alder Ltd`)
  },
  'many near matches': (random, page, { bait }) => {
    const pieces = Array.from({ length: size(random, 1_500) }, () => random.pick(bait))
    return insert(random, page, `<p>${pieces.join(random.pick([' ', '', ', ', '\n', '. ']))}`)
  },
  'spaces and marks': (random, page) => {
    const spaces = [' ', '\t', '\n', '\0', '\u00a0', '\u200b', '\u202e', '\u0301', '\ufdfa', '👾', '1 ']
    const piece = random.pick([...spaces, ...'.,("-_0'.split('')])
    return insert(random, page, piece.repeat(size(random, 150_000)))
  },
  'style rules': (random, page) => {
    const rules =
      '.a{display:none}|#b,.c{left:-9999px}|@media x{|/*|}|.d{color:#fff;background:#fff}|.e{clip:rect(0 0 0 0)}'
    const rule = random.pick(rules.split('|'))
    return insert(random, page, `<style>${rule.repeat(size(random, 20_000))}</style>`)
  },
  'another encoding': (random, page) =>
    Buffer.from(page, random.pick(['utf16le', 'latin1', 'ascii', 'base64'] as const)),
  'encodings mixed': (random, page) => {
    const half = random.below(page.length)
    return Buffer.concat([
      Buffer.from(page.slice(0, half)),
      Buffer.from(page.slice(half), 'utf16le'),
      Buffer.from([0xff, 0xc0, 0x80]),
    ])
  },
  'links without number': (random, page) => {
    const link = () =>
      `<a href="${random.pick(['/legal', '//x', 'http://[', 'javascript:x', '?', '#', 'https://a.co.uk/%zz', '../'.repeat(50)])}">${random.pick(['Terms', 'x', ''])}</a>`
    return insert(random, page, Array.from({ length: size(random, 5_000) }, link).join(''))
  },
}

const KINDS = Object.keys(MUTATIONS)

/** A page of a site after one to three mishaps. */
export function mutatePage(random: Random, stock: PageStock): MutatedPage {
  let page = random.pick(stock.seeds)
  const kinds: string[] = []
  let body: Buffer | null = null
  for (let count = 1 + random.below(3); count > 0 && body === null; count -= 1) {
    const kind = random.pick(KINDS)
    const mutated = MUTATIONS[kind]?.(random, page, stock) ?? page
    kinds.push(kind)
    if (typeof mutated === 'string') page = mutated.slice(0, BYTES_MAX)
    else body = mutated
  }
  const contentType = random.isTrue(0.7) ? 'text/html; charset=utf-8' : random.pick(CONTENT_TYPES)
  return { kind: kinds.join(' + '), body: (body ?? Buffer.from(page)).subarray(0, BYTES_MAX), contentType }
}
