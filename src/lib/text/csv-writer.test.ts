import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCsvLine, rearm } from './csv-writer.ts'

const read = (text: string, delimiter: string): string[][] =>
  parse(text, { delimiter, relax_quotes: true, relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] })

test.each([
  ['plain text', 'plain text'],
  ['', ''],
  ['=HYPERLINK("https://evil.example")', '\'=HYPERLINK("https://evil.example")'],
  // Numbers with a sign stay as they are: nothing in them can be calculated.
  ['+44 20 7946 0000', '+44 20 7946 0000'],
  ['+44 (0)20 7946 0000', '+44 (0)20 7946 0000'],
  ['-1', '-1'],
  ['-5.2', '-5.2'],
  ['-', '-'],
  ['-1,234.50', '-1,234.50'],
  ['-£5', '-£5'],
  ['+12.5%', '+12.5%'],
  ['-1.5E+10', '-1.5E+10'],
  // Anything else with a sign in front may be calculated or run.
  ['\t', '\t'],
  ['-1-1', "'-1-1"],
  ['+44-20-7946', "'+44-20-7946"],
  ['-A1', "'-A1"],
  ["-1|' /C calc'!A0", "'-1|' /C calc'!A0"],
  ['-1;=cmd', "'-1;'=cmd"],
  ['--1', "'--1"],
  ['+1\n+1', "'+1\n'+1"],
  ['-1"', '\'-1"'],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['\rtext', "'\rtext"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM', "'＠SUM"],
  [' =1', " '=1"],
  ['"=1', '"\'=1'],
  ['name;=cmd|calc', "name;'=cmd|calc"],
  ['name, =1', "name, '=1"],
  ['two\nlines\n=1', "two\nlines\n'=1"],
  ['a-b = c', 'a-b = c'],
  ["'=1", "'=1"],
])('%j is written as %j', (cell, written) => {
  expect(formatCsvLine([cell])).toBe(`"${written.replaceAll('"', '""')}"\r\n`)
  expect(read(formatCsvLine(['first', cell]), ',')).toEqual([['first', written]])
})

test('every cell is quoted, numbers and gaps too', () => {
  expect(formatCsvLine(['a', 1, true, null])).toBe('"a","1","true",""\r\n')
})

const cells = fc.array(
  fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n;,|"\' ＝＋－＠a1\uFEFF'.split('')) })),
  { minLength: 1, maxLength: 5 },
)

/** Begins like a formula, and is more than a number with its sign. */
const isFormula = (cell: string) =>
  /^[\s"\uFEFF]*[=+\-@＝＋－＠]/u.test(cell) && !/^ *[+-] *[£$€]?[\d .,()]*(?:[eE][+-]?\d+)?%? *$/.test(cell)

test('whatever the cells are, a reader finds as many, and none is a formula', () => {
  fc.assert(
    fc.property(cells, (line) => {
      const [found = []] = read(formatCsvLine(line), ',')
      expect(found).toHaveLength(line.length)
      for (const cell of found) expect(isFormula(cell), cell).toBe(false)
      // The apostrophes are all that was added.
      expect(found.join('').replaceAll("'", '')).toBe(line.join('').replaceAll("'", ''))
    }),
    { numRuns: 2_000 },
  )
})

test('a cell that comes back is as it was, whatever blanks are before its formula', () => {
  const unit = fc.constantFrom(...'=+-@\t\r\n;,|" \u00A0\u3000＝＋－＠a1\uFEFF'.split(''))
  fc.assert(
    fc.property(fc.string({ unit }), (cell) => {
      const [[found = ''] = []] = read(formatCsvLine([cell]), ',')
      // One at the very beginning is for a cell that begins with a control character.
      expect([cell, `'${cell}`]).toContain(rearm(found))
    }),
    { numRuns: 2_000 },
  )
})

test.each([';', '\t', '|'])('a reader that splits at %j finds no formula either', (delimiter) => {
  fc.assert(
    fc.property(cells, (line) => {
      // As a spreadsheet does it: quotes in the middle of a cell mean nothing, so a line may end within one.
      const pieces = formatCsvLine(line).split(new RegExp(`[${delimiter}\\r\\n]`))
      // A number in quotes may be followed by more cells in quotes: that is no formula either.
      for (const piece of pieces)
        expect(
          isFormula(piece.replace(/^" *[+-][^"]*"(?=,"|$)/, (cell) => (isFormula(cell.slice(1, -1)) ? cell : ''))),
          piece,
        ).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('long cells that want to take long do not', () => {
  for (const text of ['\n'.repeat(30_000), `-${' '.repeat(30_000)}x`, `${'"\n'.repeat(15_000)}a=`, '=-'.repeat(15_000)])
    expect(formatCsvLine(Array.from({ length: 20 }, () => text)).length).toBeGreaterThan(text.length)
})
