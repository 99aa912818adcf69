/**
 * Numbers as a workbook shows them, for the formats that change what a person reads: leading zeros, decimals, thousands,
 * percentages, and text such as a currency around them. Other formats show the number itself.
 */
const PATTERN = /^(?<zeros>[#0,?]*)(?:\.(?<decimals>[0#?]*))?(?<percent>%?)$/
const DIGITS_MAX = 30
/** The most that Excel takes. */
export const FORMAT_CHARS_MAX = 255

export function formatNumber(value: number, format: string): string {
  if (format.length > FORMAT_CHARS_MAX) return String(value)
  const sections = splitSections(format)
  const isOwnNegative = value < 0 && sections.length > 1
  const { before, pattern, after } = takeApart((isOwnNegative ? sections[1] : sections[0]) ?? '')
  const groups = PATTERN.exec(pattern)?.groups
  if (!groups || pattern === '' || !Number.isFinite(value) || Math.abs(value) >= 1e21) return String(value)
  const { zeros = '', decimals = '', percent = '' } = groups
  if (decimals.length > DIGITS_MAX || zeros.length > DIGITS_MAX) return String(value)
  const scaled = Math.abs(percent ? value * 100 : value)
  const [whole = '', fraction = ''] = scaled.toFixed(Math.min(20, decimals.length)).split('.')
  const shown = fraction.slice(0, decimals.length)
  const least = decimals.replaceAll(/[^0]/g, '').length
  const kept = shown.replace(/0+$/, '').padEnd(least, '0')
  const padded = whole.padStart(zeros.replaceAll(/[^0]/g, '').length, '0')
  const grouped = zeros.includes(',') ? padded.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : padded
  const sign = value < 0 && !isOwnNegative ? '-' : ''
  return `${sign}${before}${grouped}${kept === '' ? '' : `.${kept}`}${percent}${after}`.trim()
}

function splitSections(format: string): string[] {
  return format.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\[]|["\\[])+/g) ?? []
}

/** The text before the digits, the pattern of the digits, and the text after them. */
function takeApart(section: string): { before: string; pattern: string; after: string } {
  let [before, pattern, after] = ['', '', '']
  const add = (text: string) => {
    if (pattern === '') before += text
    else after += text
  }
  for (const [part] of section.matchAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*.|[#0,?.%]+|[^]/g)) {
    const first = part[0] ?? ''
    if (first === '"') add(part.slice(1, -1))
    else if (first === '\\') add(part.slice(1))
    else if (first === '[') add(/^\[\$([^\]-]*)/.exec(part)?.[1] ?? '')
    else if ((first === '_' || first === '*') && part.length > 1) continue
    else if (/^[#0,?.%]+$/.test(part)) {
      if (pattern === '') pattern = part
      else add(part)
    } else if (/[A-Za-z@/]/.test(part)) return { before: '', pattern: '', after: '' }
    else add(part)
  }
  return { before, pattern, after }
}
