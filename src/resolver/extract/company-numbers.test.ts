/** Which numbers on a page are company numbers, as the register writes them, and which only look like one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCompanyNumbers } from './company-numbers.ts'

const readingsIn = (text: string) => findCompanyNumbers(text).companies.map(({ readings }) => readings.join(' or '))
const othersIn = (text: string) => findCompanyNumbers(text).others.map(({ of }) => of)

/** Time of this thread alone: other work on the machine does not count. */
function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

describe('a number is read however it is written', () => {
  test.each([
    ['Company No. 04999990', '04999990'],
    ['Company number: 4999990', '04999990'],
    ['Company number 499999', '00499999'],
    ['Company No 0499 9990', '04999990'],
    ['Company number: 04 99 99 90', '04999990'],
    ['Company number: 0499-9990', '04999990'],
    ['Company No. 04.999.990', '04999990'],
    ['Company number 4,999,990', '04999990'],
    ['Company No.04999990', '04999990'],
    ['Company registration number(04999990)', '04999990'],
    ['Company No: [04999990]', '04999990'],
    ['Company number (“04999990”)', '04999990'],
    ['Company No – 04999990', '04999990'],
    ['Company No. 04999990 2024', '04999990'],
    ['Registered in Scotland SC301234', 'SC301234'],
    ['Registered in Scotland No. SC 301234', 'SC301234'],
    ['Registered in Scotland no. sc301234', 'SC301234'],
    ['Company Registration Number SC 30 12 34', 'SC301234'],
    ['Company No. SC30123', 'SC030123'],
    ['Registered in Scotland No. 301234', 'SC301234'],
    ['a company registered in Northern Ireland (NI612345)', 'NI612345'],
    ['Registered in Northern Ireland No. 12345', 'NI012345 or R0012345'],
    ['a limited liability partnership registered in England (OC312345)', 'OC312345'],
    ['limited liability partnership registered in Scotland SO301234', 'SO301234'],
    ['incorporated by Royal Charter (RC000123)', 'RC000123'],
    ['UK establishment number BR012345', 'BR012345'],
  ])('%s', (text, reading) => {
    expect(readingsIn(text)).toEqual([reading])
  })
})

describe('a number is believed on the word of its label', () => {
  test.each([
    'Company #',
    'Company ID:',
    'Company Reg:',
    'Company Registration No.',
    'Companies House:',
    'Companies House Registration No',
    'CRN',
    'Co. No.',
    'Co. Reg. No.',
    'Limited company number',
    'Registered Company Number:',
    'Registered in England & Wales:',
    'Registered in England and Wales under number',
    'Reg. in England:',
    'Registered in Cardiff, Wales. Company no.',
    'UK Registered No.',
    'A British registered company, number',
    'a company limited by guarantee (no.',
    'Rhif y cwmni:',
    'Rhif cofrestru’r cwmni:',
    'Cofrestrwyd yng Nghymru a Lloegr, Rhif Cwmni',
  ])('%s … is stated', (label) => {
    const { companies } = findCompanyNumbers(`${label} 04999990`)
    expect(companies.map(({ readings, certainty }) => [readings, certainty])).toEqual([[['04999990'], 'stated']])
  })

  test.each([
    'Reg. No. 04999990',
    'Registered No. 04999990 England',
    'No. 04999990',
    'Example Widgets Ltd (04999990)',
    'Example Widgets Ltd, 04999990',
  ])('%s is only implied', (text) => {
    expect(findCompanyNumbers(text).companies).toMatchObject([{ readings: ['04999990'], certainty: 'implied' }])
  })

  test('a list of numbers shares its label', () => {
    expect(readingsIn('Company numbers 04999990, 05999990 & 06999990')).toEqual(['04999990', '05999990', '06999990'])
  })

  test.each([
    ['Registered in England No. 04999990', 'england and wales'],
    ['Cofrestrwyd yng Nghymru, rhif cwmni 04999990', 'england and wales'],
    ['Registered in Scotland No. SC301234', 'scotland'],
    ['Registered in Northern Ireland NI612345', 'northern ireland'],
    ['a UK limited company (04999990)', 'uk'],
    ['Company No. 04999990', null],
  ])('%s belongs to %s', (text, jurisdiction) => {
    expect(findCompanyNumbers(text).companies[0]?.jurisdiction).toBe(jurisdiction)
  })
})

