import { describe, expect, test } from 'vitest'
import { parseRobots } from './robots.ts'

const ORIGIN = 'https://acme.co.uk'
const parse = (text: string, status = 200) => parseRobots({ status, body: Buffer.from(text) }, ORIGIN)
const allows = (text: string, path: string) => parse(text)?.isAllowed(new URL(path, ORIGIN))

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
    ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /', '/', false],
    ['a web page instead', '<!doctype html><title>Home</title>', '/', true],
  ])('%s', (_, text, path, expected) => {
    expect(allows(text, path)).toBe(expected)
  })

  test.each([400, 401, 403, 404, 410, 301])('status %i means there are no rules', (status) => {
    expect(parse('User-agent: *\nDisallow: /', status)?.isAllowed(new URL('/', ORIGIN))).toBe(true)
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
    expect(parse(`User-agent: *\n${'Disallow: /*?sort=\n'.repeat(2_000)}`)?.isAllowed(new URL('/', ORIGIN))).toBe(true)
  })
})
