/** Files as people have them. Each is read whole: no row and no cell is lost, and the columns are guessed right or asked for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readInput } from '../../src/bulk/column-input.ts'
import { guessColumns } from '../../src/bulk/index.ts'
import { type Cell, cellText, isBlank } from '../../src/lib/sheets/cell.ts'
import { inspectTable, readTable } from '../../src/lib/sheets/read-table.ts'
import { makeWorkbook, row } from './handmade-workbook.ts'
import { gather, readBack, toCsv, toXlsx } from './tables.ts'

const FOLDER = join(import.meta.dirname, 'files')

interface Expected {
  /** Rows and columns of the sheet that is read. */
  size: string
  /** Cells with something to read, the header's among them. */
  cells: number
  headerRows: number
  /** Columns that hold something; a question mark where the person is asked. */
  holds: string
  notices?: string
}

const FILES: Record<string, Expected> = {
  'apollo.csv': {
    size: '3x13',
    cells: 38,
    headerRows: 1,
    holds: 'Company=company_name, Email=email, Website=web_address, Company Postal Code=postcode',
  },
  'dates-for-numbers.xlsx': { size: '4x4', cells: 16, headerRows: 1, holds: 'Company number=company_number' },
  'duplicate-headers.csv': {
    size: '3x4',
    cells: 12,
    headerRows: 1,
    holds: 'Name=company_name, Website=web_address?, Website=domain?',
  },
  'empty-columns.xlsx': {
    size: '9x5',
    cells: 6,
    headerRows: 2,
    holds: 'Company=company_name, Website=web_address',
    notices: 'empty_rows 6, empty_columns 3',
  },
  'formulas.xlsx': {
    size: '3x6',
    cells: 16,
    headerRows: 1,
    holds: 'Website=web_address, Domain=domain',
    notices: 'formulas 10, error_cells 2, formulas_without_result 2',
  },
  'from-1904.xlsx': { size: '3x2', cells: 6, headerRows: 1, holds: 'Domain=domain' },
  'google-sheets.xlsx': {
    size: '3x2',
    cells: 6,
    headerRows: 1,
    holds: 'Account Name=company_name, Company Domain=domain',
    notices: 'formulas 1',
  },
  'hidden-rows.xlsx': {
    size: '4x3',
    cells: 12,
    headerRows: 1,
    holds: 'Company=company_name, Domain=domain',
    notices: 'hidden_rows 2, hidden_columns 1',
  },
  'hubspot.csv': {
    size: '3x6',
    cells: 17,
    headerRows: 1,
    holds: 'Company name=company_name, Company Domain Name=domain, Website URL=web_address, Postal Code=postcode',
  },
  'libreoffice.xlsx': { size: '3x2', cells: 6, headerRows: 1, holds: 'Company=company_name, Web=web_address' },
  'links.xlsx': {
    size: '5x2',
    cells: 10,
    headerRows: 1,
    holds: 'Company=company_name, Website=web_address?',
    notices: 'links_left_out 1',
  },
  'lost-zeros.csv': { size: '6x2', cells: 12, headerRows: 1, holds: 'Company Reg No=company_number' },
  'lost-zeros.xlsx': { size: '4x2', cells: 8, headerRows: 1, holds: 'CRN=company_number, Name=company_name' },
  'merged-header.xlsx': {
    size: '5x3',
    cells: 10,
    headerRows: 3,
    holds: 'Company=company_name, Reg. No.=company_number, Postcode=postcode',
    notices: 'merged_cells 1, empty_rows 1',
  },
  'mixed-kinds.csv': { size: '6x2', cells: 12, headerRows: 1, holds: 'all asked' },
  'names-with-postcodes.csv': {
    size: '4x3',
    cells: 12,
    headerRows: 1,
    holds: 'Supplier=company_name, Post Code=postcode',
  },
  'no-header.csv': {
    size: '3x3',
    cells: 9,
    headerRows: 0,
    holds: 'Column A=domain, Column B=company_name, Column C=postcode',
  },
  'old-mac.csv': { size: '3x2', cells: 6, headerRows: 1, holds: 'Company=company_name, Domain=domain' },
  'only-spaces.csv': {
    size: '4x3',
    cells: 7,
    headerRows: 1,
    holds: 'Company=company_name, Website=web_address',
    notices: 'empty_rows 1',
  },
  'open-xml-sdk.xlsx': { size: '3x2', cells: 6, headerRows: 1, holds: 'Company=company_name, Website=web_address' },
  'pasted-list.txt': { size: '4x1', cells: 4, headerRows: 0, holds: 'Column A=domain?' },
  'pipe.csv': {
    size: '4x3',
    cells: 12,
    headerRows: 1,
    holds: 'account_name=company_name, website=web_address, crn=company_number',
  },
  'quotes-and-line-breaks.csv': {
    size: '5x3',
    cells: 14,
    headerRows: 1,
    holds: 'Company=company_name, Website=web_address',
  },
  'ragged-rows.csv': {
    size: '6x5',
    cells: 11,
    headerRows: 1,
    holds: 'Company=company_name, Website=web_address',
    notices: 'empty_rows 1, uneven_rows 3',
  },
  'rich-text.xlsx': { size: '4x2', cells: 7, headerRows: 1, holds: 'Company=company_name, Domain=domain' },
  'semicolon.csv': { size: '4x3', cells: 12, headerRows: 1, holds: 'Firma=company_name, Webseite=web_address' },
  'sep-line.csv': { size: '3x2', cells: 6, headerRows: 1, holds: 'Domain=domain' },
  'several-sheets.xlsx': { size: '3x2', cells: 6, headerRows: 1, holds: 'Company=company_name, Domain=domain' },
  'two-header-rows.xlsx': {
    size: '4x4',
    cells: 14,
    headerRows: 2,
    holds: 'Company Name=company_name, Company Number=company_number, Contact E-mail=email',
    notices: 'merged_cells 2',
  },
  'unicode-text.txt': { size: '3x3', cells: 9, headerRows: 1, holds: 'Company=company_name, E-mail=email' },
  'unknown-header.csv': { size: '4x1', cells: 4, headerRows: 0, holds: 'all asked' },
  'utf-16be-no-mark.csv': {
    size: '3x2',
    cells: 6,
    headerRows: 1,
    holds: 'Company name=company_name, Postcode=postcode',
  },
  'utf-8-mark.csv': { size: '3x2', cells: 6, headerRows: 1, holds: 'Domain=domain' },
  'windows-1252.csv': { size: '3x3', cells: 9, headerRows: 1, holds: 'Company=company_name, Website=web_address' },
}

