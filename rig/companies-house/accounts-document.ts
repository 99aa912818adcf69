/** One filing of accounts as accounting software writes it: iXBRL, or plain XBRL, with styles and notes around the figures. */
export interface AccountsFigures {
  employees: number | null
  net_assets: number | null
  current_assets: number | null
  creditors: number | null
  cash: number | null
  turnover: number | null
}

export interface AccountsFiling {
  number: string
  name: string
  kind: 'micro' | 'small' | 'full' | 'dormant'
  form: 'ixbrl' | 'xbrl' | 'cic'
  /** The day that the accounts are made up to. */
  madeUpTo: string
  current: AccountsFigures
  /** The year before. */
  prior: AccountsFigures
  /** Which software wrote it: its prefixes and its format names. */
  style: number
  /** Paragraphs of notes, about 450 bytes each. */
  notes: number
}

const STYLES = [
  { core: 'core', bus: 'bus', ix: 'ix', number: 'ixt2:numdotdecimal', dash: 'ixt2:zerodash', flag: 'ixt2:boolean' },
  {
    core: 'uk-core',
    bus: 'uk-bus',
    ix: 'ix',
    number: 'ixt:num-dot-decimal',
    dash: 'ixt:fixed-zero',
    flag: 'ixt:fixed-',
  },
  { core: 'ns5', bus: 'ns7', ix: 'ix', number: 'ixt2:numdotdecimal', dash: 'ixt2:zerodash', flag: 'ixt2:boolean' },
  { core: 'd', bus: 'e', ix: 'ixb', number: 'ixt4:num-dot-decimal', dash: 'ixt4:fixed-zero', flag: 'ixt4:fixed-' },
] as const
export const STYLE_COUNT = STYLES.length

const TAGS: ReadonlyArray<[keyof AccountsFigures, string, string]> = [
  ['turnover', 'TurnoverRevenue', 'Turnover'],
  ['current_assets', 'CurrentAssets', 'Current assets'],
  ['cash', 'CashBankOnHand', 'Cash at bank and in hand'],
  ['creditors', 'Creditors', 'Creditors: amounts falling due within one year'],
  ['net_assets', 'NetAssetsLiabilities', 'Total assets less liabilities'],
  ['employees', 'AverageNumberEmployeesDuringPeriod', 'Average number of employees'],
]

export function writeAccounts(filing: AccountsFiling): string {
  return filing.form === 'xbrl' ? writePlain(filing) : writeInline(filing)
}

type Year = 'current' | 'prior'

function datesOf({ madeUpTo }: AccountsFiling, year: Year): { start: string; end: string } {
  const end = new Date(`${madeUpTo}T00:00:00Z`)
  if (year === 'prior') end.setUTCFullYear(end.getUTCFullYear() - 1)
  const start = new Date(end)
  start.setUTCFullYear(start.getUTCFullYear() - 1)
  start.setUTCDate(start.getUTCDate() + 1)
  return { start: start.toISOString().slice(0, 10), end: end.toISOString().slice(0, 10) }
}

/** Contexts of a year: the day, the year, what falls due within one year and after, and a director. */
function contextsOf(filing: AccountsFiling, year: Year, core: string, bus: string): string {
  const { start, end } = datesOf(filing, year)
  const scheme = `<xbrli:identifier scheme="http://www.companieshouse.gov.uk/">${filing.number}</xbrli:identifier>`
  const context = (id: string, period: string, member = '') =>
    `<xbrli:context id="${id}_${year}"><xbrli:entity>${scheme}${member && `<xbrli:segment>${member}</xbrli:segment>`}</xbrli:entity><xbrli:period>${period}</xbrli:period></xbrli:context>`
  const instant = `<xbrli:instant>${end}</xbrli:instant>`
  const duration = `<xbrli:startDate>${start}</xbrli:startDate><xbrli:endDate>${end}</xbrli:endDate>`
  const maturity = (member: string) =>
    `<xbrldi:explicitMember dimension="${core}:MaturitiesOrExpirationPeriodsDimension">${core}:${member}</xbrldi:explicitMember>`
  const director = `<xbrldi:explicitMember dimension="${bus}:EntityOfficersDimension">${bus}:Director1</xbrldi:explicitMember>`
  return [
    context('day', instant),
    context('year', duration),
    context('within', instant, maturity('WithinOneYear')),
    context('after', instant, maturity('AfterOneYear')),
    context('director', duration, director),
  ].join('\n')
}

const UNITS = `<xbrli:unit id="GBP"><xbrli:measure>iso4217:GBP</xbrli:measure></xbrli:unit><xbrli:unit id="pure"><xbrli:measure>xbrli:pure</xbrli:measure></xbrli:unit>`

function contextIdOf(figure: keyof AccountsFigures, year: Year): string {
  if (figure === 'creditors') return `within_${year}`
  return figure === 'employees' || figure === 'turnover' ? `year_${year}` : `day_${year}`
}

