import { expect, test } from 'vitest'
import { kindOfFormat, toDate, toSerial } from './number-formats.ts'

test.each([
  ['dd/mm/yyyy', 'day'],
  ['mm-dd-yy', 'day'],
  ['[$-409]d-mmm-yy;@', 'day'],
  ['mmmm', 'day'],
  ['m/d/yy h:mm', 'day'],
  ['h:mm AM/PM', 'time'],
  ['mm:ss.0', 'time'],
  ['yyyy"-"mm"-"dd', 'day'],
  ['hh"d"mm', 'time'],
  ['[h]:mm:ss', 'number'],
  ['0.00', 'number'],
  ['#,##0 "days"', 'number'],
  ['[Red]0', 'number'],
  ['General', 'number'],
  ['@', 'number'],
  ['0\\d', 'number'],
])('a number with the format %j is a %s', (format, kind) => {
  expect(kindOfFormat(format)).toBe(kind)
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
