/** Files that want to break the reader. Each is refused with a sentence, and this process lives on. */
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { cellText } from '../../src/lib/sheets/cell.ts'
import { inspectTable, readTable } from '../../src/lib/sheets/read-table.ts'
import { UnreadableTable } from '../../src/lib/sheets/unreadable-table.ts'
import { makeWorkbook, row, zipTexts } from './handmade-workbook.ts'
import { gather } from './tables.ts'

const MB = 1_024 * 1_024
const sheet = (data: string, more: object = {}) => makeWorkbook({ sheets: [{ name: 'Sheet1', data, ...more }] })
const good = sheet(row(1, ['Domain']) + row(2, ['acme.co.uk']))
const refused = async (bytes: Uint8Array, words: RegExp) => {
  const error = await inspectTable(bytes).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(UnreadableTable)
  expect((error as Error).message).toMatch(words)
  await expect(gather(readTable(bytes, { rowsMax: 100_000 }))).rejects.toThrow(UnreadableTable)
}

/** A workbook whose one sheet is this XML, with any size on its label. */
function withPart(name: string, xml: Buffer, label: number): Buffer {
  const packed = deflateRawSync(xml, { level: 9 })
  const named = Buffer.from(name)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(20, 4)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(label, 22)
  local.writeUInt16LE(named.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(20, 4)
  central.writeUInt16LE(20, 6)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt32LE(label, 24)
  central.writeUInt16LE(named.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + named.length, 12)
  end.writeUInt32LE(local.length + named.length + packed.length, 16)
  return Buffer.concat([local, named, packed, central, named, end])
}

describe('files that are no table', () => {
  test.each<[string, Uint8Array, RegExp]>([
    ['nothing', Buffer.alloc(0), /is empty/],
    ['an old or protected Excel file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /\.xls.*password.*XLSX or CSV/],
    [
      'an OpenDocument file',
      zipTexts([
        ['mimetype', 'application/vnd.oasis.opendocument.spreadsheet'],
        ['content.xml', '<x/>'],
      ]),
      /OpenDocument.*XLSX or CSV/,
    ],
    ['a Numbers document', zipTexts([['Index/Document.iwa', 'x']]), /Numbers.*Export/],
    ['a binary workbook', zipTexts([['xl/workbook.bin', 'x']]), /xlsb.*XLSX or CSV/],
    ['a Word document', zipTexts([['word/document.xml', '<x/>']]), /Word/],
    ['an archive of something else', zipTexts([['table.csv', 'a,b']]), /archive.*Unpack/],
    ['a PDF', Buffer.from('%PDF-1.7'), /PDF/],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), /picture/],
    ['a compressed file', Buffer.from('1f8b08', 'hex'), /gzip/],
    ['bytes with zeros', Buffer.from([1, 2, 3, 0, 0, 0, 4, 5, 6]), /no text has|no rows|damaged/],
    ['half a workbook', good.subarray(0, good.length - 40), /damaged/],
    [
      'a workbook without its sheet',
      zipTexts([
        ['_rels/.rels', '<Relationships/>'],
        ['xl/workbook.xml', '<workbook><sheets/></workbook>'],
      ]),
      /damaged/,
    ],
    ['an empty workbook', sheet(''), /no rows/],
  ])('%s', (_name, bytes, words) => refused(bytes, words))
})

test('a table of spaces has nothing in it', async () => {
  await expect(inspectTable(Buffer.from(' \n\n , ,\n'))).rejects.toThrow('no rows with anything')
})

