import { describe, expect, test } from 'vitest'
import { readPage } from './read-page.ts'

const items = (html: string) =>
  readPage(Buffer.from(html), { url: 'https://acme.co.uk/', contentType: 'text/html; charset=utf-8' }).structuredData

const script = (json: string) => items(`<script type="application/ld+json">${json}</script>`)

describe('JSON-LD', () => {
  const acme = { '@type': 'Organization', legalName: 'Acme Ltd' }
  const text = JSON.stringify(acme)

  test.each<[string, string, unknown[]]>([
    ['an object', text, [acme]],
    ['a list', `[${text},{"@type":"WebSite"}]`, [acme, { '@type': 'WebSite' }]],
    ['a graph', `{"@context":"https://schema.org","@graph":[${text},[${text}]]}`, [acme, acme]],
    ['a graph that is something itself', `{"@type":"WebPage","@graph":[${text}]}`, [{ '@type': 'WebPage' }, acme]],
    ['several in a row', `${text}\n${text},${text};`, [acme, acme, acme]],
    ['in an HTML comment', `<!--\n${text}\n//-->`, [acme]],
    ['in CDATA', `/* <![CDATA[ */\n${text}\n/* ]]> */`, [acme]],
    ['trailing commas', '{"a":[1,2, ],"b":{"c":"x,}" ,},}', [{ a: [1, 2], b: { c: 'x,}' } }]],
    ['line breaks in strings', '{"a":"one\ntwo\tthree \\" four"}', [{ a: 'one\ntwo\tthree " four' }]],
    ['broken, then whole', `{"a":oops} ${text}`, [acme]],
    ['never closed', `{"a":"${'x'.repeat(100)}`, []],
    ['no object', '"text" 12 null', []],
    ['nothing', '', []],
    [
      'an identifier',
      '{"identifier":{"@type":"PropertyValue","propertyID":"Companies House","value":"01234567"}}',
      [{ identifier: { '@type': 'PropertyValue', propertyID: 'Companies House', value: '01234567' } }],
    ],
  ])('%s', (_, json, expected) => {
    expect(script(json)).toEqual(expected)
  })

  test('is bounded in number, size and depth', () => {
    expect(script(`[${Array.from({ length: 60 }, () => text).join()}]`)).toHaveLength(50)
    expect(script(`{"a":"${'x'.repeat(256 * 1024)}"}`)).toEqual([])
    expect(script(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toEqual([])
  })

  test('other scripts are no data', () => {
    expect(
      items('<script>var a = {"@type":"Organization"}</script><script type="application/json">{"a":1}</script>'),
    ).toEqual([])
    expect(items(`<noscript><script type="application/ld+json">${text}</script></noscript>`)).toEqual([])
  })
})

describe('microdata', () => {
  test.each<[string, string, unknown[]]>([
    [
      'an item in an item',
      `<div itemscope itemtype="https://schema.org/Organization"><h1 itemprop="name legalName">Acme <b>Ltd</b></h1>
       <p itemprop="address" itemscope itemtype="http://schema.org/PostalAddress"><span itemprop="postalCode">LS1 1AA</span></p>
       <meta itemprop="vatID" content="GB123"><a itemprop="url" href="https://acme.co.uk/">x</a>
       <link itemprop="sameAs" href="https://x.org/a"><link itemprop="sameAs" href="https://x.org/b">
       <time itemprop="foundingDate" datetime="1999-01-01">last century</time></div>`,
      [
        {
          '@type': 'Organization',
          name: 'Acme Ltd',
          legalName: 'Acme Ltd',
          address: { '@type': 'PostalAddress', postalCode: 'LS1 1AA' },
          vatID: 'GB123',
          url: 'https://acme.co.uk/',
          sameAs: ['https://x.org/a', 'https://x.org/b'],
          foundingDate: '1999-01-01',
        },
      ],
    ],
    ['a property outside any item', '<p>x <span itemprop="leiCode">04999990</span></p>', [{ leiCode: '04999990' }]],
    ['an item that says nothing', '<div itemscope itemtype="https://schema.org/WebPage">x</div>', []],
    ['text that is hidden', '<div itemscope><b itemprop=taxID hidden>01234567</b></div>', []],
    ['names that are traps', '<div itemscope><b itemprop="__proto__ constructor">x</b></div>', [{ constructor: 'x' }]],
    [
      'RDFa Lite',
      '<div vocab="https://schema.org/" typeof="Organization"><span property="schema:name">Acme</span><div property="address" typeof="PostalAddress"><b property="postalCode">LS1</b></div></div>',
      [{ '@type': 'Organization', name: 'Acme', address: { '@type': 'PostalAddress', postalCode: 'LS1' } }],
    ],
    ['Open Graph is not RDFa', '<meta property="og:title" content="x"><b property="name">y</b>', []],
    ['after JSON-LD', '<b itemprop=a>1</b><script type="application/ld+json">{"b":2}</script>', [{ b: 2 }, { a: '1' }]],
  ])('%s', (_, html, expected) => {
    expect(items(html)).toEqual(expected)
  })
})
