import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawFiling, toAccountsFile } from '../../../rig/companies-house/accounts-file.ts'
import { parseAmount } from './amount.ts'
import { DOCUMENT_BYTES_MAX, readAccounts } from './read-accounts.ts'

const NAME = 'Prod223_3456_00123456_20250331.html'
const CONTEXTS = `
  <xbrli:context id="now"><xbrli:entity/><xbrli:period><xbrli:instant>2025-03-31</xbrli:instant></xbrli:period></xbrli:context>
  <xbrli:context id="year"><xbrli:entity/><xbrli:period><xbrli:startDate>2024-04-01</xbrli:startDate><xbrli:endDate>2025-03-31</xbrli:endDate></xbrli:period></xbrli:context>
  <xbrli:context id="opening"><xbrli:period><xbrli:instant>2024-04-01</xbrli:instant></xbrli:period></xbrli:context>
  <xbrli:context id="before"><xbrli:period><xbrli:instant>2024-03-31</xbrli:instant></xbrli:period></xbrli:context>
  ${inSegment('within', '<xbrldi:explicitMember dimension="core:MaturitiesOrExpirationPeriodsDimension">core:WithinOneYear</xbrldi:explicitMember>')}
  ${inSegment('after', '<xbrldi:explicitMember dimension="core:MaturitiesOrExpirationPeriodsDimension">core:AfterOneYear</xbrldi:explicitMember>')}
  ${inSegment('asset', '<xbrldi:typedMember dimension="core:AssetDimension"><core:Kind>vans</core:Kind></xbrldi:typedMember>')}
  <xbrli:unit id="GBP"><xbrli:measure>iso4217:GBP</xbrli:measure></xbrli:unit>
  <xbrli:unit id="USD"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>`

function inSegment(id: string, member: string): string {
  return `<xbrli:context id="${id}"><xbrli:entity><xbrli:segment>${member}</xbrli:segment></xbrli:entity><xbrli:period><xbrli:instant>2025-03-31</xbrli:instant></xbrli:period></xbrli:context>`
}

function fact(name: string, text: string, more = '', context = 'now'): string {
  return `<ix:nonFraction name="core:${name}" contextRef="${context}" unitRef="GBP" ${more}>${text}</ix:nonFraction>`
}

function flag(name: string, text: string, more = ''): string {
  return `<ix:nonNumeric name="bus:${name}" contextRef="year" ${more}>${text}</ix:nonNumeric>`
}

function read(facts: string, name = NAME) {
  const html = `<?xml version="1.0" encoding="UTF-8"?><html><body>${facts}<ix:header>${CONTEXTS}</ix:header></body></html>`
  return readAccounts(name, Buffer.from(html))
}

const readCurrent = (facts: string) => read(facts)?.periods[0]

describe('a number', () => {
  test('is negative by its sign, never by brackets', () => {
    expect(readCurrent(fact('NetAssetsLiabilities', '1,234', 'sign="-"'))?.net_assets).toBe(-1_234)
    expect(readCurrent(`(${fact('NetAssetsLiabilities', '1,234')})`)?.net_assets).toBe(1_234)
    expect(readCurrent(fact('NetAssetsLiabilities', '(1,234)'))?.net_assets).toBe(1_234)
    expect(readCurrent(fact('NetAssetsLiabilities', '(1,234)', 'sign="-"'))?.net_assets).toBe(-1_234)
  })

  test.each([
    ['3', '12.5', 12_500],
    ['-2', '12,345', 123],
    ['0', '7', 7],
    ['x', '7', undefined],
    ['99', '7', undefined],
  ])('with scale %s, %s is %s', (scale, text, expected) => {
    expect(readCurrent(fact('CurrentAssets', text, `scale="${scale}"`))?.current_assets).toBe(expected)
  })

  test.each([
    ['-', ''],
    ['–', ''],
    ['&#8211;', ''],
    ['Nil', 'format="ixt:fixed-zero"'],
    ['', 'format="ixt2:zerodash"'],
  ])('written %s %s is 0', (text, format) => {
    expect(readCurrent(fact('CurrentAssets', text, format))?.current_assets).toBe(0)
  })

  test('has a decimal comma where its format says so', () => {
    expect(parseAmount('1.234,56', { format: 'num-comma-decimal', scale: '2', sign: '' })).toBe(123_456)
    expect(parseAmount('1 234,5', { format: 'numspacecomma', scale: '', sign: '' })).toBe(1_235)
    expect(parseAmount('1,234.5', { format: 'num-dot-decimal', scale: '1', sign: '' })).toBe(12_345)
  })

  test.each(['', 'n/a', '1e9', '9'.repeat(30), '1.2.3', 'see note 4'])('cannot be %j', (text) => {
    expect(parseAmount(text, { format: '', scale: '', sign: '' })).toBeNull()
  })

  test('never exceeds its bound, and is never minus zero', () => {
    expect(parseAmount('999999', { format: '', scale: '15', sign: '' })).toBeNull()
    expect(Object.is(parseAmount('0', { format: '', scale: '', sign: '-' }), 0)).toBe(true)
  })

  test('in another currency is not stated in pounds', () => {
    const dollars = fact('CurrentAssets', '5').replace('unitRef="GBP"', 'unitRef="USD"')
    expect(readCurrent(dollars + fact('NetAssetsLiabilities', '7'))).toMatchObject({
      current_assets: null,
      net_assets: 7,
    })
  })

  test('that is nil is not stated', () => {
    expect(
      readCurrent(fact('CurrentAssets', '5', 'xsi:nil="true"') + fact('Creditors', '1'))?.current_assets,
    ).toBeNull()
  })
})

