import { expect, test } from 'vitest'
import { formatNumber } from './number-text.ts'

test.each([
  [8496536, '00000000', '08496536'],
  [0.25, '0%', '25%'],
  [0.256, '0.0%', '25.6%'],
  [1234.5, '#,##0.00', '1,234.50'],
  [-1234.5, '#,##0.00', '-1,234.50'],
  [1234.5, '"$"#,##0.00_);("$"#,##0.00)', '$1,234.50'],
  [-1234.5, '"$"#,##0.00_);("$"#,##0.00)', '($1,234.50)'],
  [1234.5, '[$£-809]#,##0.00', '£1,234.50'],
  [1234.5, '_-* #,##0.00\\ "€"_-', '1,234.50 €'],
  [12, '0.##', '12'],
  [12.5, '0.##', '12.5'],
  [12.5, 'General', '12.5'],
  [12.5, '@', '12.5'],
  [1.5, '0.00E+00', '1.5'],
  [0.5, '# ?/?', '0.5'],
  [6500244, 'dd/mm/yyyy', '6500244'],
  [1.2, '[h]:mm', '1.2'],
  [5, '0;"minus" 0;"none"', '5'],
  [1e25, '0', '1e+25'],
  [5, '', '5'],
  [5, '"', '5'],
])('%d in the format %j is read as %j', (number, format, text) => {
  expect(formatNumber(number, format)).toBe(text)
})

test('a format that wants to take long does not', () => {
  expect(formatNumber(1, '['.repeat(50_000))).toBe('1')
  expect(formatNumber(1, '0'.repeat(50_000))).toBe('1')
  expect(formatNumber(1, `0.${'0'.repeat(50_000)}`)).toBe('1')
})
