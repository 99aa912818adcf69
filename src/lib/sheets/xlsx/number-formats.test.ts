import { expect, test } from 'vitest'
import { isDateFormat, toDate, toSerial } from './number-formats.ts'

test.each([
  ['dd/mm/yyyy', true],
  ['mm-dd-yy', true],
  ['[$-409]d-mmm-yy;@', true],
  ['h:mm AM/PM', true],
  ['mm:ss.0', true],
  ['yyyy"-"mm"-"dd', true],
  ['[h]:mm:ss', false],
  ['0.00', false],
  ['#,##0 "days"', false],
  ['[Red]0', false],
  ['General', false],
  ['@', false],
  ['0\\d', false],
])('the format %j shows days or times: %j', (format, isDate) => {
  expect(isDateFormat(format)).toBe(isDate)
})

test.each([
  [45352, '2024-03-01'],
  [45352.5, '2024-03-01T12:00:00'],
  [61, '1900-03-01'],
  [59, '1900-02-28'],
  [1, '1900-01-01'],
  [0.25, '06:00:00'],
  [45352.999999, '2024-03-02'],
  [60, null],
  [-1, null],
  [6_500_244, null],
  [Number.NaN, null],
])('the number %d is %j', (serial, date) => {
  expect(toDate(serial)).toBe(date)
})

test.each([
  ['2024-03-01', 45352],
  ['2024-03-01T12:00:00', 45352.5],
  ['2024-03-01T12:00:00Z', 45352.5],
  ['06:00:00', 0.25],
  ['1890-01-01', null],
  ['no day', null],
])('%j is stored as %j', (date, serial) => {
  expect(toSerial(date)).toBe(serial)
})