const load = (name: string) => readFileSync(join(FOLDER, name))
const collect = async (batches: AsyncIterable<Cell[][]>) => (await gather(batches)).flat()

test('every file of the folder is tested', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(FILES).sort())
})

describe.each(Object.entries(FILES))('%s', (name, expected) => {
  test('is read whole, and its columns are guessed right or asked for', async () => {
    const shape = await inspectTable(load(name))
    const rows = await collect(readTable(load(name), { rowsMax: 1_000 }))
    const sheet = shape.sheets.find((each) => each.name === shape.sheet)
    expect(`${sheet?.rows}x${sheet?.columns}`).toBe(expected.size)
    expect(rows).toEqual(shape.rows)
    expect(rows.flat().filter((cell) => !isBlank(cell))).toHaveLength(expected.cells)
    expect(shape.notices.map(({ kind, count }) => `${kind} ${count}`).join(', ')).toBe(expected.notices ?? '')

    const guess = guessColumns(rows)
    expect(guess.headerRows).toBe(expected.headerRows)
    const held = guess.columns.filter(({ holds }) => holds !== null)
    const shown = held.map((column) => `${column.name}=${column.holds}${column.isSure ? '' : '?'}`).join(', ')
    expect(shown || 'all asked').toBe(expected.holds)
    if (held.length === 0) expect(guess.columns.every(({ isSure }) => !isSure)).toBe(true)
  })

  test('goes through XLSX and back without a change', async () => {
    const rows = await readBack(load(name))
    const written = rows.map((row) => row.map(countFrom1900))
    expect(trimmed(await readBack(await toXlsx(rows)))).toEqual(trimmed(written))
  })

  test('goes through CSV and back without a change of what a person reads', async () => {
    const rows = await readBack(load(name))
    const texts = rows.map((row) => row.map((cell) => cellText(cell) || null))
    const back = await readBack(await toCsv(rows))
    expect(trimmed(back)).toEqual(trimmed(texts))
  })
})

