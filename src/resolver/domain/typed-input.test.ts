import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hideMailbox, scrubAddress, splitTyped } from './typed-input.ts'

describe('what is kept of what was typed has no user name, password, query or fragment', () => {
  test.each([
    ['acme.co.uk', 'acme.co.uk'],
    ['  Acme.CO.UK. ', 'Acme.CO.UK.'],
    ['https://acme.co.uk/about', 'https://acme.co.uk/about'],
    ['https://bob:secret@acme.co.uk/about?token=secret#secret', 'https://acme.co.uk/about'],
    ['https://bob:p@ss@acme.co.uk:8443/', 'https://acme.co.uk:8443/'],
    ['//bob@acme.co.uk', '//acme.co.uk'],
    ['bob:secret@acme.co.uk', 'acme.co.uk'],
    ['https:bob:secret@acme.co.uk', 'acme.co.uk'],
    ['acme.co.uk?token=secret', 'acme.co.uk'],
    ['acme.co.uk#secret', 'acme.co.uk'],
    ['acme.co.uk？secret', 'acme.co.uk'],
    ['https://bob:secret＠acme.co.uk', 'https://acme.co.uk'],
    ['https://bob:sec/ret@acme.co.uk/x', 'acme.co.uk/x'],
    ['https://bob:sec?ret@acme.co.uk/x', 'acme.co.uk/x'],
    ['https://bob:sec#ret@acme.co.uk/x', 'acme.co.uk/x'],
    ['https%3A%2F%2Fbob%3Asecret%40acme.co.uk%3Ftoken%3Dsecret', 'acme.co.uk'],
    ['https://archive.org/web/https://bob:secret@acme.co.uk/x', 'https://archive.org/web/https://acme.co.uk/x'],
    ['https://acme.co.uk/@ann', 'https://acme.co.uk/@ann'],
    ['ann@acme.co.uk', 'ann@acme.co.uk'],
    ['<ann@acme.co.uk>', 'ann@acme.co.uk'],
    ['mailto:ann@acme.co.uk?body=secret', 'mailto:ann@acme.co.uk'],
    ['http://[::1]:80/?secret', 'http://[::1]:80/'],
    ['not a domain', 'not a domain'],
    ['@acme', '@acme'],
    ['acme.co.uk/a\0b', 'acme.co.uk/a\uFFFDb'],
  ])('%j becomes %j', (typed, kept) => {
    expect(scrubAddress(typed)).toBe(kept)
  })

  const noise = fc.string({ unit: fc.constantFrom(...Array.from('aZ9.:/?#@%&=+-_ ~!$*()[]é＠？')), maxLength: 12 })
  const secret = fc.tuple(noise, noise).map(([before, after]) => `${before}S3CRET${after}`)
  const scheme = fc.constantFrom('https://', 'http://', 'HTTPS://', '//', 'ftp://')
  const host = fc.constantFrom('acme.co.uk', 'WWW.Acme.com', 'bücher.de', 'acme.com:8443')
  const path = fc.constantFrom('', '/', '/about', '/@ann', '/a/b.html')

  test('a password, a query and a fragment never come through, whatever signs they hold', () => {
    const passwords = fc.tuple(scheme, secret, host, path).map((parts) => {
      const [start, password, name, rest] = parts
      return `${start}bob:${password}@${name}${rest}`
    })
    const queries = fc
      .tuple(scheme, host, path, fc.constantFrom('?', '#', '?x=1#', '/?'), secret)
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(passwords, queries), (typed) => {
        expect(scrubAddress(typed)).not.toContain('S3CRET')
      }),
      { numRuns: 3_000 },
    )
  })

  /** Without the spaces, quotes and brackets that people put around an address. */
  const bare = (text: string) => text.replaceAll(/[\s<>"'“”(),;]/g, '')

  test('what is kept stays the same when it is read again, and can be stored', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.webUrl(), fc.emailAddress(), noise), (typed) => {
        const kept = scrubAddress(typed)
        expect(bare(scrubAddress(kept))).toBe(bare(kept))
        expect(kept).not.toContain('\0')
      }),
      { numRuns: 2_000 },
    )
  })

  test('an @ before what is no host is not kept once and dropped the next time', () => {
    for (const typed of ['@.:)#', '@a.:)#', '@b.co:x)?'])
      expect(bare(scrubAddress(scrubAddress(typed)))).toBe(bare(scrubAddress(typed)))
  })

  test('a long text takes no longer than its length says', () => {
    for (const sign of [')', '/', '@', ':', '.', '%', '//a', 'a:@/']) {
      const startedMs = performance.now()
      scrubAddress(`x${sign.repeat(200_000)}x`)
      expect([sign, performance.now() - startedMs < 2_000]).toEqual([sign, true])
    }
  })
})

test('without a credential an e-mail address shows its domain alone', () => {
  expect(hideMailbox(scrubAddress('ann@acme.co.uk'))).toBe('acme.co.uk')
  expect(hideMailbox(scrubAddress('https://acme.co.uk/@ann'))).toBe('https://acme.co.uk/@ann')
})

test('the parts are those that a browser would see', () => {
  expect(splitTyped('https://bob:pw@acme.co.uk:8443/a/b?c#d')).toEqual({
    scheme: 'https://',
    user: 'bob:pw',
    host: 'acme.co.uk:8443',
    path: '/a/b',
    isEmail: false,
  })
})
