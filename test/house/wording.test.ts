/** Figures are written alike wherever a person reads them, and a confidence is never rounded up. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatShare } from '../../clients/cli/wording.ts'
import { showShare } from '../../console/src/ui/words.ts'
import { formatDeadline, formatPercent } from '../../src/lib/text/wording.ts'

describe('a confidence is never rounded up', () => {
  test.each([
    [0, '0%'],
    [0.0004, 'below 0.1%'],
    [0.05, '5%'],
    [0.29, '29%'],
    [0.5, '50%'],
    [0.57, '57%'],
    [0.894, '89.4%'],
    [0.8949, '89.4%'],
    [0.985, '98.5%'],
    [0.9899, '98.9%'],
    [0.9999, '99.9%'],
    [1, '100%'],
  ])('%s is %s for a person, an agent and the command line', (probability, words) => {
    expect(formatPercent(probability)).toBe(words)
    for (const say of [showShare, formatShare]) expect(say(probability).replace(' %', '%')).toBe(words)
  })

  test('nobody writes a confidence in another way', () => {
    const own = /onfidence\b[^\n]{0,30}\* 100|probability\b[^\n]{0,30}\* 1_?000?|share \* 100/
    const root = join(import.meta.dirname, '../..')
    const listed = execFileSync('git', ['ls-files', 'src', 'console/src', 'clients/cli', 'clients/typescript'], {
      cwd: root,
    })
    const paths = String(listed)
      .split('\n')
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => join(root, path))
    expect(paths.length).toBeGreaterThan(100)
    const others = paths.filter((path) => !/wording\.ts$|words\.ts$/.test(path) && own.test(readFileSync(path, 'utf8')))
    expect(others).toEqual([])
  })
})

test.each([
  ['accounts', '2026-03-01', true, 'The accounts were due on 2026-03-01 and are overdue.'],
  ['accounts', '2026-03-01', false, 'The accounts are due on 2026-03-01.'],
  ['accounts', '2026-03-01', null, 'The accounts are due on 2026-03-01.'],
  ['confirmation_statement', '2026-03-01', true, 'The confirmation statement was due on 2026-03-01 and is overdue.'],
  ['confirmation_statement', '2026-03-01', false, 'The confirmation statement is due on 2026-03-01.'],
  ['update_statement', '2026-03-01', true, 'The yearly update statement was due on 2026-03-01 and is overdue.'],
  ['confirmation_statement', null, true, null],
] as const)('a deadline agrees with its subject: %s, %s, overdue %s', (what, due, isOverdue, words) => {
  expect(formatDeadline(what, due, isOverdue)).toBe(words)
})
