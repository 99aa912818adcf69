import { expect, test } from 'vitest'
import { decodePage } from './read-page.ts'

const HTML = 'text/html'

test.each<[string, Buffer, string | null, string]>([
  ['a byte order mark before all else', Buffer.from('\ufeff<p>£5'), 'text/html; charset=windows-1252', '<p>£5'],
  ['UTF-16 by its mark', Buffer.from('\ufeff<p>£5', 'utf16le'), null, '<p>£5'],
  ['UTF-16, the other way round', Buffer.from('\ufeff<p>£5', 'utf16le').swap16(), HTML, '<p>£5'],
  [
    'the header before the page',
    Buffer.from('<meta charset=utf-8>\xa35', 'latin1'),
    'text/html;charset="ISO-8859-1"',
    '<meta charset=utf-8>£5',
  ],
  [
    'what the page says',
    Buffer.from("<META http-equiv='Content-Type' content='text/html; charset=windows-1251'>\xc0", 'latin1'),
    HTML,
    "<META http-equiv='Content-Type' content='text/html; charset=windows-1251'>А",
  ],
  [
    'what the page says in short',
    Buffer.from('<meta charset = "iso-8859-15">\xa4', 'latin1'),
    null,
    '<meta charset = "iso-8859-15">€',
  ],
  [
    'an XML declaration',
    Buffer.from('<?xml version="1.0" encoding="iso-8859-2"?>\xa3', 'latin1'),
    null,
    '<?xml version="1.0" encoding="iso-8859-2"?>Ł',
  ],
  ['nothing said, UTF-8', Buffer.from('<p>© Siân'), null, '<p>© Siân'],
  ['nothing said, not UTF-8', Buffer.from('<p>\x93Si\xe2n\x94 \x80', 'latin1'), null, '<p>“Siân” €'],
  [
    'an unknown label falls back',
    Buffer.from('<meta charset="klingon"><p>£'),
    'text/html; charset=none-such',
    '<meta charset="klingon"><p>£',
  ],
  ['a page that says UTF-16 and cannot be', Buffer.from('<meta charset=utf-16>£'), null, '<meta charset=utf-16>£'],
  [
    'a declaration in a comment says nothing',
    Buffer.from('<!-- <meta charset=koi8-r> -->£'),
    null,
    '<!-- <meta charset=koi8-r> -->£',
  ],
  [
    'a declaration too far down says nothing',
    Buffer.from(`${' '.repeat(4096)}<meta charset=koi8-r>£`),
    null,
    `${' '.repeat(4096)}<meta charset=koi8-r>£`,
  ],
  ['cut in the middle of a character', Buffer.from('<p>£').subarray(0, -1), null, '<p>'],
  ['nothing at all', Buffer.alloc(0), null, ''],
])('%s', (_, body, contentType, text) => {
  expect(decodePage(body, contentType)).toBe(text)
})
