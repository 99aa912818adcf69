/**
 * Numbers as a workbook shows them, for the formats that change what a person reads: leading zeros, decimals, thousands,
 * percentages, groups of digits as telephone numbers have them, and text such as a currency around them. Other formats show the
 * number itself.
 */
const PATTERN = /^(?<zeros>[#0,?]*)(?:\.(?<decimals>[0#?]*))?$/
const DIGITS_MAX = 30
/** The most that Excel takes. */
export const FORMAT_CHARS_MAX = 255

export function formatNumber(value: number, format: string): string {
  if (format.length > FORMAT_CHARS_MAX) return String(value)
  const sections = splitSections(format)
  const isOwnNegative = value < 0 && sections.length > 1
  const { before, groups, isPercent } = takeApart((isOwnNegative ? sections[1] : sections[0]) ?? '')
  if (groups.length === 0 || !Number.isFinite(value) || Math.abs(value) >= 1e21) return String(value)
  const sign = value < 0 && !isOwnNegative ? '-' : ''
  if (groups.length > 1) {
    const filled = isPercent ? null : fillGroups(Math.abs(value).toFixed(0), groups)
    return filled === null ? String(value) : `${sign}${before}${filled}`.trim()
  }
  const [{ pattern, after } = { pattern: '', after: '' }] = groups
  const found = PATTERN.exec(pattern)?.groups
  if (!found) return String(value)
  const { zeros = '', decimals = '' } = found
  // Commas behind the digits show thousands or millions.
  if (zeros.endsWith(',')) return String(value)
  if (decimals.length > DIGITS_MAX || zeros.length > DIGITS_MAX) return String(value)
  const scaled = Math.abs(isPercent ? value * 100 : value)
  const [whole = '', fraction = ''] = scaled.toFixed(Math.min(20, decimals.length)).split('.')
  const shown = fraction.slice(0, decimals.length)
  const least = decimals.replaceAll(/[^0]/g, '').length
  const kept = shown.replace(/0+$/, '').padEnd(least, '0')
  const padded = whole.padStart(zeros.replaceAll(/[^0]/g, '').length, '0')
  const grouped = zeros.includes(',') ? padded.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : padded
  return `${sign}${before}${grouped}${kept === '' ? '' : `.${kept}`}${after}`.trim()
}

function splitSections(format: string): string[] {
  return format.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\[]|["\\[])+/g) ?? []
}

/** Digits without a break between them, and the text after them. */
interface Group {
  pattern: string
  after: string
}

/** Spreads the digits over the groups from the right; the first group takes all that are left. Null where a group has other signs. */
function fillGroups(whole: string, groups: readonly Group[]): string | null {
  const all = groups.map(({ pattern }) => pattern).join('')
  if (!/^[#0]+$/.test(all) || all.length > DIGITS_MAX) return null
  const least = all.includes('0') ? all.length - all.indexOf('0') : 0
  let left = (whole === '0' ? '' : whole).padStart(least, '0')
  let text = ''
  for (const [index, { pattern, after }] of [...groups.entries()].reverse()) {
    const from = index === 0 ? 0 : Math.max(0, left.length - pattern.length)
    text = `${left.slice(from)}${after}${text}`
    left = left.slice(0, from)
  }
  return text
}

const NO_DIGITS = { before: '', groups: [], isPercent: false }

/** The text before the digits, and their groups. No groups where the section is none that we show, or depends on a condition. */
function takeApart(section: string): { before: string; groups: Group[]; isPercent: boolean } {
  let before = ''
  let isPercent = false
  const groups: Group[] = []
  const add = (text: string) => {
    const last = groups.at(-1)
    if (last) last.after += text
    else before += text
  }
  for (const [part] of section.matchAll(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*.|[#0,?.]+|[^]/g)) {
    const first = part[0] ?? ''
    if (first === '"') add(part.slice(1, -1))
    else if (first === '\\') add(part.slice(1))
    else if (/^\[[<>=]/.test(part)) return NO_DIGITS
    else if (first === '[') add(/^\[\$([^\]-]*)/.exec(part)?.[1] ?? '')
    else if ((first === '_' || first === '*') && part.length > 1) continue
    else if (/^[#0?]|^\.[#0?]/.test(part)) groups.push({ pattern: part, after: '' })
    else if (/[A-Za-z@/]/.test(part)) return NO_DIGITS
    else {
      isPercent ||= part === '%'
      add(part)
    }
  }
  return { before, groups, isPercent }
}
