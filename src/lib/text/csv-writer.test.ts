import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCsvLine } from './csv-writer.ts'

const read = (text: string, delimiter: string): string[][] =>
  parse(text, { delimiter, relax_quotes: true, relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] })

test.each([
  ['plain text', 'plain text'],
  ['', ''],
  ['=HYPERLINK("https://evil.example")', '\'=HYPERLINK("https://evil.example")'],
  ['+44 20 7946 0000', "'+44 20 7946 0000"],
  ['-1', "'-1"],
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

test('whatever the cells are, a reader finds as many, and none is a formula', () => {
  fc.assert(
    fc.property(cells, (line) => {
      const [found = []] = read(formatCsvLine(line), ',')
      expect(found).toHaveLength(line.length)
      for (const cell of found) expect(cell).not.toMatch(/^[\s"\uFEFF]*[=+\-@＝＋－＠]/u)
      // The apostrophes are all that was added.
      expect(found.join('').replaceAll("'", '')).toBe(line.join('').replaceAll("'", ''))
    }),
    { numRuns: 2_000 },
  )
})

test.each([';', '\t', '|'])('a reader that splits at %j finds no formula either', (delimiter) => {
  fc.assert(
    fc.property(cells, (line) => {
      // As a spreadsheet does it: quotes in the middle of a cell mean nothing, so a line may end within one.
      const pieces = formatCsvLine(line).split(new RegExp(`[${delimiter}\\r\\n]`))
      for (const piece of pieces) expect(piece).not.toMatch(/^[\s"\uFEFF]*[=+\-@＝＋－＠]/u)
    }),
    { numRuns: 2_000 },
  )
})
