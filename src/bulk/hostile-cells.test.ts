/** Cells that a stranger makes so that a pattern takes long over them. They are read in the process that serves all callers. */
import { expect, test } from 'vitest'
import { readInput } from './column-input.ts'
import type { Holds } from './column-kinds.ts'
import { readValue } from './column-values.ts'
import { guessColumns } from './columns.ts'
import { toCompanyNumber } from './company-number-cell.ts'

// What was slow took five seconds or more; a linear pattern takes a few milliseconds, also on a busy machine.
const MOST_MS = 2_000

function timeOf(work: () => unknown): number {
  const startedMs = performance.now()
  work()
  return performance.now() - startedMs
}

test.each(['No', 'no', 'Nr', 'nR', 'NO', 'reg', 'company', 'number', 'crn', '. ', 'No.', 'registration', 'registered'])(
  'a cell that repeats “%s” and ends without a number does not stop the process',
  (label) => {
    for (const end of ['!', '123456!', 'N 123456 1', ''])
      for (const times of [26, 100_000]) {
        const cell = `${label.repeat(times)}${end}`
        const columns = [['number'], [cell]]
        expect(timeOf(() => toCompanyNumber(cell))).toBeLessThan(MOST_MS)
        expect(timeOf(() => guessColumns(columns))).toBeLessThan(MOST_MS)
      }
  },
)

test('labels may be repeated before a number', () => {
  expect(toCompanyNumber('No No. company reg No: 08496536')).toBe('08496536')
  expect(toCompanyNumber(`${'No '.repeat(40)}08496536`)).toBe('08496536')
  expect(toCompanyNumber(`${'No '.repeat(400)}08496536`)).toBeNull()
})

test.each<[name: string, href: string, text: string, Holds]>([
  ['question marks before a line break', `http://a/${'?'.repeat(40_000)}\nx`, 'Visit', 'web_address'],
  ['question marks of a mailbox', `mailto:${'?'.repeat(40_000)}\nx`, 'Write', 'email'],
  ['at signs before a space', 'http://a/', `${'@'.repeat(40_000)} x`, 'web_address'],
  ['dots before a space', 'http://a/', `${'.'.repeat(40_000)} x`, 'domain'],
  ['letters without a dot', 'http://a/', 'a'.repeat(100_000), 'domain'],
])('a link with %s does not stop the process', (_name, href, text, holds) => {
  expect(timeOf(() => readInput({ text, href }, holds))).toBeLessThan(MOST_MS)
  expect(timeOf(() => readValue({ text, href }))).toBeLessThan(MOST_MS)
})

test.each<[text: string, href: string, read: string]>([
  ['a.b', 'https://acme.co.uk/', 'a.b'],
  ['jo@acme', 'https://acme.co.uk/', 'jo@acme'],
  ['.com', 'https://acme.co.uk/', 'https://acme.co.uk/'],
  ['acme.', 'https://acme.co.uk/', 'https://acme.co.uk/'],
  ['Acme Co. Ltd', 'https://acme.co.uk/', 'https://acme.co.uk/'],
  ['Visit', 'https://acme.co.uk/?q=1?2', 'https://acme.co.uk/?q=1?2'],
  ['Write', 'MAILTO:jo@acme.co.uk?subject=a?b', 'jo@acme.co.uk'],
])('a link with the text %j to %s counts as %s', (text, href, read) => {
  expect(readInput({ text, href }, 'web_address')).toBe(read)
})