describe('a look-alike is told by its own label', () => {
  test.each([
    ['Charity No. 1099990', 'charity'],
    ['Registered charity in England and Wales (1099990)', 'charity'],
    ['Scottish Charity No. SC012345', 'charity'],
    ['Rhif Elusen 1099990', 'charity'],
    ['VAT No. 999 9999 73', 'VAT'],
    ['VAT Reg 999999973', 'VAT'],
    ['FRN 4999990', 'financial regulator'],
    ['Authorised and regulated by the FCA no. 499999', 'financial regulator'],
    ['SRA number 612345', 'legal regulator'],
    ['Tel: 0113 4999990', 'telephone'],
    ['Call us on 04999990', 'telephone'],
    ['Company Tel: 04999990', 'telephone'],
    ['Account number: 04999990', 'bank'],
    ['UKPRN 10049990', 'care or education regulator'],
    ['D-U-N-S 204999990', 'trade identifier'],
    ['Registered trademark number 3499999', 'certificate or mark'],
    ['Order no. 04999990', 'order or reference'],
    ['Ref: 04999990', 'order or reference'],
    ['Last updated 20240115', 'order or reference'],
    ['Gas Safe Reg No 412345', 'licence or membership'],
    ['Ofcom licence no 04999990', 'licence or membership'],
  ])('%s is a number of: %s', (text, of) => {
    expect(readingsIn(text)).toEqual([])
    expect(othersIn(text)).toEqual([of])
  })

  test.each([
    ['Registered in Ireland No. 348700', 'Ireland'],
    ['CRO 348700', 'Ireland'],
    ['registered in the Republic of Ireland, company number 397073', 'Ireland'],
    ['KvK 04999990', 'the Netherlands'],
    ['Handelsregister HRB 104999', 'Germany'],
    ['SIREN 804999990', 'France'],
    ['Registered in Jersey No. 104999', 'Jersey'],
    ['Guernsey company 54321', 'Guernsey'],
    ['incorporated in Delaware, file number 4999990', 'the United States'],
    ['ABN 12 004 999 990', 'Australia'],
    ['incorporated in Hong Kong with company number 2345678', 'another country'],
    ['registered in Malta C 72941', 'Malta'],
  ])('%s is a number of %s', (text, country) => {
    expect(readingsIn(text)).toEqual([])
    expect(findCompanyNumbers(text).others).toMatchObject([{ of: country, foreign: true }])
  })

  test.each([
    'Registered charity 1099990 and company limited by guarantee 04999990',
    'VAT No. 999 9999 73. Company No. 04999990',
    'FCA firm reference number 499999. Company 04999990',
    'Company No. 04999990. Charity No. 1099990. Tel. 0113 4960000',
    'Gas Safe 412345 | Registered in England 04999990',
    'a corporation of Delaware, file number 5999990, registered in England with company number 04999990',
  ])('the company’s own number stands out in: %s', (text) => {
    expect(readingsIn(text)).toEqual(['04999990'])
  })
})

describe('nothing is read', () => {
  test.each([
    ['a number by itself', '04999990'],
    ['a placeholder', 'Company number 12345678'],
    ['zeros', 'Company number 00000000'],
    ['a template', 'Company Number: XXXXXXXX'],
    ['money', 'Company turnover £4999990'],
    ['part of an address on the web', 'Company: /company/04999990'],
    ['too few digits', 'Company number 2049'],
    ['too many digits', 'Company number 049999901'],
    ['a year', 'trading since 1987'],
    ['a date', 'No. 20240115'],
    ['a telephone number of another country’s form', 'Company number +44 4999990'],
    ['a range of houses', 'Registered No. 161-167 High Street'],
    ['no digits at all', 'Company number: to follow'],
  ])('from %s', (_what, text) => {
    expect(readingsIn(text)).toEqual([])
  })
})

describe('whatever the text', () => {
  const pieces = fc.constantFrom(
    'Company No. ',
    'VAT ',
    'Registered in ',
    'Scotland ',
    'Ireland ',
    'SC',
    '04999990',
    '1 2 3 ',
    '-',
    '(',
    'Ltd ',
    '£',
    '\n',
    'ß',
    '\u{1F600}',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(fc.oneof(pieces, fc.string({ maxLength: 6 })), { maxLength: 40 }).map((parts) => parts.join('')),
  )

  test('every find lies inside the text, reads as printed, in order and apart', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { companies, others } = findCompanyNumbers(text)
        const finds = [...companies, ...others].sort((one, other) => one.start - other.start)
        for (const [index, { start, end, printed }] of finds.entries()) {
          expect(start).toBeGreaterThanOrEqual(finds[index - 1]?.end ?? 0)
          expect(text.slice(start, end)).toBe(printed)
          expect(printed).not.toBe('')
        }
        for (const { readings } of companies) {
          expect(readings.length).toBeGreaterThan(0)
          for (const reading of readings) expect(reading).toMatch(/^[A-Z0-9]{2}\d{5}[\dR]$/)
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['a label and single digits', 'Company No. 1 2 3 '],
    ['numbers with labels', 'Company No. 04999990 '],
    ['endings', 'Ltd Ltd Ltd '],
    ['one run of digits', '7'],
    ['digits with commas', '1,234,567,'],
    ['labels without numbers', 'No. VAT Reg. '],
    ['prefixes', 'SC 1 2 3 4 '],
    ['brackets', '(04999990) '],
    ['spaces', '     '],
    ['charities', 'charity SC012345 '],
  ])('20,000 characters of %s take less than 600 ms', (_what, unit) => {
    const text = `Company${unit.repeat(Math.ceil(20_000 / unit.length))}`.slice(0, 20_000)
    expect(cpuMsOf(() => findCompanyNumbers(text))).toBeLessThan(600)
  })

  test('4,000 labels take less than 600 ms', () => {
    const text = `${'No. '.repeat(4_000)}04999990`
    expect(findCompanyNumbers(text).companies).toHaveLength(1)
    expect(cpuMsOf(() => findCompanyNumbers(text))).toBeLessThan(600)
  })
})
