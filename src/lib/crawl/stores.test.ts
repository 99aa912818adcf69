import { expect, test } from 'vitest'
import { fromStored, toStored } from './readings.ts'
import { chooseStore } from './stores.ts'

const DOMAINS = Array.from({ length: 6_000 }, (_, index) => `example-${index}.co.uk`)
const stores = (...names: string[]) => names.map((name) => ({ name }))

test('a domain has the same store in every process and release', () => {
  const three = stores('c1', 'c2', 'c3')
  const chosen = ['example.co.uk', 'example.com', 'nameplate.example'].map((domain) => chooseStore(three, domain).name)
  expect(chosen).toEqual(['c2', 'c3', 'c3'])
  expect(chooseStore(three.toReversed(), 'example.co.uk').name).toBe(chosen[0])
})

test('the stores have equal shares', () => {
  const counts = Map.groupBy(DOMAINS, (domain) => chooseStore(stores('c1', 'c2', 'c3'), domain).name)
  for (const own of counts.values()) expect(Math.abs(own.length / DOMAINS.length - 1 / 3)).toBeLessThan(0.03)
})

test('a store that is added takes its share from each of the others, and no domain moves between those', () => {
  const before = (domain: string) => chooseStore(stores('c1', 'c2'), domain).name
  const after = (domain: string) => chooseStore(stores('c1', 'c2', 'c3'), domain).name
  const moved = DOMAINS.filter((domain) => before(domain) !== after(domain))
  expect(moved.every((domain) => after(domain) === 'c3')).toBe(true)
  expect(Math.abs(moved.length / DOMAINS.length - 1 / 3)).toBeLessThan(0.03)
})

test('without a store there is nothing to choose', () => {
  expect(() => chooseStore([], 'example.co.uk')).toThrow('no crawl store')
})

test('an answer comes back as it was: times as times, texts that look like times as texts', () => {
  const answer = {
    resolvedAt: new Date('2026-11-16T10:00:00.123Z'),
    evidence: [{ quote: '2026-11-16T10:00:00.000Z', fetchedAt: new Date(0), supports: null }],
    confidence: 0.5,
    isDue: false,
  }
  expect(fromStored(JSON.parse(toStored(answer)))).toEqual(answer)
})
