import { describe, expect, test } from 'vitest'
import { hashLine, numberOf, splitLine, toCopyLine, toFacts } from './row.ts'

function line(change: Record<number, string> = {}): string {
  const fields = Array.from({ length: 55 }, () => '')
  fields[0] = 'ACME WIDGETS LIMITED'
  fields[1] = '01234567'
  fields[10] = 'Private Limited Company'
  fields[11] = 'Active'
  for (const [at, value] of Object.entries(change)) fields[Number(at)] = value
  return fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')
}

const hash = (text: string) => hashLine(Buffer.from(text))

function factsOf(change: Record<number, string>) {
  const fields = splitLine(line(change))
  return fields && toFacts(fields)
}

describe('a line', () => {
  test.each([
    ['plain', { 0: 'ACME LIMITED' }],
    ['with quotes', { 0: 'THE "REAL" ACME LIMITED' }],
    ['with a comma', { 4: '1, HIGH STREET' }],
    ['with quotes around a comma', { 4: 'A","B' }],
    ['ending in quotes', { 54: 'odd"' }],
  ])('%s is split into its fields', (_what, change) => {
    const fields = splitLine(line(change))
    expect(fields).toHaveLength(55)
    for (const [at, value] of Object.entries(change)) expect(fields?.[Number(at)]).toBe(value)
  })

  test('may end in a carriage return', () => {
    expect(splitLine(`${line()}\r`)?.[54]).toBe('')
  })

  test.each([
    ['too few fields', '"A","B"'],
    ['nothing', 'x'],
  ])('with %s is not read', (_what, text) => {
    expect(splitLine(text)).toBeNull()
  })

  test('tells its number without being split, and its hash changes with it', () => {
    expect(numberOf(Buffer.from(line()))).toBe('01234567')
    expect(hash(line())).toBe(hash(line()))
    const hashes = Array.from({ length: 55 }, (_, at) => hash(line({ [at]: '01/01/2026' })))
    expect(new Set([hash(line()), ...hashes]).size).toBe(56)
    expect(Math.max(...hashes)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
  })
})

describe('facts', () => {
  test.each([
    ['Active', 'active', null],
    ['Active - Proposal to Strike off', 'active', 'active-proposal-to-strike-off'],
    ['RECEIVERSHIP', 'receivership', null],
    ['In Administration', 'administration', null],
    ['VOLUNTARY ARRANGEMENT / RECEIVER MANAGER', 'insolvency-proceedings', null],
    ['Something New', 'something-new', null],
  ])('status %s is %s', (label, status, detail) => {
    expect(factsOf({ 11: label })).toMatchObject({ status, statusDetail: detail })
  })

  test.each([
    ['28/02/2026', '2026-02-28'],
    ['29/02/2024', '2024-02-29'],
    ['29/02/2026', null],
    ['31/04/2026', null],
    ['01/01/1362', '1362-01-01'],
    ['', null],
    ['2026-01-01', null],
  ])('date %j is %j', (text, date) => {
    expect(factsOf({ 14: text })?.incorporatedOn).toBe(date)
  })

  test('SIC texts become codes, and "None Supplied" none', () => {
    expect(factsOf({ 26: '70229 - Management consultancy', 27: '0112 - Rice', 28: 'None Supplied' })?.sicCodes).toEqual(
      ['70229', '0112'],
    )
  })

  test('previous names come newest first with the day they ended', () => {
    expect(factsOf({ 33: '01/02/2020', 34: 'OLD LTD', 35: '', 36: 'OLDER LTD' })?.previousNames).toEqual([
      { name: 'OLD LTD', ceased_on: '2020-02-01' },
      { name: 'OLDER LTD', ceased_on: null },
    ])
  })

  test.each([[{ 1: '123' }], [{ 1: 'AB-34567' }], [{ 0: '' }]])('%j is no company', (change) => {
    expect(factsOf(change)).toBeNull()
  })

  test('a tab, a backslash and a line end survive COPY', () => {
    const facts = factsOf({ 0: 'A\tB\\C', 4: 'line\rend' })
    expect(facts && toCopyLine(facts, { hash: 1, changedAt: '2026-01-01T00:00:00Z', isPlain: false })).toContain(
      '\tA\\tB\\\\C\t',
    )
  })
})
