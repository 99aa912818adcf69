/** Own cells come back byte for byte, and nothing that a person or a site wrote becomes a formula. */
import { Workbook } from '@cj-tech-master/excelts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { type Cell, cellText } from '../../src/lib/sheets/cell.ts'
import { toSheetNames, writeXlsx } from '../../src/lib/sheets/write-xlsx.ts'
import { gather, once, readBack, toCsv, toXlsx } from './tables.ts'

const RUNS = { numRuns: 100 }

async function readPart(bytes: Buffer, name: string): Promise<string> {
  const archive = await yauzl.fromBufferPromise(bytes, { lazyEntries: true })
  for await (const entry of archive.eachEntry())
    if (entry.fileName === name) {
      const chunks: Buffer[] = []
      for await (const chunk of (await archive.openReadStreamPromise(entry)) as AsyncIterable<Buffer>)
        chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    }
  throw new Error(`no ${name}`)
}

/** Any text, and often what breaks XML, escapes, quotes and formulas. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(...'_x0041_\r\n\t\0\u0001\u001f\uFFFE\uFFFF\uD800\uDC00&<>"\'=+-@;,| a1é漢😀]'.split('')),
    maxLength: 20,
  }),
)
const kept = fc.oneof(
  anyText.filter((text) => text !== ''),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0 || 0),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.record({
    number: fc.integer(),
    format: fc.constantFrom('0%', '00000000', '#,##0.00', '[$£-809]#,##0.00', '0.0 "a & b"'),
  }),
  fc.integer({ min: 61, max: 2_958_465 }).map((serial) => ({
    date: new Date(Date.UTC(1899, 11, 30 + serial)).toISOString().slice(0, 10),
    serial,
    format: 'dd/mm/yyyy',
  })),
  fc.constantFrom<Cell>({ error: '#N/A' }, { error: '#REF!' }),
  fc.record({
    text: anyText.filter((text) => text !== ''),
    href: fc.webUrl({ withQueryParameters: true, withFragments: true }),
  }),
)
const table = <T extends Cell>(cell: fc.Arbitrary<T>) =>
  fc.array(fc.array(cell, { maxLength: 6 }), { minLength: 1, maxLength: 12 })

describe('whatever the cells are', () => {
  test('XLSX brings each back with its type', async () => {
    await fc.assert(
      fc.asyncProperty(table(kept), async (rows) => {
        const wanted = [...rows, ['end']]
        expect(await readBack(await toXlsx(wanted))).toEqual(wanted.map(trimEnd))
      }),
      RUNS,
    )
  })

  test('CSV brings each text back; only what can begin a formula has an apostrophe more', async () => {
    const written = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''))
    const any = fc.oneof(
      written,
      anyText.map((text) => text.toWellFormed().replaceAll('\0', '')),
    )
    await fc.assert(
      fc.asyncProperty(table(any), fc.boolean(), async (rows, hasMark) => {
        const wanted = [['first', 'second'], ...rows, ['end', 'end']]
        const back = await readBack(await toCsv(wanted, hasMark))
        expect(back).toHaveLength(wanted.length)
        for (const [index, row] of wanted.entries()) {
          const found = wanted[index]?.map((_, column) => cellText(back[index]?.[column])) ?? []
          expect(found).toEqual(row.map(withApostrophes))
        }
      }),
      RUNS,
    )
  })
})

/** The text with an apostrophe before each sign that a program may take for the beginning of a formula, and with no other. */
function withApostrophes(text: string): string {
  if (text.trim() === '') return text
  if (text.length <= 40 && /^ *[+-] *[£$€]?[\d .,()]*(?:[eE][+-]?\d+)?%? *$/.test(text)) return text
  const disarmed = text.replaceAll(/(?<=(?:^|[,;|\t\r\n])[\s"\uFEFF]*)[=+\-@＝＋－＠]/gu, "'$&")
  return /^[\t\r\n]/.test(disarmed) ? `'${disarmed}` : disarmed
}

test.each([
  ["it's", "it's"],
  ["'=1", "'=1"],
  ['=1', "'=1"],
  ['a,=1;@b', "a,'=1;'@b"],
  ['a=1', 'a=1'],
  [' "+x', ' "\'+x'],
  ['-12.5%', '-12.5%'],
  ['\tx', "'\tx"],
])('%j is written to CSV as %j', async (text, written) => {
  const back = await readBack(await toCsv([['first'], [text], ['end']]))
  expect(back[1]?.map(cellText)).toEqual([written])
})

function trimEnd(row: readonly Cell[]): Cell[] {
  return row.slice(0, row.findLastIndex((cell) => cell !== null) + 1)
}

const FORMULAS = [
  '=1+1',
  '=HYPERLINK("https://evil.example","click")',
  "=cmd|' /C calc'!A0",
  '+1+cmd',
  '-2+3',
  '@SUM(A1:A9)',
  '\t=1',
  '\r=1',
  ' =1',
  '＝1',
  '=IMPORTXML("https://evil.example")',
  '=DDE("cmd";"/C calc";"x")',
  '{=1}',
  '</t></is></c><c r="B9"><f>1+1</f></c>',
  ']]><f>1</f>',
]

describe('nothing becomes a formula', () => {
  test.each(FORMULAS)('%j stays text in a workbook, also when someone edits the cell', async (text) => {
    const link = { text, href: 'https://acme.co.uk/' }
    const bytes = await toXlsx([[text, link]], { columns: [{ header: text }], headerRows: [[text]] })
    const xml = await readPart(bytes, 'xl/worksheets/sheet1.xml')
    expect(xml).not.toMatch(/<f[\s>/]/)
    if (/^\s*[=+\-@＝]/u.test(text)) expect(xml).toContain('<c r="A2" t="inlineStr" s="2">')
    expect(await readBack(bytes)).toEqual([[text], [text, link]])
    const sheet = await openElsewhere(bytes)
    expect(sheet.getCell('A2').formula).toBeUndefined()
    expect(sheet.getCell('A2').value).toBe(text)
  })

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    '\\\\server\\share',
    ' https://acme.co.uk',
    '#A1',
    'ftp://acme.co.uk',
  ])('a link to %j is text without a link', async (href) => {
    const bytes = await toXlsx([[{ text: 'click', href }]])
    expect(await readBack(bytes)).toEqual([['click']])
    expect(await readPart(bytes, 'xl/worksheets/sheet1.xml')).not.toContain('hyperlink')
  })
})

test('the person’s own links stay links where added ones reach the limit of a sheet', async () => {
  const link = (name: string) => ({ text: name, href: `https://${name}.co.uk/` })
  const rows = [1, 2, 3].map((row) => [link(`own${row}`), link(`page${row}`), link(`proof${row}`)])
  const sheet = { name: 'Leads', columns: [], headerRows: [], ownLinks: { columns: 1, count: 3 }, rows: once(rows) }
  const bytes = Buffer.concat(await gather(writeXlsx({ sheets: [sheet], linksMax: 5 })))
  expect(await readBack(bytes)).toEqual([rows[0], [link('own2'), 'page2', 'proof2'], [link('own3'), 'page3', 'proof3']])
  expect(await readPart(bytes, 'xl/worksheets/sheet1.xml'), 'text does not look like a link').toContain(
    '<c r="B2" t="inlineStr"><is>',
  )
})

describe('a workbook opens in other programs', () => {
  test('with types, links, a frozen bold header, a filter and widths', async () => {
    const link = { text: 'page', href: 'https://acme.co.uk/?a=1&b="2"' }
    const bytes = await toXlsx([['Acme Ltd', { date: '2024-03-01' }, link, { number: 0.5, format: '0%' }]], {
      name: 'Results: all [new]',
      columns: [
        { header: 'Company' },
        { header: 'Since', kind: 'date' },
        { header: 'Page', kind: 'link', width: 500 },
        { header: 'Share', kind: 'number' },
      ],
      headerRows: [['Company', 'Since', 'Page', 'Share']],
    })
    const sheet = await openElsewhere(bytes)
    expect(sheet.name).toBe('Results  all  new')
    expect(sheet.getCell('A1').font?.bold).toBe(true)
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 })
    expect(sheet.autoFilter).toBe('A1:D2')
    expect(sheet.getCell('B2').value).toEqual(new Date('2024-03-01T00:00:00Z'))
    expect(sheet.getCell('C2').value).toMatchObject({ text: 'page', hyperlink: 'https://acme.co.uk/?a=1&b=%222%22' })
    expect(sheet.getCell('D2').value).toBe(0.5)
    expect(sheet.getCell('D2').numFmt).toBe('0%')
    expect(sheet.getColumn(3).width).toBe(80)
  })

  test('with the days and numbers of its header as they were, in bold', async () => {
    const header: Cell[] = [
      { date: '2026-01-01', serial: 46023, format: 'mmm-yy' },
      { number: 0.5, format: '0 "units"' },
    ]
    const bytes = await toXlsx([[{ number: 2, format: '0 "units"' }]], { headerRows: [header] })
    expect((await readBack(bytes))[0]).toEqual(header)
    const sheet = await openElsewhere(bytes)
    expect([sheet.getCell('A1').numFmt, sheet.getCell('B1').numFmt]).toEqual(['mmm-yy', '0 "units"'])
    expect([sheet.getCell('A1').font?.bold, sheet.getCell('A2').font?.bold ?? false]).toEqual([true, false])
  })

  test('with several sheets, whose names are made fit', async () => {
    expect(toSheetNames(['a/b', 'A b', '', "'x'", 'History', 'y'.repeat(40)])).toEqual([
      'a b',
      'A b 2',
      'Sheet',
      'x',
      'History 2',
      'y'.repeat(31),
    ])
  })

  test('a text that is too long for a cell is cut, and a link beyond the most that a sheet takes is text', async () => {
    const long = 'x'.repeat(40_000)
    const rows = Array.from({ length: 65_600 }, (_, index): Cell[] => [
      { text: `${index}`, href: `https://acme.co.uk/${index}` },
    ])
    const bytes = await toXlsx([[long], ...rows])
    const back = await readBack(bytes)
    expect(back[0]).toEqual([`${'x'.repeat(32_766)}…`])
    expect(back.filter(([cell]) => typeof cell === 'object' && cell !== null && 'href' in cell)).toHaveLength(65_530)
    expect(back.at(-1)).toEqual(['65599'])
  })

  test('a reader who stops early ends the source of the rows', async () => {
    let isEnded = false
    async function* endless(): AsyncGenerator<Cell[][]> {
      try {
        for (let index = 0; ; index += 1) yield [[`${Math.sin(index)}`]]
      } finally {
        isEnded = true
      }
    }
    for await (const piece of writeXlsx({ sheets: [{ name: 'S', columns: [], rows: endless() }] }))
      if (piece.length > 10_000) break
    await expect.poll(() => isEnded).toBe(true)
  })

  test('an error of the source is the error of the file', async () => {
    async function* failing(): AsyncGenerator<Cell[][]> {
      yield [['a']]
      throw new Error('planted')
    }
    await expect(gather(writeXlsx({ sheets: [{ name: 'S', columns: [], rows: failing() }] }))).rejects.toThrow(
      'planted',
    )
  })

  test('the same rows make the same bytes', async () => {
    const make = () => toXlsx([['Acme Ltd', 1]])
    expect((await make()).equals(await make())).toBe(true)
  })
})

test('workbooks that another program wrote are read', async () => {
  const workbook = new Workbook()
  const sheet = workbook.addWorksheet('Elsewhere')
  sheet.addRow(['Company', 'Since', 'Share'])
  sheet.addRow(['Acme & Sons "Ltd"\n_x0041_', new Date('2024-03-01T00:00:00Z'), 0.5])
  sheet.getCell('C2').numFmt = '0.00%'
  sheet.getCell('D2').value = { text: 'site', hyperlink: 'https://acme.co.uk/' }
  const back = await readBack(Buffer.from(await workbook.xlsx.writeBuffer()))
  expect(back[1]?.map(cellText)).toEqual(['Acme & Sons "Ltd"\n_x0041_', '2024-03-01', '50.00%', 'site'])
  expect(back[1]?.[3]).toEqual({ text: 'site', href: 'https://acme.co.uk/' })
})

async function openElsewhere(bytes: Buffer) {
  const workbook = new Workbook()
  await workbook.xlsx.load(bytes)
  const [sheet] = workbook.worksheets
  if (!sheet) throw new Error('no sheet')
  return sheet
}