describe('cells keep what a person wrote', () => {
  test.each([
    ['quotes-and-line-breaks.csv', 1, ['The "Best" Shop, Ltd', 'best.co.uk', 'first line\nsecond line, with a comma']],
    ['quotes-and-line-breaks.csv', 2, ['5" Pipes Ltd', 'pipes.co.uk', 'say "hello" twice']],
    ['quotes-and-line-breaks.csv', 3, ['"Acme" Tools Ltd', 'acme.co.uk', ' spaces stay ']],
    ['quotes-and-line-breaks.csv', 4, ['Windows\r\nLtd', 'windows.co.uk', null]],
    ['windows-1252.csv', 1, ['Café Ltd', 'cafe.co.uk', '€5']],
    ['windows-1252.csv', 2, ['“Quoted” Ltd', 'quoted.co.uk', '£7']],
    ['semicolon.csv', 1, ['Smith, Jones & Co Ltd', 'smithjones.co.uk', '1.234,50']],
    ['unicode-text.txt', 1, ['Café Straße Ltd', 'info@cafe.co.uk', 'York']],
    ['ragged-rows.csv', 2, ['Bravo Ltd', 'bravo.co.uk', 'extra', 'more', 'most']],
    ['only-spaces.csv', 1, ['  Acme Ltd  ', 'acme.co.uk', ' ']],
    ['rich-text.xlsx', 1, ['Acme & Sons Ltd', 'acme.co.uk']],
    ['rich-text.xlsx', 2, ['東京 Ltd', 'tokyo.co.uk']],
    ['rich-text.xlsx', 3, ['Ax_x0041_\n', '']],
    ['formulas.xlsx', 1, ['https://www.acme2.co.uk/', 'acme2.co.uk', 3, true, { error: '#N/A' }]],
    ['links.xlsx', 1, ['Company 2 Ltd', { text: 'site 2', href: 'https://acme.co.uk/?a=1&b=2' }]],
    ['links.xlsx', 3, ['Company 4 Ltd', { text: 'site 4', href: 'mailto:jo@bravo.co.uk' }]],
    ['links.xlsx', 4, ['Company 5 Ltd', 'site 5']],
    ['from-1904.xlsx', 1, ['acme.co.uk', { date: '2024-03-01', serial: 45352, format: 'mm-dd-yy', typed: 43890 }]],
    [
      'dates-for-numbers.xlsx',
      1,
      [
        { date: '2238-01-03', serial: 123456, format: 'mm-dd-yy' },
        { date: '2024-03-01', serial: 45352, format: 'dd/mm/yyyy' },
        { number: 0.25, format: '0%' },
        { number: 1234.5, format: '[$£-809]#,##0.00' },
      ],
    ],
  ] as Array<[string, number, Cell[]]>)('%s, row %i', async (name, at, cells) => {
    expect((await readBack(load(name)))[at]).toEqual(cells)
  })

  test('numbers and days are read as the workbook shows them', async () => {
    const rows = await readBack(load('dates-for-numbers.xlsx'))
    expect(rows[1]?.map(cellText)).toEqual(['2238-01-03', '2024-03-01', '25%', '£1,234.50'])
    expect(rows[2]?.map(cellText)).toEqual(['6500244', '2024-03-02 12:00:00', '100%', '-£2.00'])
    expect(rows[3]?.map(cellText)).toEqual(['00496536', '2009-07-06', '0%', '£0.10'])
  })

  test.each<[string, string[][]]>([
    ['acme.co.uk,info@acme.co.uk,08496536', [['acme.co.uk', 'info@acme.co.uk', '08496536']]],
    ['acme.co.uk,bravo.co.uk', [['acme.co.uk'], ['bravo.co.uk']]],
    ['08496536; SC123456', [['08496536'], ['SC123456']]],
    ['acme.co.uk info@bravo.co.uk', [['acme.co.uk'], ['info@bravo.co.uk']]],
  ])('the one line %j is the cells of a row or a list, by its kinds', async (text, rows) => {
    expect(await readBack(Buffer.from(text))).toEqual(rows)
  })

  test('company numbers that look like days do not become others where days count from 1904', async () => {
    const day = (number: number) => ({ xml: `<c r="REF" s="1"><v>${number}</v></c>` })
    const data = [6_500_244, 123_456, 0.25].map((number, index) => row(index + 1, [day(number)])).join('')
    const bytes = makeWorkbook({ isFrom1904: true, formats: [14], sheets: [{ name: 'Sheet1', data }] })
    const cells = (await readBack(bytes)).map(([cell = null]) => cell)
    expect(cells.map((cell) => readInput(cell, 'company_number'))).toEqual([
      '06500244',
      '00123456',
      '1904-01-01 06:00:00',
    ])
  })

  test('the first day of a workbook from 1904 is 1 January 1904, and a time of day stays one', async () => {
    const cell = (number: number, style: number) => ({ xml: `<c r="REF" s="${style}"><v>${number}</v></c>` })
    const data = row(1, [cell(0, 1), cell(0.5, 2), cell(0.5, 3), cell(0, 3), cell(1.25, 3)])
    const formats = [14, 'dd/mm/yyyy hh:mm', 'h:mm']
    const bytes = makeWorkbook({ isFrom1904: true, formats, sheets: [{ name: 'Sheet1', data }] })
    const shown = ['1904-01-01', '1904-01-01 12:00:00', '12:00:00', '00:00:00', '1904-01-02 06:00:00']
    expect((await readBack(bytes))[0]?.map(cellText)).toEqual(shown)
    // Written into a workbook of our own, whose days count from 1900, they are the same days.
    expect((await readBack(await toXlsx(await readBack(bytes))))[0]?.map(cellText)).toEqual(shown)
  })

  test('a cell whose text is not in the workbook is empty, and a notice says so', async () => {
    const missing = { xml: '<c r="REF" t="s"><v>7</v></c>' }
    const data = row(1, ['Domain', 'Town']) + row(2, ['acme.co.uk', missing]) + row(3, [missing, 'York'])
    const bytes = makeWorkbook({ texts: ['<t>Other</t>'], sheets: [{ name: 'Sheet1', data }] })
    const { rows, notices } = await inspectTable(bytes)
    expect(rows).toEqual([['Domain', 'Town'], ['acme.co.uk'], [null, 'York']])
    expect(notices).toEqual([{ kind: 'texts_missing', count: 2, sheet: 'Sheet1' }])
  })

  test('a sheet is read by its name, hidden ones too', async () => {
    const bytes = load('several-sheets.xlsx')
    expect(await collect(readTable(bytes, { sheet: 'Codes', rowsMax: 10 }))).toEqual([['Code'], [1]])
    expect((await inspectTable(bytes, { sheet: 'Cities & towns' })).rows).toEqual([['Town'], ['York']])
    await expect(collect(readTable(bytes, { sheet: 'Nothing', rowsMax: 10 }))).rejects.toThrow(
      'no sheet with the name Nothing',
    )
  })
})

test('100,000 rows come back in their order, and one more is refused', async () => {
  const rows = Array.from({ length: 100_000 }, (_, index): Cell[] => [`Company ${index} Ltd`, `c${index}.co.uk`, index])
  const bytes = await toXlsx([['Company', 'Domain', 'Rank'], ...rows])
  const back = await collect(readTable(bytes, { rowsMax: 100_001 }))
  expect(back).toHaveLength(100_001)
  expect(back.slice(1)).toEqual(rows)
  await expect(collect(readTable(bytes, { rowsMax: 100_000 }))).rejects.toThrow('more than 100,000 rows')
})

/** Days of a workbook that we write count from 1900. */
function countFrom1900(cell: Cell): Cell {
  if (cell === null || typeof cell !== 'object' || !('date' in cell)) return cell
  const { typed: _typed, ...day } = cell
  return day
}

/** Without empty cells at the ends of rows. */
function trimmed(rows: readonly Cell[][]): Cell[][] {
  return rows.map((row) =>
    row
      .slice(0, row.findLastIndex((cell) => cell !== null && cell !== '') + 1)
      .map((cell) => (cell === '' ? null : cell)),
  )
}
