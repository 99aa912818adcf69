/** How a fact says that its text is to be read. */
export interface Notation {
  /** The local name of the transformation. */
  format: string
  scale: string
  sign: string
}

const ZERO_FORMATS = new Set(['fixed-zero', 'fixedzero', 'zerodash', 'zero-dash', 'numdash'])
const COMMA_FORMATS = new Set(['num-comma-decimal', 'numcommadecimal', 'numdotcomma', 'numspacecomma', 'numcomma'])
/** A dash of any kind, alone: nothing in a column of figures. */
const DASH = /^[-‐‑‒–—−]+$/
/** Spaces, currency signs, and brackets: accounts print creditors in brackets whatever their sign. */
const DECORATION = /&nbsp;|[\s£$€()[\]\u200b']/g
const DECIMAL = /^([-−]?)(\d{0,18}(?:\.\d{0,18})?)$/
const SCALE = /^[+-]?\d{1,2}$/
const SCALE_MAX = 15
/** A thousand times the balance sheet of the largest bank; also what a number holds exactly. */
export const AMOUNT_MAX = 4e15

/**
 * Returns a tagged number, rounded to a whole one; null when it cannot be read. It is negative by its `sign`, or by a
 * minus of its own as plain XBRL writes it, and never by brackets.
 */
export function parseAmount(text: string, { format, scale, sign }: Notation): number | null {
  if (ZERO_FORMATS.has(format)) return 0
  const bare = text.replace(DECORATION, '')
  if (DASH.test(bare)) return 0
  const decimal = COMMA_FORMATS.has(format)
    ? bare.replaceAll('.', '').replace(',', '.')
    : // A comma separates thousands.
      bare.replaceAll(',', '')
  const [, minus = '', digits = ''] = DECIMAL.exec(decimal) ?? []
  if (!/\d/.test(digits)) return null
  const power = scale === '' ? 0 : SCALE.test(scale) ? Number(scale) : Number.NaN
  if (!(Math.abs(power) <= SCALE_MAX)) return null
  const amount = Math.round(power < 0 ? Number(digits) / 10 ** -power : Number(digits) * 10 ** power)
  if (amount > AMOUNT_MAX) return null
  return (sign === '-' || minus !== '') && amount !== 0 ? -amount : amount
}