describe('files that are too much', () => {
  test.each<[string, () => Uint8Array, RegExp]>([
    ['more bytes than are taken', () => Buffer.alloc(65 * MB, 'a,b\n'), /larger than 64 MB/],
    [
      'a small file that unpacks to 400 MB',
      () => withPart('xl/workbook.xml', Buffer.alloc(MB, ' '), 400 * MB),
      /larger than 300 MB/,
    ],
    [
      'a piece that unpacks to 1,000 times its size',
      () => withPart('xl/workbook.xml', Buffer.alloc(12 * MB, ' '), 12 * MB),
      /larger than 300 MB/,
    ],
    [
      'a piece that is larger than it says',
      () =>
        withPart(
          'xl/workbook.xml',
          Buffer.from(`<workbook>${Array.from({ length: 9_999 }, (_, index) => index).join(' ')}`),
          10,
        ),
      /damaged/,
    ],
    [
      'thousands of pieces',
      () => zipTexts(Array.from({ length: 2_001 }, (_, index): [string, string] => [`p${index}`, ''])),
      /more than 2000 pieces/,
    ],
    [
      'more sheets than a person has',
      () => makeWorkbook({ sheets: Array.from({ length: 201 }, (_, index) => ({ name: `S${index}`, data: '' })) }),
      /more than 200 sheets/,
    ],
    ['a million columns of text', () => Buffer.from(`${','.repeat(1_000_000)}x\n`), /more than 1,000 columns/],
    ['a cell in the last column', () => sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>'), /more than 1,000 columns/],
    ['a column that no sheet has', () => sheet('<row r="1"><c r="ZZZZZZZZZ1"><v>1</v></c></row>'), /damaged/],
    ['a row that no sheet has', () => sheet('<row r="1000000000"><c><v>1</v></c></row>'), /damaged/],
    ['rows that go back', () => sheet(row(5, ['a']) + row(2, ['b'])), /damaged/],
    ['a quote that never ends', () => Buffer.from(`a,b\n"${'x\n'.repeat(5_000_000)}`), /quote.*never ends/],
    ['a short quote that never ends', () => Buffer.from('a,b\nc,"d\ne,f\n'), /Line 2.*quote/],
    ['a cell of 20 MB in text', () => Buffer.from(`a,${'x'.repeat(20 * MB)}\n`), /longer than a line|32,767/],
    [
      'a cell of 40,000 characters in text',
      () => Buffer.from(`a,${'x'.repeat(40_000)}\n`),
      /Column 2 of line 1.*32,767/,
    ],
    ['a cell of 40,000 characters in a workbook', () => sheet(row(1, ['x'.repeat(40_000)])), /Cell A1.*32,767/],
    [
      'a cell of 20 MB in a workbook',
      () => sheet(row(1, [Array.from({ length: 3 * MB }, (_, index) => index).join(' ')])),
      /damaged/,
    ],
  ])('%s', (_name, make, words) => refused(make(), words))

  test('a last row far below the others is refused by its number, not by filling the gap', async () => {
    const bytes = sheet(row(1, ['a']) + row(1_048_576, ['b']))
    await expect(gather(readTable(bytes, { rowsMax: 100_000 }))).rejects.toThrow('more than 100,000 rows')
  })

  test('texts that fill the memory of the thread end that thread alone', async () => {
    const text = Array.from({ length: 2_000 }, (_, index) => `é漢${index}`).join('')
    const many = Array.from({ length: 13_000 }, (_, index) => `<t>${index}${text}</t>`)
    const bytes = makeWorkbook({ texts: many, sheets: [{ name: 'S', data: row(1, ['a']) }] })
    await expect(inspectTable(bytes)).rejects.toThrow('takes too much memory')
    expect((await inspectTable(good)).rows).toEqual([['Domain'], ['acme.co.uk']])
  }, 120_000)
})

test('a link with a longer address than a workbook takes is a text', async () => {
  const after =
    '<hyperlinks><hyperlink ref="A1" r:id="rId1"/><hyperlink ref="A2" r:id="rId2"/><hyperlink ref="A3" r:id="rId1" location="aa"/></hyperlinks>'
  const most = `https://acme.co.uk/${'?'.repeat(2_079 - 19)}`
  const links = [most, `${most}?`]
  const bytes = sheet(row(1, ['Most']) + row(2, ['More']) + row(3, ['With a place']), { after, links })
  const { rows, notices } = await inspectTable(bytes)
  expect(rows).toEqual([[{ text: 'Most', href: most.slice(0, 500) }], ['More'], ['With a place']])
  expect(notices).toContainEqual({ kind: 'links_left_out', count: 2, sheet: 'Sheet1' })
})

describe('XML that no program writes', () => {
  const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${'bcdefgh'
    .split('')
    .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefg'[index]};`.repeat(10)}">`)
    .join('')}]>`
  const parts = (workbook: string) =>
    zipTexts([
      [
        '_rels/.rels',
        '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>',
      ],
      ['xl/workbook.xml', workbook],
    ])

  test.each<[string, () => Uint8Array, RegExp]>([
    ['entities that grow', () => parts(`${laughs}<workbook>&h;</workbook>`), /no spreadsheet program writes/],
    [
      'an entity from a file',
      () => parts('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><workbook>&e;</workbook>'),
      /no spreadsheet program writes/,
    ],
    ['tags within tags without end', () => parts('<a>'.repeat(200_000)), /damaged/],
    ['a tag that never ends', () => sheet(`<row r="1"><c r="A1"><v>1</v></c></row><row `), /damaged/],
    ['attributes without quotes', () => sheet('<row r=1><c r=A1><v>1</v></c></row>'), /damaged/],
    [
      'a relation to itself',
      () =>
        zipTexts([
          [
            '_rels/.rels',
            '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="_rels/.rels"/></Relationships>',
          ],
        ]),
      /damaged/,
    ],
    [
      'a path out of the archive',
      () =>
        zipTexts([
          [
            '_rels/.rels',
            '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="../../../../etc/passwd"/></Relationships>',
          ],
          ['xl/workbook.xml', '<workbook/>'],
        ]),
      /archive|damaged/,
    ],
  ])('%s', (_name, make, words) => refused(make(), words))

  test('an entity that is not declared stays as it is written', async () => {
    const bytes = sheet(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>&lol; &amp;amp; &#x1F600; &#99999999;</t></is></c></row>',
    )
    expect((await inspectTable(bytes)).rows).toEqual([['&lol; &amp; 😀 &#99999999;']])
  })
})

test('a reader who stops early ends the thread, and many readers wait for each other', async () => {
  const bytes = Buffer.from('acme.co.uk\n'.repeat(200_000))
  for await (const batch of readTable(bytes, { rowsMax: 1_000_000 })) {
    expect(batch.length).toBeGreaterThan(0)
    break
  }
  const shapes = await Promise.all(Array.from({ length: 8 }, () => inspectTable(good)))
  expect(shapes.map(({ sheets }) => sheets[0]?.rows)).toEqual(Array.from({ length: 8 }, () => 2))
})

describe('a small workbook that names one long text in every cell', () => {
  const long = 'x'.repeat(32_000)
  const book = (rows: number, columns: number) => {
    const cells = '<c t="s"><v>0</v></c>'.repeat(columns)
    const data = Array.from({ length: rows }, (_, index) => `<row r="${index + 1}">${cells}</row>`).join('')
    return makeWorkbook({ sheets: [{ name: 'Sheet1', data }], texts: [`<t>${long}</t>`] })
  }

  test('is previewed with the beginning of each cell, so that the preview stays small', async () => {
    const { rows } = await inspectTable(book(50, 600))
    expect(rows).toHaveLength(50)
    expect(new Set(rows.flat().map((cell) => cellText(cell).length))).toEqual(new Set([500]))
  })

  test('is refused before its cells fill the memory of the process', async () => {
    await expect(gather(readTable(book(8_000, 3), { rowsMax: 100_000 }))).rejects.toThrow(/very long texts/)
  })
})
