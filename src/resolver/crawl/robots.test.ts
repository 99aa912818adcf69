import fc from 'fast-check'
import robotsParser from 'robots-parser'
import { describe, expect, test } from 'vitest'
import { isAllowed, parseRobots } from './robots.ts'

// Its types describe a default export, where there is the function itself.
const openRobots = robotsParser as unknown as typeof robotsParser.default
const ORIGIN = 'https://acme.co.uk'
const parse = (text: string, status = 200) => parseRobots({ status, body: Buffer.from(text) })
const allows = (text: string, path: string, status?: number) => {
  const rules = parse(text, status)
  return rules && isAllowed(rules, new URL(path, ORIGIN))
}

/** Measures processor time, so that a busy machine does not fail the test. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

describe('robots.txt', () => {
  test.each([
    ['nothing said', '', '/legal', true],
    ['everyone kept out', 'User-agent: *\nDisallow: /', '/', false],
    ['an empty rule', 'User-agent: *\nDisallow:', '/', true],
    ['others kept out', 'User-agent: AhrefsBot\nDisallow: /', '/', true],
    ['we by name', 'User-agent: nameplatebot\nDisallow: /\n\nUser-agent: *\nDisallow:', '/', false],
    ['our group wins over everyone', 'User-agent: *\nDisallow: /\n\nUser-agent: NameplateBot\nAllow: /', '/', true],
    ['a part', 'User-agent: *\nDisallow: /legal', '/legal/terms', false],
    ['beside that part', 'User-agent: *\nDisallow: /legal', '/privacy', true],
    ['the longest rule', 'User-agent: *\nDisallow: /legal\nAllow: /legal/terms', '/legal/terms', true],
    ['a wildcard', 'User-agent: *\nDisallow: /*.php$', '/legal.php', false],
    ['two groups for everyone', 'User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b', '/a', false],
    [
      'two groups for us',
      'User-agent: NameplateBot\nDisallow: /a\n\nUser-agent: nameplatebot\nDisallow: /b',
      '/b',
      false,
    ],
    ['several agents of one group', 'User-agent: Other\nUser-agent: NameplateBot\nDisallow: /', '/', false],
    ['a sitemap between two agents', 'User-agent: *\nSitemap: /s.xml\nUser-agent: Other\nDisallow: /', '/', false],
    ['our group has no rules', 'User-agent: *\nDisallow: /\n\nUser-agent: NameplateBot\n', '/', true],
    ['our name with a version', 'User-agent: NameplateBot/1.0\nDisallow: /', '/', false],
    ['another bot whose name begins alike', 'User-agent: NameplateBot-News\nDisallow: /', '/', true],
    ['a rule before any agent', 'Disallow: /\nUser-agent: *\nDisallow: /a', '/', true],
    ['allow wins a tie', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['an anchor in the way', 'User-agent: *\nDisallow: /a$', '/ab', true],
    ['an anchor met', 'User-agent: *\nDisallow: /a$', '/a', false],
    ['an anchor after a wildcard', 'User-agent: *\nDisallow: /*a$', '/aba', false],
    ['a dollar in the middle', 'User-agent: *\nDisallow: /a$b', '/a$bc', false],
    ['wildcards in a run', 'User-agent: *\nDisallow: /a***b', '/axxb', false],
    ['a wildcard that stands for nothing', 'User-agent: *\nDisallow: /a*b', '/ab', false],
    ['a wildcard at the end', 'User-agent: *\nDisallow: /a*', '/ab', false],
    ['the search part of an address', 'User-agent: *\nDisallow: /*?id=', '/a?id=1', false],
    ['letters beyond ASCII', 'User-agent: *\nDisallow: /über', '/%C3%BCber', false],
    ['encoded letters in another case', 'User-agent: *\nDisallow: /%c3%bcber', '/über', false],
    ['an encoded unreserved letter', 'User-agent: *\nDisallow: /%62', '/b', false],
    ['an encoded slash is no slash', 'User-agent: *\nDisallow: /a%2Fb', '/a/b', true],
    ['an encoded star is a star', 'User-agent: *\nDisallow: /a-%2A.html', '/a-*.html', false],
    ['a comment behind a rule', 'User-agent: * # all\nDisallow: /a # this', '/a', false],
    ['white space around everything', ' user-agent :  * \n\tDISALLOW\t: /a ', '/a', false],
    ['lines that end as on old machines', 'User-agent: *\rDisallow: /a\r', '/a', false],
    ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /', '/', false],
    ['a web page instead', '<!doctype html><title>Home</title>', '/', true],
  ])('%s', (_, text, path, expected) => {
    expect(allows(text, path)).toBe(expected)
  })

  test.each([400, 401, 403, 404, 410, 301])('status %i means there are no rules', (status) => {
    expect(allows('User-agent: *\nDisallow: /', '/', status)).toBe(true)
  })

  test.each([500, 503, 429])('status %i means that nothing may be read', (status) => {
    expect(parse('', status)).toBeNull()
  })

  test('tells the delay and the sitemaps', () => {
    const rules = parse('User-agent: *\nCrawl-delay: 1.5\nSitemap: https://acme.co.uk/sitemap.xml')
    expect(rules).toMatchObject({ crawlDelaySeconds: 1.5, sitemaps: ['https://acme.co.uk/sitemap.xml'] })
    expect(parse('User-agent: *\nCrawl-delay: -4')?.crawlDelaySeconds).toBe(0)
    expect(parse('User-agent: *\nCrawl-delay: soon')?.crawlDelaySeconds).toBe(0)
  })

  test('half a megabyte of wildcards is not matched, so that it cannot stop the process', () => {
    expect(parse(`User-agent: *\n${'Disallow: /*a*a*a*a*a*b\n'.repeat(20_000)}`)).toBeNull()
    expect(allows(`User-agent: *\n${'Disallow: /*?sort=\n'.repeat(2_000)}`, '/')).toBe(true)
  })

  test('a robots.txt of many agents and many rules costs no more than its length', () => {
    const agents = Array.from({ length: 18_000 }, (_, index) => `User-agent: b${index}\n`).join('')
    const text = `${agents}User-agent: *\n${'Disallow: /a\n'.repeat(14_000)}`
    expect(text.length).toBeGreaterThan(460_000)
    const before = process.threadCpuUsage()
    expect(allows(text, '/')).toBe(true)
    expect(allows(text, '/a')).toBe(false)
    expect(cpuMsSince(before)).toBeLessThan(1_000)
  })

  test('99,900 wildcards and a path of 15,000 characters are matched at once', () => {
    const before = process.threadCpuUsage()
    const path = `/${'a'.repeat(15_000)}`
    expect(allows(`User-agent: *\nDisallow: /${'*'.repeat(99_900)}b`, path)).toBe(true)
    expect(allows(`User-agent: *\nDisallow: /${'*a'.repeat(40_000)}b`, path)).toBe(true)
    expect(cpuMsSince(before)).toBeLessThan(1_000)
  })

  test('patterns that come close to a long path are given up, not matched', () => {
    const text = `User-agent: *\n${`Disallow: /*${'a'.repeat(900)}b\n`.repeat(100)}`
    const before = process.threadCpuUsage()
    expect(allows(text, `/${'a'.repeat(2_000)}`)).toBe(false)
    expect(allows(text, `/${'a'.repeat(150)}`)).toBe(true)
    expect(cpuMsSince(before)).toBeLessThan(1_000)
  })

  test('more rules than can be obeyed are not obeyed in part', () => {
    expect(parse(`User-agent: *\n${'Disallow: /a\n'.repeat(20_001)}`)).toBeNull()
    expect(parse(`User-agent: Other\n${'Disallow: /a\n'.repeat(20_001)}`)).not.toBeNull()
  })

  test('ordinary files are read as another reader of robots.txt reads them', () => {
    const segment = fc.constantFrom('a', 'b', 'legal', '.php', '/', '*', '?x=', '-')
    const pattern = fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join('')}`)
    const rule = fc.tuple(fc.constantFrom('Allow', 'Disallow'), pattern, fc.constantFrom('', '$'))
    const group = fc.tuple(
      fc.constantFrom('*', 'NameplateBot', 'Other'),
      fc.array(rule, { minLength: 1, maxLength: 5 }),
    )
    const path = fc.array(fc.constantFrom('a', 'b', 'legal', '.php', '/', '?x=', '-'), { maxLength: 8 })
    fc.assert(
      fc.property(fc.array(group, { maxLength: 4 }), path, (groups, parts) => {
        const text = groups
          .map(([agent, rules]) => [`User-agent: ${agent}`, ...rules.map(([verb, to, end]) => `${verb}: ${to}${end}`)])
          .flat()
          .join('\n')
          // The other reader counts every star of a run as a character of its own.
          .replaceAll(/\*+/g, '*')
        const url = new URL(`${ORIGIN}/${parts.join('')}`)
        const theirs = openRobots(`${ORIGIN}/robots.txt`, text).isAllowed(url.href, 'NameplateBot') !== false
        expect(allows(text, url.href)).toBe(theirs)
      }),
      { numRuns: 2_000 },
    )
  })
})
