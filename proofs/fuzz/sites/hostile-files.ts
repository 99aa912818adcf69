/** Files, statuses, headers and addresses of a site, as no owner should write them and no server send them. */
import type { Random } from '../../../rig/random.ts'

const PIECES = [...'/ /* * ** $ /a /legal %2F % ? = é # /../ /%e0%a4'.split(' '), ' ', '\u0000']

export function hostileRobots(random: Random): string {
  const sizes = random.pick([5, 50, 500, 5_000])
  const kinds: Array<() => string> = [
    () => repeat(sizes, (index) => `User-agent: b${index}`) + rules(random, sizes),
    () => `User-agent: *\n${rules(random, sizes)}`,
    () => `User-agent: *\nDisallow: /${random.pick(PIECES).repeat(random.below(100_000))}`,
    () => `User-agent: *\n${repeat(sizes, () => `Disallow: /*${'a*'.repeat(random.below(60))}b`)}`,
    () => `User-agent: *\nCrawl-delay: ${random.pick(['0', '1e9', '-1', 'NaN', '0.1', '9'.repeat(400)])}\n`,
    () =>
      `Sitemap: ${random.pick(['/sitemap.xml', 'https://', `/${'a'.repeat(9_000)}.xml`, 'javascript:1', '//x/y.xml'])}\n`,
    () => random.pick(['\r', '\n', ':', '#', '\u0000', '\ufeff']).repeat(random.below(400_000)),
    () => `User-agent: NameplateBot\nDisallow: /\nAllow: /$\n`,
    () => Buffer.from(Array.from({ length: 2_000 }, () => random.below(256))).toString('latin1'),
  ]
  return random.pick(kinds)()
}

export function hostileSitemap(random: Random): string {
  const count = random.pick([1, 100, 20_000])
  const kinds: Array<() => string> = [
    () => `<urlset>${repeat(count, (index) => `<url><loc>/legal-${index}</loc></url>`)}</urlset>`,
    () => '<url>'.repeat(count * 5),
    () => `<urlset><url><loc>${'https://a.example/'.repeat(count)}</loc></url></urlset>`,
    () =>
      `<!DOCTYPE a [<!ENTITY x "${'y'.repeat(1_000)}"><!ENTITY z "${'&x;'.repeat(1_000)}">]><url><loc>&z;</loc></url>`,
    () => `<![CDATA[${']'.repeat(count * 10)}`,
    () => `<url ${'a="b" '.repeat(count)}><loc>/terms</loc></url>`,
  ]
  return random.pick(kinds)()
}

function rules(random: Random, count: number): string {
  return repeat(count, () => {
    const verb = random.pick(['Allow', 'Disallow', 'disallow ', 'Crawl-delay', 'User-agent'])
    return `${verb}: ${Array.from({ length: random.below(6) }, () => random.pick(PIECES)).join('')}`
  })
}

function repeat(count: number, line: (index: number) => string): string {
  return `${Array.from({ length: count }, (_, index) => line(index)).join('\n')}\n`
}

/** Most are ordinary, so that the bodies are read. */
const STATUSES = [...Array.from({ length: 5 }, () => '200 OK'), '200', '203 Maybe', '206 Part', '503 Later', '429 No']
const ODD_STATUSES = '999 What|0 Nothing|100 Continue|101 Switching|304 Same|204 None|-1 x|20O OK'.split('|')

export function hostileHeaders(random: Random): { status: string; headers: string[] } {
  const status = random.isTrue(0.06) ? random.pick(ODD_STATUSES) : random.pick(STATUSES)
  const kinds: Array<() => string[]> = [
    () => Array.from({ length: random.below(300) }, (_, index) => `X-${index}: y`),
    () => [`X-Long: ${'z'.repeat(random.pick([1_000, 15_000, 40_000]))}`],
    () => Array.from({ length: 40 }, () => `Set-Cookie: a=${'b'.repeat(300)}; Domain=.github.io; Path=/`),
    () => [`Content-Encoding: ${random.pick(['gzip', 'br', 'zstd', 'deflate', 'gzip, gzip', 'nonsense', 'identity'])}`],
    () => ['Content-Length: 5', 'Content-Length: 7'],
    () => [`Content-Length: ${random.pick(['-1', '1e9', '99999999999999', '0x10', ''])}`],
    () => ['Transfer-Encoding: chunked', 'Content-Length: 10'],
    () => [
      `Content-Type: ${random.pick(['text/html; charset=', 'text/html;'.repeat(200), 'image/png', '\u00ff', 'text/html; charset=utf-7'])}`,
    ],
    () => [`Link: <${'a'.repeat(5_000)}>; rel=canonical`, 'Refresh: 0; url=/legal'],
    () => ['cf-mitigated: challenge'],
    () => ['Bad Header Name: 1', ': 2', 'X\u0000: 3'],
    () => ['Connection: close'],
    () => ['Connection: upgrade', 'Upgrade: h2c'],
  ]
  return { status, headers: random.isTrue(0.35) ? random.pick(kinds)() : [] }
}

const TARGETS = [
  '/ /legal ? # // /%ff%fe https:// http://%00/ https://127.0.0.1/ http://[::1]/ http://169.254.169.254/latest/meta-data',
  'https://user:secret@example.github.io/ https://example.github.io:22/ https://xn--a.github.io/ /\u00e9\u0000',
  'javascript:alert(1) data:text/html,x file:///etc/passwd',
].flatMap((addresses) => addresses.split(' '))

export function hostileLocation(random: Random): string {
  if (random.isTrue(0.2)) return `/${'a'.repeat(random.pick([100, 2_030, 2_050, 9_000]))}`
  if (random.isTrue(0.2)) return `/loop-${random.below(9)}`
  return random.pick(TARGETS)
}
