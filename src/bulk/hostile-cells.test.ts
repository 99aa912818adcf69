/** Cells that a stranger makes so that a pattern takes long over them. They are read in the process that serves all callers. */
import { expect, test } from 'vitest'
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
