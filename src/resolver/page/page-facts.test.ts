import { describe, expect, test } from 'vitest'
import { readPage } from './read-page.ts'

const read = (html: string) =>
  readPage(Buffer.from(html), { url: 'https://www.acme.co.uk/about/us', contentType: 'text/html; charset=utf-8' })

describe('what the page says about itself', () => {
  test('title, names, language and the rest', () => {
    expect(
      read(`<!doctype html><html lang="cy"><head><title> Acme &amp;\n Sons | Home </title>
        <meta name=application-name content=AcmeApp><meta property="og:site_name" content="Acme &amp; Sons">
        <meta name="Description" content="We make  widgets."><meta name=generator content="WordPress 6.5">
        <meta name=robots content="NOINDEX, nofollow"><link rel="alternate canonical" href="/about">
        <meta http-equiv=Refresh content="5; URL='../new/'"></head><body><svg><title>Icon</title></svg><title>Late</title>`),
    ).toMatchObject({
      title: 'Acme & Sons | Home',
      siteName: 'Acme & Sons',
      description: 'We make widgets.',
      language: 'cy',
      generator: 'WordPress 6.5',
      robots: 'noindex, nofollow',
      canonical: 'https://www.acme.co.uk/about',
      metaRefresh: 'https://www.acme.co.uk/new/',
      blocks: [],
    })
  })

  test('nothing', () => {
    expect(read('<p>x')).toMatchObject({
      title: '',
      siteName: null,
      description: null,
      language: null,
      generator: null,
      robots: null,
      canonical: null,
      metaRefresh: null,
    })
  })

  test.each([
    ['0;url=https://x.org/', 'https://x.org/'],
    ['0; /next', 'https://www.acme.co.uk/next'],
    ["3 , url = 'a.html'", 'https://www.acme.co.uk/about/a.html'],
    ['30', null],
    ['0;url=javascript:alert(1)', null],
  ])('refresh %s', (content, address) => {
    expect(read(`<meta http-equiv="refresh" content="${content}">`).metaRefresh).toBe(address)
  })

  test('a refresh for browsers without scripts is not for us', () => {
    expect(read('<noscript><meta http-equiv=refresh content="0;url=/nojs"></noscript>').metaRefresh).toBeNull()
  })
})

describe('links', () => {
  const links = (html: string) => read(html).links.map(({ href, text, region }) => [href, text, region])

  test.each<[string, string, Array<[string, string, string]>]>([
    ['relative to the page', '<a href="them">Them</a>', [['https://www.acme.co.uk/about/them', 'Them', 'main']]],
    [
      'relative to the base',
      '<base href="/x/"><base href="/y/"><a href="z">Z</a>',
      [['https://www.acme.co.uk/x/z', 'Z', 'main']],
    ],
    [
      'text over several blocks',
      '<footer><a href=/a><div>A</div><div>B <b>C</b></div></a></footer>',
      [['https://www.acme.co.uk/a', 'A B C', 'footer']],
    ],
    ['the words on a button', '<a href=/a><button>Terms</button></a>', [['https://www.acme.co.uk/a', 'Terms', 'main']]],
    [
      'an image’s words',
      '<a href=/a><img src=x.png alt="Privacy &amp; you"></a>',
      [['https://www.acme.co.uk/a', 'Privacy & you', 'main']],
    ],
    [
      'a label',
      '<a href=/a aria-label="Find us"><i></i></a><a href=/b title=Legal></a>',
      [
        ['https://www.acme.co.uk/a', 'Find us', 'main'],
        ['https://www.acme.co.uk/b', 'Legal', 'main'],
      ],
    ],
    [
      'one left open',
      '<a href=/a>A<a href=/b>B</a>',
      [
        ['https://www.acme.co.uk/a', 'A', 'main'],
        ['https://www.acme.co.uk/b', 'B', 'main'],
      ],
    ],
    [
      'one that ends before a box in it',
      '<a href=/a>A<div>B</a>C</div>',
      [['https://www.acme.co.uk/a', 'A B', 'main']],
    ],
    [
      'maps and frames',
      '<map><area href=/a alt=A></map><frameset><frame src=main.htm name=main></frameset>',
      [
        ['https://www.acme.co.uk/a', 'A', 'main'],
        ['https://www.acme.co.uk/about/main.htm', 'main', 'main'],
      ],
    ],
    [
      'other schemes, fragments and nonsense',
      '<a href="mailto:a@b.c">m</a><a href="javascript:x()">j</a><a href="#top">t</a><a href="http://[">n</a><a name=x>y</a>',
      [],
    ],
    ['hidden ones', '<a href=/a style="display:none">trap</a><div hidden><a href=/b>trap</a></div>', []],
  ])('%s', (_, html, expected) => {
    expect(links(html)).toEqual(expected)
  })

  test('are 500 at most', () => {
    expect(links('<a href=/a>A</a>'.repeat(501))).toHaveLength(500)
  })
})

describe('how the site names itself', () => {
  test.each<[string, string, string[]]>([
    ['a logo’s words', '<img src="/img/Logo-2024.png" alt="Acme Widgets Ltd">', ['Acme Widgets Ltd']],
    [
      'without the word itself',
      '<img class="site-logo" src=a.png alt="Acme Widgets - Logo"><img src=a.png alt="Logo">',
      ['Acme Widgets'],
    ],
    ['an image on the way home', '<a href="/"><img src=a.png alt="Acme"></a>', ['Acme']],
    [
      'the words of a link home',
      '<a href="https://acme.co.uk/">Acme Widgets</a><a href="/index.html">Acme &amp; Sons</a>',
      ['Acme Widgets', 'Acme & Sons'],
    ],
    [
      'but not the usual ones',
      '<a href="/">Home</a><a href="/">Hafan</a><a href="/">WELCOME</a><a href="/about">About</a><a href="https://x.org/">X</a>',
      [],
    ],
    [
      'classes that say so',
      '<p class="site-title">Acme</p><div class="navbar-brand"><b>Be</b>ta</div><span class="logo">Gamma<br>Ltd</span>',
      ['Acme', 'Beta', 'Gamma Ltd'],
    ],
    [
      'not the logos of others',
      '<div class="logos"><img src="logo-x.png" alt="X plc"></div><ul class="our-clients"><li><img src="y-logo.svg" alt="Y"></ul>',
      [],
    ],
    ['once each', '<a class="logo" href="/"><img src="logo.png" alt="Acme"> ACME</a>', ['Acme']],
    ['not an essay', `<div class="logo">${'long '.repeat(30)}</div>`, []],
  ])('%s', (_, html, expected) => {
    expect(read(html).brandHints).toEqual(expected)
  })

  test('ten at most', () => {
    expect(read(Array.from({ length: 12 }, (_, n) => `<b class=logo>Acme ${n}</b>`).join('')).brandHints).toHaveLength(
      10,
    )
  })
})