function writeInline(filing: AccountsFiling): string {
  const style = STYLES[filing.style % STYLES.length] ?? STYLES[0]
  const { core, bus, ix } = style
  const text = (name: string, value: string, more = '') =>
    `<${ix}:nonNumeric contextRef="year_current" name="${bus}:${name}"${more}>${value}</${ix}:nonNumeric>`
  const cell = (figure: keyof AccountsFigures, tag: string, year: Year) => {
    const value = filing[year][figure]
    if (value === null) return '<td style="text-align:right;width:90pt;"></td>'
    const isMoney = figure !== 'employees'
    const attributes = `contextRef="${contextIdOf(figure, year)}" name="${core}:${tag}" unitRef="${isMoney ? 'GBP' : 'pure'}" decimals="0"`
    if (value === 0) return tdOf(`<${ix}:nonFraction ${attributes} format="${style.dash}">-</${ix}:nonFraction>`)
    // Full accounts are in thousands.
    const isThousands = filing.kind === 'full' && isMoney && value % 1_000 === 0
    const shown = Math.abs(isThousands ? value / 1_000 : value).toLocaleString('en-GB')
    const scale = isThousands ? ' scale="3"' : ''
    const sign = value < 0 ? ' sign="-"' : ''
    const number = `<${ix}:nonFraction ${attributes} format="${style.number}"${scale}${sign}>${shown}</${ix}:nonFraction>`
    return tdOf(value < 0 || figure === 'creditors' ? `(${number})` : number)
  }
  const rows = TAGS.map(
    ([figure, tag, label]) =>
      `<tr style="height:14.5pt;"><td style="width:260pt;font-family:Arial;font-size:10pt;"><span class="label-a">${label}</span></td>${cell(figure, tag, 'current')}${cell(figure, tag, 'prior')}</tr>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:${ix}="http://www.xbrl.org/2013/inlineXBRL" xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi" xmlns:${core}="http://xbrl.frc.org.uk/fr/2025-01-01/core" xmlns:${bus}="http://xbrl.frc.org.uk/cd/2025-01-01/business">
<head><title>${escapeXml(filing.name)}</title><style type="text/css">${STYLE_SHEET}</style></head>
<body><div style="display:none"><${ix}:header><${ix}:hidden>
${text('UKCompaniesHouseRegisteredNumber', filing.number)}
${text('EntityDormantTruefalse', filing.kind === 'dormant' ? 'true' : 'false', ` format="${style.flag}${filing.kind === 'dormant'}"`)}
</${ix}:hidden><${ix}:resources>
${contextsOf(filing, 'current', core, bus)}
${contextsOf(filing, 'prior', core, bus)}
${UNITS}</${ix}:resources></${ix}:header></div>
<h1 class="title-page">${text('EntityCurrentLegalOrRegisteredName', escapeXml(filing.name))}</h1>
<p>Balance sheet as at ${text('BalanceSheetDate', filing.madeUpTo)}</p>
<table style="border-collapse:collapse;">${rows.join('\n')}</table>
${notesOf(filing, ix, bus)}
</body></html>
`
}

function tdOf(content: string): string {
  return `<td style="text-align:right;width:90pt;border-top:0.5pt solid #000000;"><span class="figure-b">${content}</span></td>`
}

function notesOf({ notes, number }: AccountsFiling, ix: string, bus: string): string {
  return Array.from(
    { length: notes },
    (_, index) =>
      `<div class="note-c" style="margin-top:${(index * 7) % 23}pt;page-break-inside:avoid;"><p style="font-family:Arial;font-size:9.5pt;text-align:justify;"><span>${index + 1}.${Number.parseInt(number.slice(2), 10) % 97}</span> <${ix}:nonNumeric contextRef="year_current" name="${bus}:DescriptionAccountingPolicy${index}">The financial statements are prepared under the historical cost convention, in accordance with the provisions applicable to companies subject to the small companies regime.</${ix}:nonNumeric></p></div>`,
  ).join('\n')
}

function writePlain(filing: AccountsFiling): string {
  const facts = (['current', 'prior'] as const).flatMap((year) =>
    TAGS.flatMap(([figure, tag]) => {
      const value = filing[year][figure]
      if (value === null) return []
      const unit = figure === 'employees' ? 'pure' : 'GBP'
      return `<pt:${PLAIN_NAMES[tag] ?? tag} contextRef="${contextIdOf(figure, year).replace('within', 'day')}" unitRef="${unit}" decimals="0">${value}</pt:${PLAIN_NAMES[tag] ?? tag}>`
    }),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<xbrli:xbrl xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi" xmlns:pt="http://www.xbrl.org/uk/fr/gaap/pt/2004-12-01" xmlns:ae="http://www.companieshouse.gov.uk/ef/xbrl/uk/fr/gaap/ae/2009-06-21">
${contextsOf(filing, 'current', 'pt', 'ae')}
${contextsOf(filing, 'prior', 'pt', 'ae')}
${UNITS}
<ae:CompaniesHouseRegisteredNumber contextRef="year_current">${filing.number}</ae:CompaniesHouseRegisteredNumber>
<ae:CompanyDormant contextRef="year_current">${filing.kind === 'dormant'}</ae:CompanyDormant>
${facts.join('\n')}
</xbrli:xbrl>
`
}

/** The older taxonomy has other names for these. */
const PLAIN_NAMES: Record<string, string> = {
  TurnoverRevenue: 'TurnoverGrossOperatingRevenue',
  CashBankOnHand: 'CashBankInHand',
  Creditors: 'CreditorsDueWithinOneYear',
  NetAssetsLiabilities: 'NetAssetsLiabilitiesIncludingPensionAssetLiability',
  AverageNumberEmployeesDuringPeriod: 'EmployeesTotal',
}

const STYLE_SHEET = Array.from(
  { length: 160 },
  (_, index) =>
    `.cell-${index}{font-family:Arial,Helvetica,sans-serif;font-size:${8 + (index % 5)}pt;padding:${index % 4}pt 2pt;border-bottom:${index % 3}px solid #${(index * 4_099).toString(16).padStart(6, '0')};vertical-align:bottom}`,
).join('\n')

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
