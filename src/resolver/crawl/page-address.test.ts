import { expect, test } from 'vitest'
import { pageKey } from './page-address.ts'

test.each([
  ['https://www.acme.co.uk/', 'acme.co.uk'],
  ['https://acme.co.uk/about/', 'acme.co.uk/about'],
  ['https://acme.co.uk/about//', 'acme.co.uk/about'],
  ['https://acme.co.uk//about/index.html', 'acme.co.uk//about'],
  ['https://acme.co.uk/about?page=1', 'acme.co.uk/about?page=1'],
])('the page %s has the key %s', (url, key) => {
  expect(pageKey(new URL(url))).toBe(key)
})

test('a site that redirects to a path of slashes does not stop the process', () => {
  const url = new URL(`https://acme.co.uk/${'/'.repeat(100_000)}x`)
  const startedMs = performance.now()
  pageKey(url)
  expect(performance.now() - startedMs).toBeLessThan(2_000)
})
