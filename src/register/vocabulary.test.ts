import { expect, test } from 'vitest'
import { describeStatus } from './vocabulary.ts'

test.each([
  ['active', null, 'Active'],
  ['active', 'active-proposal-to-strike-off', 'Active — proposal to strike off'],
  ['voluntary-arrangement', null, 'Voluntary arrangement'],
  ['converted-closed', 'transferred-from-uk', 'Converted closed — transferred from UK'],
  ['dissolved', 'petition-to-restore-dissolved', 'Dissolved — petition to restore dissolved'],
  ['unknown', null, null],
])('%s with the detail %s is "%s"', (status, statusDetail, said) => {
  expect(describeStatus({ status, statusDetail })).toBe(said)
})
