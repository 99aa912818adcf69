import { describe, expect, test } from 'vitest'
import type { Cell } from '../lib/sheets/cell.ts'
import { readInput } from './column-input.ts'
import { guessColumns, HEADER_ROWS_MAX, headerKey, nameColumn, withHeaderRows } from './columns.ts'
import { toCompanyNumber } from './company-number-cell.ts'

const show = (rows: Cell[][]) => {
  const { headerRows, columns } = guessColumns(rows)
  return `${headerRows}: ${columns.map(({ name, holds, isSure }) => `${name}=${holds ?? '-'}${isSure ? '' : '?'}`).join(', ')}`
}

describe('columns are guessed by their names and their values', () => {
  test.each<[string, Cell[][], string]>([
    [
      'Salesforce',
      [
        ['Account Name', 'Website', 'Billing Zip/Postal Code'],
        ['Acme', 'www.acme.co.uk', 'E1 6AN'],
      ],
      '1: Account Name=company_name, Website=web_address, Billing Zip/Postal Code=postcode',
    ],
    [
      'Clay',
      [
        ['Company Domain', 'Find LinkedIn URL', 'Person Email'],
        ['acme.co.uk', 'https://linkedin.com/company/acme', 'jo@acme.co.uk'],
      ],
      '1: Company Domain=domain, Find LinkedIn URL=-, Person Email=email',
    ],
    [
      'the register itself',
      [
        ['CompanyName', 'CompanyNumber', 'RegAddress.PostCode'],
        ['ACME LTD', '08496536', 'E1 6AN'],
      ],
      '1: CompanyName=company_name, CompanyNumber=company_number, RegAddress.PostCode=postcode',
    ],
    [
      'French',
      [
        ['Raison sociale', 'Site web', 'Courriel', 'Code postal'],
        ['Acme', 'https://acme.fr', 'jo@acme.fr', '75001'],
      ],
      '1: Raison sociale=company_name, Site web=web_address, Courriel=email, Code postal=postcode?',
    ],
    [
      'Spanish with accents',
      [
        ['Razón social', 'Correo electrónico'],
        ['Acme', 'jo@acme.es'],
      ],
      '1: Razón social=company_name, Correo electrónico=email',
    ],
    [
      'domains in a column named for something else',
      [
        ['Blorp', 'Zing'],
        ['acme.co.uk', 'x'],
        ['bravo.co.uk', 'y'],
      ],
      '1: Blorp=domain, Zing=-',
    ],
    [
      'two columns of addresses',
      [
        ['Main site', 'Shop site'],
        ['https://a.com', 'https://b.com'],
      ],
      '1: Main site=web_address?, Shop site=-',
    ],
    [
      'numbers without a name for them',
      [
        ['Ref', 'X'],
        ['8496536', 'a'],
        ['8496537', 'b'],
      ],
      '1: Ref=company_number?, X=-',
    ],
    [
      'numbers of customers',
      [
        ['Phone', 'Order'],
        ['12345678', '12345678'],
      ],
      '1: Phone=-?, Order=-?',
    ],
    ['days of eight digits', [['When'], ['20260101'], ['20260102']], '1: When=-?'],
    [
      'a name that says one thing and values that say another',
      [
        ['Website', 'Notes'],
        ['call back', 'x'],
        ['no site', 'y'],
      ],
      '1: Website=web_address?, Notes=-',
    ],
    [
      'an empty column with a name',
      [
        ['Domain', 'Company'],
        [null, 'Acme Ltd'],
      ],
      '1: Domain=domain?, Company=company_name',
    ],
    [
      'names of people',
      [
        ['First Name', 'Last Name', 'Contact Name'],
        ['Jo', 'Bloggs', 'Jo Bloggs'],
      ],
      '1: First Name=-?, Last Name=-?, Contact Name=-?',
    ],
    ['nothing but names', [['Acme Tools Ltd'], ['Bravo Limited'], ['Charlie LLP']], '0: Column A=company_name'],
    ['one row', [['acme.co.uk']], '0: Column A=domain'],
    ['one header', [['Domain']], '1: Domain=domain?'],
    [
      'text that means nothing',
      [
        ['foo', 'bar'],
        ['baz', 'qux'],
      ],
      '0: Column A=-?, Column B=-?',
    ],
    ['names among which one is a word of headers', [['Harbour Lantern'], ['Brand'], ['Blue Fox']], '0: Column A=-?'],
    [
      'a first row of data with a word of headers',
      [
        ['Company', 'Contact'],
        ['Acme', 'Owner'],
        ['Bravo', 'Jo'],
      ],
      '1: Company=company_name, Contact=-',
    ],
    [
      'one known name of three',
      [
        ['Company', 'Foo', 'Bar'],
        ['Acme', 'x', 'y'],
      ],
      '1: Company=company_name, Foo=-, Bar=-',
    ],
    [
      'rows of text above a header',
      [
        ['Exported by', 'Jo'],
        ['Company', 'Domain'],
        ['Acme', 'acme.co.uk'],
      ],
      '2: Company=company_name, Domain=domain',
    ],
    ['nothing', [], '0: '],
  ])('%s', (_name, rows, shown) => {
    expect(show(rows)).toBe(shown)
  })

  test('each kind is guessed once, with examples of the column', () => {
    const { columns } = guessColumns([
      ['E-mail', 'Email'],
      ['a@b.co', 'c@d.co'],
      ['a@b.co', 'e@f.co'],
    ])
    expect(columns.map(({ holds }) => holds)).toEqual(['email', null])
    expect(columns.map(({ examples }) => examples)).toEqual([['a@b.co'], ['c@d.co', 'e@f.co']])
    expect(columns[0]?.isSure).toBe(false)
  })
})

