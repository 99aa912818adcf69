import { expect, test } from 'vitest'
import { checkUrl, isPublicAddress } from './address-guard.ts'
import corpus from './forbidden-addresses.fixture.json' with { type: 'json' }
import { GuardError } from './guard-error.ts'

const RULES = {
  schemes: ['http', 'https'],
  ports: [80, 443, 8080, 8443],
  deniedHosts: new Set(['nameplate.example', 'api.nameplate.example']),
}

function verdictOf(url: string, rules = RULES): string {
  try {
    return checkUrl(url, rules).href
  } catch (error) {
    if (error instanceof GuardError) return `${error.reason} ${error.detail}`
    throw error
  }
}

test('every form that must not be asked is refused without asking anyone', () => {
  expect(corpus.blocked.length).toBeGreaterThan(200)
  expect(corpus.blocked.filter((url) => !verdictOf(url).startsWith('blocked '))).toEqual([])
})

test('what looks alike and is public passes', () => {
  const passing = [...corpus.public, ...Object.keys(corpus.blockedByAnswer)]
  expect(passing.filter((url) => verdictOf(url).startsWith('blocked '))).toEqual([])
})

test.each(corpus.forbiddenAnswers)('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  ['9.255.255.255', '11.0.0.0'],
  ['100.63.255.255', '100.128.0.0'],
  ['126.255.255.255', '128.0.0.0'],
  ['168.63.129.15', '168.63.129.17'],
  ['169.253.255.255', '169.255.0.0'],
  ['172.15.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.1.0'],
  ['192.167.255.255', '192.169.0.0'],
  ['198.17.255.255', '198.20.0.0'],
  ['203.0.112.255', '203.0.114.0'],
  ['1.0.0.0', '223.255.255.255'],
  ['2001:200::', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db9::', '2003::'],
  ['2000::1', '3fff:1000::'],
])('%s and %s, on the edge of a forbidden range, are public', (before, after) => {
  expect([isPublicAddress(before), isPublicAddress(after)]).toEqual([true, true])
})

test.each(['', 'example.com', '127.1', '0x7f.0.0.1', '1.1.1.1 ', '2606:4700::1%eth0', '[2606:4700::1]'])(
  '%j is no address at all',
  (text) => {
    expect(isPublicAddress(text)).toBe(false)
  },
)

test.each([
  ['HTTPS://Example.COM.:443/a#b', 'https://example.com/a'],
  ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
  ['http://134744072/', 'http://8.8.8.8/'],
])('%s is asked as %s', (url, asked) => {
  expect(verdictOf(url)).toBe(asked)
})

test.each([
  ['http://example.com/', 'blocked scheme'],
  ['https://example.com:8080/', 'blocked port'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
])('where only https on 443 and 8443 is allowed, %s gives %s', (url, verdict) => {
  expect(verdictOf(url, { ...RULES, schemes: ['https:'], ports: [443, 8443] })).toBe(verdict)
})
