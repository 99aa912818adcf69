import { expect, test } from 'vitest'
import { serializeEvent } from './publish.ts'

const GIVEN = { id: 'evt_1', sequence: 7, at: new Date('2026-03-02T09:00:00Z') }
const data = { id: 'sig_1', summary: 'Changed.', changes: [{ field: 'company_name', from: 'A', to: 'B' }] }
const event = { type: 'signal', signalType: 'name_changed', accountIds: ['acc_1'], mode: 'live', data } as const

test('an event is its signal in an envelope, and does not name the accounts it goes to', () => {
  expect(JSON.parse(serializeEvent(event, GIVEN))).toEqual({
    id: 'evt_1',
    type: 'signal',
    signal_type: 'name_changed',
    created_at: '2026-03-02T09:00:00.000Z',
    api_version: '1.0.0',
    sequence: 7,
    data,
  })
  expect(JSON.parse(serializeEvent({ ...event, mode: 'test' }, GIVEN))).toMatchObject({ test: true })
})

test.each([200, 2_000, 20_000])(
  'a signal with %i long changes stays within 20 kB and says that some are left out',
  (count) => {
    const changes = Array.from({ length: count }, (_, index) => ({
      field: `f${index}`,
      from: 'é'.repeat(90),
      to: null,
    }))
    const text = serializeEvent({ ...event, data: { ...data, changes } }, GIVEN)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000)
    const parsed = JSON.parse(text)
    expect(parsed.data.changes_left_out).toBe(true)
    expect(parsed.data.changes.length).toBeGreaterThan(20)
    expect(parsed.data.changes[0]).toEqual(changes[0])
  },
)
