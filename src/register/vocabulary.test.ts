import { expect, test } from 'vitest'
import { describeStatus } from './vocabulary.ts'

test.each([
  ['active', null, 'Active'],
  ['active', 'active-proposal-to-strike-off', 'Active — proposal to strike off'],
  ['active', 'active', 'Active'],
  ['active', 'detail-of-tomorrow', 'Active — detail of tomorrow'],
  ['voluntary-arrangement', null, 'Voluntary Arrangement'],
  ['receivership', null, 'Receiver Action'],
  ['converted-closed', 'transferred-from-uk', 'Converted / Closed — transfer from UK'],
  ['converted-closed', 'converted-to-plc', 'Converted / Closed — converted to PLC'],
  ['status-of-tomorrow', null, 'Status of tomorrow'],
  ['dissolved', 'petition-to-restore-dissolved', 'Dissolved — petition to restore dissolved'],
  ['unknown', null, null],
])('%s with the detail %s is "%s"', (status, statusDetail, said) => {
  expect(describeStatus({ status, statusDetail })).toBe(said)
})