describe('a tag', () => {
  test.each(['core', 'uk-core', 'ns5', 'd', 'FRS-102'])(
    'counts by its local name, whatever its prefix: %s',
    (prefix) => {
      expect(readCurrent(fact('CurrentAssets', '5').replace('core:', `${prefix}:`))?.current_assets).toBe(5)
    },
  )

  test('may have an older name, and the present one counts first', () => {
    const older = [
      fact('EmployeesTotal', '3', '', 'year'),
      fact('NetAssetsLiabilitiesIncludingPensionAssetLiability', '4'),
      fact('TurnoverGrossOperatingRevenue', '5', '', 'year'),
      fact('CashBankInHand', '6'),
      fact('CreditorsDueWithinOneYear', '7'),
    ].join('')
    expect(readCurrent(older)).toMatchObject({ employees: 3, net_assets: 4, turnover: 5, cash: 6, creditors: 7 })
    expect(readCurrent(older + fact('CashBankOnHand', '60'))?.cash).toBe(60)
  })

  test('may be inside another: both have the number', () => {
    const nested = `<ix:nonFraction name="core:NetAssetsLiabilities" contextRef="now">${fact('CurrentAssets', '<span>4</span>2')}</ix:nonFraction>`
    expect(readCurrent(nested)).toMatchObject({ net_assets: 42, current_assets: 42 })
  })

  test('goes on in its continuations, without what is excluded', () => {
    const split = `${flag('UKCompaniesHouseRegisteredNumber', '00<ix:exclude>page 3</ix:exclude>12', 'continuedAt="more"')}
      <ix:continuation id="more" continuedAt="last">34</ix:continuation><ix:continuation id="last" continuedAt="more">56</ix:continuation>`
    expect(read(split + fact('CurrentAssets', '1'), 'unnamed.html')).toBeNull()
    expect(
      read(split.replace(' continuedAt="more">56', '>56') + fact('CurrentAssets', '1'), 'unnamed.html'),
    ).toMatchObject({
      company_number: '00123456',
    })
  })
})

describe('a period', () => {
  test('is known by the dates of its context: the accounts’ own, and the year before', () => {
    expect(read(fact('CurrentAssets', '5') + fact('CurrentAssets', '4', '', 'before'))?.periods).toMatchObject([
      { period_end: '2025-03-31', is_comparative: false, current_assets: 5 },
      { period_end: '2024-03-31', is_comparative: true, current_assets: 4 },
    ])
  })

  test('of the year before is not the accounts’ own where they have figures of that year only', () => {
    expect(read(fact('CurrentAssets', '4', '', 'before'))?.periods).toMatchObject([
      { period_end: '2024-03-31', is_comparative: true, current_assets: 4 },
    ])
  })

  test('that ends a few days before the day of the file’s name is the accounts’ own', () => {
    const facts = fact('CurrentAssets', '4', '', 'before') + fact('CurrentAssets', '5')
    expect(read(facts, 'Prod223_3456_00123456_20250405.html')?.periods).toMatchObject([
      { period_end: '2025-03-31', is_comparative: false },
      { period_end: '2024-03-31', is_comparative: true },
    ])
  })

  test('is not the morning on which the year began', () => {
    const facts = ['now', 'opening', 'before'].map((context) => fact('NetAssetsLiabilities', '1', '', context)).join('')
    expect(read(facts)?.periods.map((period) => period.period_end)).toEqual(['2025-03-31', '2024-03-31'])
  })

  test('without the day of the file’s name is the one that ends last', () => {
    const facts = fact('CurrentAssets', '4', '', 'before') + fact('CurrentAssets', '5')
    expect(read(facts, 'Prod223_3456_00123456_20230101.html')?.periods[0]?.period_end).toBe('2025-03-31')
  })

  test('of a part of the company is not the company’s', () => {
    expect(readCurrent(fact('CurrentAssets', '9', '', 'asset') + fact('CurrentAssets', '5'))?.current_assets).toBe(5)
    expect(read(fact('CurrentAssets', '9', '', 'asset'))?.periods).toEqual([])
  })

  test('has creditors in total, otherwise those due within one year, and never those due later', () => {
    const [within, after] = [fact('Creditors', '30', '', 'within'), fact('Creditors', '70', '', 'after')]
    expect(readCurrent(within + after + fact('Creditors', '100'))?.creditors).toBe(100)
    expect(readCurrent(after + within)?.creditors).toBe(30)
    expect(readCurrent(after + fact('CurrentAssets', '1'))?.creditors).toBeNull()
  })

  test.each([
    [flag('EntityDormantTruefalse', 'true'), true],
    [flag('EntityDormantTruefalse', 'The company was dormant', 'format="ixt:fixed-true"'), true],
    [flag('EntityDormantTruefalse', '', 'format="ixt2:booleanfalse"'), false],
    ['<ae:CompanyNotDormant contextRef="year">true</ae:CompanyNotDormant>', false],
    [flag('EntityDormantTruefalse', 'perhaps') + fact('CurrentAssets', '1'), null],
  ])('is dormant by its flag: %s', (facts, expected) => {
    expect(readCurrent(facts)?.is_dormant).toBe(expected)
  })
})

