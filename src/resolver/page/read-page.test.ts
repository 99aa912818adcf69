import { describe, expect, test } from 'vitest'
import type { PageDocument } from './document.ts'
import { readPage } from './read-page.ts'

function read(html: string, contentType: string | null = 'text/html; charset=utf-8'): PageDocument {
  return readPage(Buffer.from(html), { url: 'https://www.acme.co.uk/about/us', contentType })
}

const texts = (html: string) => read(html).blocks.map((block) => block.text)

describe('text', () => {
  test.each<[string, string, string[]]>([
    [
      'inline tags join with nothing',
      '<p>Comp<b>any</b> <i>No.</i> 0123<span>4567</span></p>',
      ['Company No. 01234567'],
    ],
    ['a label and its number in spans', '<span>Company number</span><span>01234567</span>', ['Company number01234567']],
    ['comments vanish', '<p>Company No.<!-- -->01234567</p>', ['Company No.01234567']],
    ['a line break is a newline', '<p><b>Company</b> <i>number</i>:<br/> 01234567', ['Company number:\n01234567']],
    ['an empty line stays, more do not', '<p>a<br><br><br> <br>b', ['a\n\nb']],
    ['newlines of the source are spaces', '<p>Acme\n  Widgets\r\n\tLtd </p>', ['Acme Widgets Ltd']],
    ['but not in <pre>', '<pre>Acme Ltd\n1 High  Street</pre>', ['Acme Ltd\n1 High Street']],
    [
      'every kind of space',
      '<p>Company&nbsp;No.&#8201;<strong>01234567</strong>&emsp;a\u3000b',
      ['Company No. 01234567 a b'],
    ],
    ['zero-width and soft hyphen', '<p>0123&shy;45\u200b6\u20607\ufeff', ['01234567']],
    [
      'instructions in tags, selectors and fillers that nobody sees',
      '<p>Acme\u{e0049}\u{e0067}\u{e006e}\u{e007f} W\ufe0fid\u{e0100}g\u3164ets\u115f\uffa0 \u061cL\u034ft\u180bd',
      ['Acme Widgets Ltd'],
    ],
    ['an entity for a digit', '<p>Company No. &#48;1234567 &#x26; &pound;5 &amp;', ['Company No. 01234567 & £5 &']],
    ['compatibility forms', '<p>Ａｃｍｅ №&nbsp;０１２３４５６７ oﬃce', ['Acme No 01234567 office']],
    ['what such forms would spoil', '<p>Acme™, O´Neill, 01234567¹, 3½ miles', ['Acme™, O´Neill, 01234567¹, 3½ miles']],
    ['a letter and its accent are one', '<p>Sia\u0302n', ['Siân']],
    ['characters that no database takes', '<p>a\0b\u0007c\ud800d', ['abc\ufffdd']],
    ['bare ampersands and angles', '<p>R&D at Smith & Sons, 5 < 6 && a<b>c</b>', ['R&D at Smith & Sons, 5 < 6 && ac']],
    [
      'written from right to left',
      '<p>No. <bdo dir=rtl>76543210</bdo> <b style="unicode-bidi:bidi-override; direction:rtl">dtL</b>',
      ['No. 01234567 Ltd'],
    ],
    ['no space at the ends, nothing of nothing', '<p> a </p><p> &nbsp; </p><div>\u200b</div><p><br></p>', ['a']],
  ])('%s', (_, html, expected) => {
    expect(texts(html)).toEqual(expected)
  })

  test('plain text is read as it stands', () => {
    expect(read('Acme <b> Ltd\nCompany No. 1 & Co', 'text/plain').blocks).toMatchObject([
      { text: 'Acme <b> Ltd\nCompany No. 1 & Co' },
    ])
  })
})

