/** What follows from the first two characters of a company number alone. */

const AVAILABLE = new Set('SC NI R0 OC SO NC FC SF NF BR OE SE ES GE GS GN ZC SZ NZ SG FE'.split(' '))

const NOT_AVAILABLE: Record<string, string> = {
  IC: 'investment-company-with-variable-capital',
  SI: 'investment-company-with-variable-capital',
  NV: 'investment-company-with-variable-capital',
  IP: 'industrial-and-provident-society',
  SP: 'industrial-and-provident-society',
  NP: 'industrial-and-provident-society',
  NO: 'northern-ireland-other',
  RC: 'royal-charter',
  SR: 'royal-charter',
  NR: 'royal-charter',
  PC: 'protected-cell-company',
}

/** The first number with a history (without images), and the first with images. */
const PARTNERSHIPS: Record<string, [number, number]> = {
  LP: [3_370, 15_997],
  SL: [1_083, 16_384],
  NL: [11, 76],
}

const ASSURANCE_WITHOUT_HISTORY: Record<string, number> = { AC: 1_839, SA: 144_518, NA: 0 }

/** `filing_history_status`; a value that contains "not-available" also means that the list has no items. */
export function filingHistoryStatus(number: string): string {
  if (!/^(?:\d{8}|R0\d{6}|[A-Z]{2}[0-9A-Z]{6})$/.test(number)) return 'filing-history-not-available-invalid-format'
  const prefix = number.slice(0, 2)
  if (/^\d{8}$/.test(number) || AVAILABLE.has(prefix)) return 'filing-history-available'
  const kind = NOT_AVAILABLE[prefix]
  if (kind) return `filing-history-not-available-${kind}`
  const ordinal = Number.parseInt(number.slice(2), 10)
  const partnership = PARTNERSHIPS[prefix]
  if (partnership) {
    if (ordinal >= partnership[1]) return 'filing-history-available-limited-partnership-from-2014'
    if (ordinal >= partnership[0]) return 'filing-history-available-no-images-limited-partnership-from-1988'
    return 'filing-history-not-available-limited-partnership-before-1988'
  }
  const assurance = ASSURANCE_WITHOUT_HISTORY[prefix]
  if (assurance !== undefined) {
    return ordinal >= assurance
      ? 'filing-history-not-available-assurance-company-from-2004'
      : 'filing-history-available-assurance-company-before-2004'
  }
  return 'filing-history-not-available-unknown-prefix'
}

const PARTIAL: [prefixes: string, value: string][] = [
  ['IC SI NV AC SA NA PC', 'full-data-available-from-financial-conduct-authority'],
  ['RC SR NR', 'full-data-available-from-the-company'],
  ['NP NO IP SP RS', 'full-data-available-from-financial-conduct-authority-mutuals-public-register'],
]

export function partialDataAvailable(number: string): string | undefined {
  return PARTIAL.find(([prefixes]) => prefixes.split(' ').includes(number.slice(0, 2)))?.[1]
}

export function jurisdictionOf(number: string): string {
  if (/^(?:SC|SO|SL|SF|ES|GS|SA|SZ|SI|SP|SR|SG|CS)/.test(number)) return 'scotland'
  if (/^(?:NI|R0|NC|NL|NF|EN|GN|NA|NZ|NV|NP|NO|NR)/.test(number)) return 'northern-ireland'
  if (/^(?:OE|FC)/.test(number)) return 'united-kingdom'
  return 'england-wales'
}
