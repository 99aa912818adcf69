/** The files of a site that are no pages, as no owner should write them. */
import type { Random } from '../../../rig/random.ts'

const PIECES = [
  '/',
  '/*',
  '*',
  '**',
  '$',
  '/a',
  '/legal',
  '%2F',
  '%',
  '?',
  '=',
  'é',
  '\u0000',
  '#',
  ' ',
  '/../',
  '/%e0%a4',
]

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
