import { afterEach, expect, test } from 'vitest'
import { formatCalendar, hasTag } from './calendar-file.ts'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

const write = (dueOn: string) => {
  const date = { kind: 'accounts' as const, companyNumber: '08496536', companyName: 'ACME LTD', dueOn }
  const calendar = { name: 'Leads', madeAt: new Date(0), dates: [date] }
  return formatCalendar(calendar, new URL('https://nameplate.example')).replaceAll('\r\n ', '')
}

// In Cairo this day begins at one o'clock.
test.each([
  ['Africa/Cairo', -120],
  ['Pacific/Kiritimati', -840],
  ['Pacific/Niue', 660],
  ['Europe/London', 0],
])('a due date is the same day in a calendar where the server is in %s', (name, offset) => {
  process.env['TZ'] = name
  expect(new Date('2026-01-01T00:00:00Z').getTimezoneOffset(), 'the zone counts').toBe(offset)
  const text = write('2026-04-24')
  expect(text).toContain('DTSTART;VALUE=DATE:20260424\r\n')
  expect(text).toContain('DTEND;VALUE=DATE:20260425\r\n')
})

test('commas in the description of a calendar are escaped', () => {
  expect(write('2026-04-24')).toContain(
    'X-WR-CALDESC:Filing and verification dates of the companies on this list\\, from the register of Companies House.\r\n',
  )
})

test.each([
  ['"a"', true],
  ['"b" , "a"', true],
  ['"b","a" ', true],
  ['"ab"', false],
  ['', false],
  [undefined, false],
])('the header %s names the tag: %s', (header, isThere) => {
  expect(hasTag(header, '"a"')).toBe(isThere)
})

test('a header of spaces does not stop the process', () => {
  const startedMs = performance.now()
  expect(hasTag(`"b"${' '.repeat(200_000)}"c"`, '"a"')).toBe(false)
  expect(performance.now() - startedMs).toBeLessThan(2_000)
})