test('a header has one key, whatever its capitals, accents, spaces and signs', () => {
  expect(headerKey(['Company Name', 'E-mail'])).toBe(headerKey([' company_name', 'EMAIL ']))
  expect(headerKey(['Company Name', 'E-mail'])).not.toBe(headerKey(['E-mail', 'Company Name']))
  expect(headerKey(['a', 'b'])).not.toBe(headerKey(['ab', '']))
})

test.each<[Cell, string | null]>([
  ['08496536', '08496536'],
  [8496536, '08496536'],
  ['496536', '00496536'],
  ['8496536.0', '08496536'],
  ['8,496,536', '08496536'],
  ["'08496536", '08496536'],
  ['SC 12345', 'SC012345'],
  ['oc301234', 'OC301234'],
  ['Company No. 08496536', '08496536'],
  ['Reg No: SC123456', 'SC123456'],
  ['NO000123', 'NO000123'],
  ['NR000123', 'NR000123'],
  ['nr000123', 'NR000123'],
  ['NR 000123', 'NR000123'],
  ['Company number NR000123', 'NR000123'],
  ['Company No NO000123', 'NO000123'],
  ['No. 123456', '00123456'],
  ['No12345', '00012345'],
  ['Company No445790', '00445790'],
  ['Company NO000123', 'NO000123'],
  ['No 123456', '00123456'],
  ['No08496536', '08496536'],
  ['Nr 8496536', '08496536'],
  [{ number: 8496536, format: '00000000' }, '08496536'],
  [{ number: 8496536, format: '#,##0' }, '08496536'],
  [{ number: 6500244, format: 'dd/mm/yyyy' }, '06500244'],
  [{ date: '2238-01-03', serial: 123456, format: 'dd/mm/yyyy' }, '00123456'],
  [{ date: '2024-03-01', serial: 45352, format: 'dd/mm/yyyy' }, null],
  [{ date: '2242-01-04', serial: 124918, format: 'dd/mm/yyyy', typed: 123456 }, '00123456'],
  [{ date: '2024-03-01' }, null],
  ['6.5E+06', null],
  ['6.50', null],
  [8496536.5, null],
  ['123456789', null],
  ['Acme Ltd', null],
  ['', null],
  [null, null],
  [true, null],
])('the company number in %j is %j', (cell, number) => {
  expect(toCompanyNumber(cell)).toBe(number)
})

test.each<[Cell, Parameters<typeof readInput>[1], string]>([
  [{ text: 'Visit site', href: 'https://acme.co.uk/?a=1' }, 'web_address', 'https://acme.co.uk/?a=1'],
  [{ text: 'Write', href: 'mailto:jo@acme.co.uk?subject=x' }, 'email', 'jo@acme.co.uk'],
  [{ text: 'acme.co.uk', href: 'https://tracker.example/1' }, 'domain', 'acme.co.uk'],
  [{ text: 'Acme Ltd', href: 'https://acme.co.uk/' }, 'company_name', 'Acme Ltd'],
  [' acme.co.uk ', 'domain', 'acme.co.uk'],
  [8496536, 'company_number', '08496536'],
  ['none', 'company_number', 'none'],
  [null, 'domain', ''],
])('%j counts as %s by %j', (cell, holds, text) => {
  expect(readInput(cell, holds)).toBe(text)
})

test.each([
  ['Domain', 2, 'Domain'],
  [' ', 2, 'Column C'],
  ['', 25, 'Column Z'],
  ['', 26, 'Column AA'],
  ['', 702, 'Column AAA'],
])('a column with the name %j at %i is %j', (name, index, shown) => {
  expect(nameColumn(name, index)).toBe(shown)
})

test('a column without a name has its letter, also where a person says how many rows are above the data', () => {
  const rows = [
    ['Domain', ''],
    ['alderfinch.co.uk', 'x'],
  ]
  const guess = guessColumns(rows)
  const said = withHeaderRows(guess, rows, 0)
  expect(guess.columns.map(({ name }) => name)).toEqual(['Domain', 'Column B'])
  expect(said.columns.map(({ name, examples }) => [name, examples])).toEqual([
    ['Column A', ['Domain', 'alderfinch.co.uk']],
    ['Column B', ['x']],
  ])
})

test('a header is found below as many rows as a person could name, and not further down', () => {
  const title = (count: number) => Array.from({ length: count }, () => ['Suppliers of the year'])
  const table = [
    ['Company', 'Website'],
    ['Alder Finch Ltd', 'alderfinch.co.uk'],
    ['Bracken Ltd', 'bracken.co.uk'],
  ]
  expect(guessColumns([...title(HEADER_ROWS_MAX - 1), ...table]).headerRows).toBe(HEADER_ROWS_MAX)
  expect(guessColumns([...title(HEADER_ROWS_MAX), ...table]).headerRows).toBeLessThan(HEADER_ROWS_MAX)
})
