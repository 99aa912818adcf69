import { expect, test } from 'vitest'
import { parseEvent } from './apply-events.ts'
import { listFollowed } from './follow.ts'
import { STREAM_NAMES } from './streams.ts'

test('an event about exemptions is read although its address has no slash before it', () => {
  const event = { timepoint: 2_402, published_at: '2026-11-02T10:00:00', type: 'changed' }
  const line = {
    resource_kind: 'company-exemptions',
    resource_uri: 'company/01234567/exemptions',
    resource_id: '01234567',
    data: { kind: 'exemptions' },
    event,
  }
  expect(parseEvent(JSON.stringify(line))).toMatchObject({ companyNumber: '01234567', timepoint: 2_402 })
})

test('no key gets a third connection by the streams of statements and exemptions', () => {
  expect(listFollowed(4)).toEqual(STREAM_NAMES)
  expect(listFollowed(3)).toHaveLength(6)
  expect(listFollowed(3)).not.toContain('company-exemptions')
  // Six streams on one or two keys need more connections than two for each, so the register allows more here.
  expect([listFollowed(1), listFollowed(2)]).toEqual([STREAM_NAMES, STREAM_NAMES])
})
