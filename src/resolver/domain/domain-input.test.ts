import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDomain } from './typed-input.ts'

describe('whatever a person pastes becomes the registrable domain', () => {
  test.each([
    ['example.co.uk', 'example.co.uk'],
    ['  Example.CO.UK. ', 'example.co.uk'],
    ['https://www.example.co.uk/about?x=1#top', 'example.co.uk'],
    ['http://user:secret@shop.example.com:8080/', 'example.com'],
    ['//example.org/path', 'example.org'],
    ['www.example.com', 'example.com'],
    ['Ann.Smith+sales@mail.example.co.uk', 'example.co.uk'],
    ['mailto:ann@example.com', 'example.com'],
    ['<ann@example.com>', 'example.com'],
    ['bücher.de', 'xn--bcher-kva.de'],
    ['https://caffè-nero.example.london', 'example.london'],
    ['acme.wixsite.com', 'acme.wixsite.com'],
    ['acme.github.io', 'acme.github.io'],
    ['https://www.acme.blogspot.co.uk/2024/01/x.html', 'acme.blogspot.co.uk'],
    ['acme.blogspot.com', 'acme.blogspot.com'],
    ['https://acme.business.site/', 'acme.business.site'],
    ['acme.wordpress.com/about', 'acme.wordpress.com'],
    ['wordpress.com', 'wordpress.com'],
    ['www.wordpress.com', 'wordpress.com'],
    ['blogspot.co.uk', 'blogspot.co.uk'],
    ['sky.com', 'sky.com'],
    ['https://www.sky.com/deals', 'sky.com'],
    ['ebay.co.uk', 'ebay.co.uk'],
    ['https://www.google.com/?hl=en', 'google.com'],
    ['uk.linkedin.com', 'linkedin.com'],
    ['t.co', 't.co'],
    ['bit.ly', 'bit.ly'],
    ['gmail.com', 'gmail.com'],
    ['jobs@facebook.com', 'facebook.com'],
    ['parliament.uk', 'parliament.uk'],
    ['acme.ltd.uk', 'acme.ltd.uk'],
  ])('%j is %s', (pasted, domain) => {
    expect(parseDomain(pasted)).toBe(domain)
  })
})

describe('what no company can have is refused, and says why', () => {
  test.each([
    ['', 'missing'],
    ['   ', 'missing'],
    ['localhost', 'reserved name'],
    ['intranet.corp', 'not a public domain'],
    ['co.uk', 'public suffix'],
    ['com', 'public suffix'],
    ['github.io', 'public suffix'],
    ['192.168.0.1', 'IP address'],
    ['http://[::1]/', 'not a domain|IP address'],
    ['ann@gmail.com', 'free e-mail provider'],
    ['https://www.facebook.com/acme', 'social network'],
    ['etsy.com/shop/acme', 'marketplace'],
    ['acme.etsy.com', 'marketplace'],
    ['facebook.com/acme?ref=x', 'social network'],
    ['sites.google.com/view/acme', 'website builder'],
    ['bit.ly/3xYz', 'link shortener'],
    ['https://t.co/abc', 'link shortener'],
    ['ann@sky.com', 'free e-mail provider'],
    ['foo.onion', 'reserved name'],
    ['http://duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion/', 'reserved name'],
    ['1.0.0.127.in-addr.arpa', 'reserved name'],
    ['in-addr.arpa', 'reserved name'],
    ['router.home.arpa', 'reserved name'],
    ['printer.local', 'reserved name'],
    ['api.internal', 'reserved name'],
    ['https://bob:sec/ret@example.com/', '^“example\\.com/” is not a domain name'],
    ['exa mple.com', 'not a'],
    ['not a domain', 'not a'],
    [`${'a'.repeat(70)}.com`, 'not a'],
    ['x'.repeat(3_000), 'too long'],
  ])('%j: %s', (pasted, why) => {
    expect(() => parseDomain(pasted)).toThrow(expect.objectContaining({ code: 'invalid_domain' }))
    expect(() => parseDomain(pasted)).toThrow(new RegExp(why))
  })
})

test('any text is answered with a domain in small ASCII letters or a refusal, never with another error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.emailAddress(), fc.domain()), (pasted) => {
      try {
        expect(parseDomain(pasted)).toMatch(/^[a-z0-9_-]+(?:\.[a-z0-9-]+)+$/)
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_domain' })
      }
    }),
    { numRuns: 2_000 },
  )
})