describe('blocks', () => {
  test.each<[string, string, Array<[string, string]>]>([
    [
      'paragraphs',
      '<p>a</p><p>b</p>',
      [
        ['p', 'a'],
        ['p', 'b'],
      ],
    ],
    [
      'paragraphs nobody closed',
      '<P>a<P>b<DIV>c</DIV>d',
      [
        ['p', 'a'],
        ['p', 'b'],
        ['div', 'c'],
        ['body', 'd'],
      ],
    ],
    [
      'a paragraph ends at a heading even inside bold',
      '<p>a<b>b<h2>c</h2>d',
      [
        ['p', 'ab'],
        ['h2', 'c'],
        ['body', 'd'],
      ],
    ],
    [
      'loose text between blocks',
      '<div>a<p>b</p>c<hr>d</div>e',
      [
        ['div', 'a'],
        ['p', 'b'],
        ['div', 'c'],
        ['div', 'd'],
        ['body', 'e'],
      ],
    ],
    [
      'list items',
      '<ul><li>Acme Ltd</li><li>No. 01234567</li></ul>',
      [
        ['li', 'Acme Ltd'],
        ['li', 'No. 01234567'],
      ],
    ],
    [
      'list items nobody closed, and a list in a list',
      '<ul><li>a<ul><li>b<li>c</ul><li>d</ul>',
      [
        ['li', 'a'],
        ['li', 'b'],
        ['li', 'c'],
        ['li', 'd'],
      ],
    ],
    [
      'a row is one block',
      '<table><tr><th>Company registration</th><td>01234567</td></tr></table>',
      [['tr', 'Company registration | 01234567']],
    ],
    [
      'cells nobody closed',
      '<TABLE><TR><TD>a<TD>b<TR><TD>c<TD>d</TABLE>e',
      [
        ['tr', 'a | b'],
        ['tr', 'c | d'],
        ['body', 'e'],
      ],
    ],
    [
      'a row nobody opened',
      '<table><td>a<td>b<tbody><tr><td>c</table>',
      [
        ['tr', 'a | b'],
        ['tr', 'c'],
      ],
    ],
    ['empty cells', '<table><tr><td>a<td> <td>&nbsp;<td>b</table>', [['tr', 'a | b']]],
    [
      'a paragraph that an editor put into a cell',
      '<table><tr><td><p>Number</p></td><td><p>01234567</p></td></tr></table>',
      [['tr', 'Number | 01234567']],
    ],
    [
      'a table that lays out the page',
      '<table><tr><td>menu<td><h1>a</h1><p>b</p><ul><li>c</ul></table>',
      [
        ['td', 'menu'],
        ['h1', 'a'],
        ['p', 'b'],
        ['li', 'c'],
      ],
    ],
    [
      'a table in a table',
      '<table><tr><td>a<td><table><tr><td>b<td>c</table></table>',
      [
        ['td', 'a'],
        ['tr', 'b | c'],
      ],
    ],
    [
      'a block between rows',
      '<table><tr><td>a<td>b</tr><div>c</div><tr><td>d<td>e</table>',
      [
        ['tr', 'a | b'],
        ['div', 'c'],
        ['tr', 'd | e'],
      ],
    ],
    [
      'end tags of others do not leave a cell',
      '<div><table><tr><td>a</div></p><td>b</table>c</div>',
      [
        ['tr', 'a | b'],
        ['div', 'c'],
      ],
    ],
    [
      'a term and its description',
      '<dl><dt>Registered number</dt><dd>01234567</dd><dt>VAT:<dd>GB1</dl>',
      [
        ['dl', 'Registered number: 01234567'],
        ['dl', 'VAT: GB1'],
      ],
    ],
    [
      'several descriptions',
      '<dl><dt>Office<dd>1 High Street<dd>Leeds<dt>Tel<dd>1</dl>',
      [
        ['dl', 'Office: 1 High Street\nLeeds'],
        ['dl', 'Tel: 1'],
      ],
    ],
    [
      'terms wrapped in boxes',
      '<dl><div><dt>a</dt><dd>b</dd></div><div><dt>c</dt><dd>d</dd></div></dl>',
      [
        ['dl', 'a: b'],
        ['dl', 'c: d'],
      ],
    ],
    [
      'a description of several paragraphs',
      '<dl><dt>a<dd><p>b<p>c</dl>',
      [
        ['dt', 'a'],
        ['p', 'b'],
        ['p', 'c'],
      ],
    ],
    [
      'a form is a boundary, wherever it was opened',
      '<table><form><tr><td>a<td>b</tr></form></table>',
      [['tr', 'a | b']],
    ],
    [
      'a box by its style',
      '<span style="display:block">a</span><span style="display: block">b</span>',
      [
        ['span', 'a'],
        ['span', 'b'],
      ],
    ],
    [
      'an element of the site’s own',
      '<acme-footer>a</acme-footer>b',
      [
        ['acme-footer', 'a'],
        ['body', 'b'],
      ],
    ],
    [
      'text after the end',
      '<html><body><p>a</p></body></html>b',
      [
        ['p', 'a'],
        ['body', 'b'],
      ],
    ],
    [
      'text without a body',
      '<head><title>t</title>a<p>b',
      [
        ['body', 'a'],
        ['p', 'b'],
      ],
    ],
    [
      'an end tag without a start',
      'a</p>b</div>c</b>d',
      [
        ['body', 'a'],
        ['body', 'b'],
        ['body', 'cd'],
      ],
    ],
  ])('%s', (_, html, expected) => {
    expect(read(html).blocks.map(({ tag, text }) => [tag, text])).toEqual(expected)
  })

  test('stand below their headings', () => {
    const { blocks } = read(
      '<h1>Privacy</h1><p>a</p><h2>Who we are</h2><p>b</p><h3>x</h3><h4>y</h4><p>c</p><h2>Cookies</h2><p>d</p><footer>e</footer>',
    )
    const above = Object.fromEntries(blocks.map(({ text, headings }) => [text, headings]))
    expect(above).toMatchObject({
      Privacy: [],
      a: ['Privacy'],
      'Who we are': ['Privacy'],
      b: ['Privacy', 'Who we are'],
      c: ['Who we are', 'x', 'y'],
      d: ['Privacy', 'Cookies'],
      e: [],
    })
  })

  test('share a group when they stand side by side in one box', () => {
    const { blocks } = read('<div><p>a<p>b</div><div>c<p>d</div><ul><li>e<li>f</ul><div><div>g</div><div>h</div></div>')
    const group = (text: string) => blocks.find((block) => block.text === text)?.group
    expect(group('a')).toBe(group('b'))
    expect(group('c')).toBe(group('d'))
    expect(group('e')).toBe(group('f'))
    expect(group('g')).toBe(group('h'))
    expect(new Set(['a', 'c', 'e', 'g'].map(group)).size).toBe(4)
  })

  test('say where their links are, in the clean text', () => {
    const { blocks } = read(
      '<p>  See &nbsp;<a href="/privacy"> our\u00ad  policy </a>, and <a href="//x.org/a?b#c"><b>X</b></a>.<table><tr><td><a href="t">T</a><td>u<a href="mailto:a@b.c">v</a>',
    )
    expect(
      blocks.map(({ text, links }) => [text, links.map((link) => [text.slice(link.start, link.end), link.href])]),
    ).toEqual([
      [
        'See our policy , and X.',
        [
          ['our policy', 'https://www.acme.co.uk/privacy'],
          ['X', 'https://x.org/a?b#c'],
        ],
      ],
      ['T | uv', [['T', 'https://www.acme.co.uk/about/t']]],
    ])
  })

  test('are quoted when all of it is somebody else’s words', () => {
    const { blocks } = read('<blockquote><p>a</p><cite>b</cite></blockquote><p><q>c</q></p><p>d <q>e</q></p><p>f</p>')
    expect(blocks.map(({ text, quoted }) => [text, quoted])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
      ['d e', false],
      ['f', false],
    ])
  })
})

test('counts what is seen and the scripts that could show more', () => {
  const page = read(
    '<script src=a></script><script type=module>b</script><script type="application/json">{}</script><div id=root></div>',
  )
  expect(page).toMatchObject({ visibleCharacters: 0, scripts: 2, cut: false, blocks: [] })
  expect(read('<p>abc<p>de').visibleCharacters).toBe(5)
})

test('text longer than a block goes on in the next', () => {
  const { blocks } = read(`<p>${'word '.repeat(10_000)}</p>`)
  expect(blocks.every(({ text }) => text.length <= 20_000)).toBe(true)
  expect(
    blocks
      .map(({ text }) => text)
      .join(' ')
      .split(' '),
  ).toEqual(Array.from({ length: 10_000 }, () => 'word'))
})
