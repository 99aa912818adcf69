import { expect, test } from 'vitest'
import { fullText, toJsonCell } from './full-text.ts'

test.each<[number, string, text: string, json: string | number]>([
  [1234.56, '#,##0', '1234.56', 1234.56],
  [1234.5, '[$£-809]#,##0.00', '£1,234.50', 1234.5],
  [0.25, '0%', '25%', 0.25],
  [0.256, '0%', '0.256', 0.256],
  [0.973, '0.0%', '97.3%', 0.973],
  [8496536, '00000000', '08496536', '08496536'],
  [12345678, '00000000', '12345678', '12345678'],
  [8.6, '00', '8.6', '8.6'],
  [7700900123, '00000 000000', '07700 900123', '07700 900123'],
  [-5, '0;0', '-5', -5],
  [-5, '0;(0)', '(5)', -5],
  [-1.5, '0.00', '-1.50', -1.5],
  [5, '"Nr. "0', '5', 5],
])('%d in the format %j loses nothing as text %j and in JSON %j', (number, format, text, json) => {
  expect(fullText({ number, format })).toBe(text)
  expect(toJsonCell({ number, format })).toBe(json)
})