describe('the company', () => {
  test('is the one that the document names, otherwise that of the file’s name', () => {
    const facts = fact('CurrentAssets', '1')
    expect(read(facts + flag('UKCompaniesHouseRegisteredNumber', ' sc 12345 '), 'x.html')?.company_number).toBe(
      'SC012345',
    )
    expect(read(facts + flag('UKCompaniesHouseRegisteredNumber', 'not yet'))?.company_number).toBe('00123456')
    expect(read(facts, 'x.html')).toBeNull()
  })

  test('is not known when the document names another one than the register', () => {
    expect(read(fact('CurrentAssets', '1') + flag('UKCompaniesHouseRegisteredNumber', '07654321'))).toBeNull()
  })
})

test('drawn filings of all kinds are read as they were drawn, plain XBRL among them', () => {
  for (let index = 0; index < 400; index += 1) {
    const filing = drawFiling(7, index)
    if (filing.form === 'cic') continue
    const { name, bytes } = toAccountsFile(filing)
    const accounts = readAccounts(name, bytes)
    expect(accounts?.company_number).toBe(filing.number)
    expect(accounts?.periods).toMatchObject([
      { period_end: filing.madeUpTo, ...filing.current, is_dormant: filing.kind === 'dormant' },
      { is_comparative: true, ...filing.prior },
    ])
  }
})

test('other encodings are read', () => {
  const html = `<html>${fact('CurrentAssets', '£\u00a01,500')}${fact('Creditors', '–')}${CONTEXTS}</html>`
  const declared = Buffer.from(`<?xml version="1.0" encoding="windows-1252"?>${html}`.replace('–', '\u0096'), 'latin1')
  for (const bytes of [Buffer.from(`\uFEFF${html}`, 'utf16le'), declared])
    expect(readAccounts(NAME, bytes)?.periods[0]).toMatchObject({ current_assets: 1_500, creditors: 0 })
})

describe('hostile documents', () => {
  const entities = `<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(100)}">]>`
  const valid = fact('CurrentAssets', '5')
  test.each([
    ['entities that expand', `${entities}<p>${'&b;'.repeat(10_000)}</p>`],
    ['deep nesting', '<div>'.repeat(500_000)],
    ['deep nesting of facts', '<ix:nonFraction name="core:CurrentAssets" contextRef="none">'.repeat(100_000)],
    ['contexts without end', '<xbrli:context id="c">'.repeat(100_000)],
    ['closing tags', '</ix:nonFraction>'.repeat(300_000)],
    ['attributes without end', `<ix:nonFraction ${'a="b" '.repeat(300_000)}>1</ix:nonFraction>`],
    ['a name without end', `<${'x'.repeat(3_000_000)} a="b"></y>`],
    ['a comment without end at the end', `<p></p>${'<!-- -- '.repeat(200_000)}-->`],
  ])('%s: in time, and what was readable', (_name, hostile) => {
    const startedAt = performance.now()
    expect(read(valid + hostile)?.company_number).toBe('00123456')
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  test('a tag that never ends', () => {
    expect(
      readAccounts(NAME, Buffer.from(`${CONTEXTS}${valid}<ix:nonFraction ${'a="'.repeat(500_000)}`)),
    ).not.toBeNull()
  })

  test('too many bytes, and no accounts at all', () => {
    expect(readAccounts(NAME, Buffer.alloc(DOCUMENT_BYTES_MAX + 1, '<'))).toBeNull()
    expect(readAccounts(NAME, Buffer.alloc(0))).toBeNull()
    expect(readAccounts(NAME, Buffer.from('%PDF-1.7'))).toBeNull()
  })
})

test('no input makes it throw', () => {
  const part = fc.oneof(
    fc.constantFrom(
      CONTEXTS,
      fact('CurrentAssets', '5'),
      flag('EntityDormantTruefalse', 'true'),
      '<ix:nonFraction name="core:Creditors" contextRef="now" scale="',
      '<xbrli:context id="now"><xbrli:instant>0001-01-01',
      '<ix:continuation id="a" continuedAt="a">',
      '</ix:nonFraction>',
      '&#x110000;&#0;',
      '<![CDATA[',
      '">',
    ),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.string(), fc.array(part, { maxLength: 12 }), (name, parts) => {
      readAccounts(name, Buffer.from(parts.join('')))
    }),
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => void readAccounts(NAME, bytes)))
})
