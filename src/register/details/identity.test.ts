/** Identity verification: every shape of the record, around every day. */
import { expect, test } from 'vitest'
import { deriveIdentity, parseIdentity } from './identity.ts'

const TODAY = '2026-11-19'
const DUE = 'appointment_verification_statement_due_on'
const START = 'appointment_verification_start_on'
const END = 'appointment_verification_end_on'

test.each<[string, unknown, string | null]>([
  ['nothing', undefined, null],
  ['an empty block', {}, null],
  ['a text instead of a block', 'verified', null],
  ['a due day in the future', { [DUE]: '2026-11-20' }, 'due'],
  ['a due day today', { [DUE]: '2026-11-19' }, 'due'],
  ['a due day yesterday', { [DUE]: '2026-11-18' }, 'overdue'],
  ['a due day that is none', { [DUE]: '2026-02-30' }, null],
  ['a window that began', { appointment_verification_statement_date: '2026-11-10', [DUE]: '2026-11-24' }, 'due'],
  ['a start without an end', { [START]: '2025-12-01' }, 'verified'],
  ['a start with the end of time', { [START]: '2025-12-01', [END]: '9999-12-31' }, 'verified'],
  ['a start although the due day has passed', { [DUE]: '2026-01-01', [START]: '2026-03-01' }, 'verified'],
  ['an end tomorrow', { [START]: '2025-12-01', [END]: '2026-11-20' }, 'verified'],
  ['an end today', { [START]: '2025-12-01', [END]: '2026-11-19' }, 'ended'],
  ['an end alone', { [END]: '2026-01-01' }, null],
  ['a check by a service provider', { [START]: '2025-12-01', identity_verified_on: '2025-11-20' }, 'verified'],
])('a record with %s', (_name, block, state) => {
  expect(deriveIdentity(parseIdentity(block), true, TODAY)?.state ?? null).toBe(state)
})

test('someone who has left is neither due nor late', () => {
  expect(deriveIdentity(parseIdentity({ [DUE]: '2026-01-01' }), false, TODAY)).toBeNull()
})
