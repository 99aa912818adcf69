/** Finds the words of a quote that are also in the register's record of a company. Pure. */

export interface Marked {
  text: string
  isMarked: boolean
}

interface Recorded {
  company_number: string
  company_name: string
  registered_postcode: string | null
}

const LEGAL_FORM = /\s+(?:limited|ltd\.?|plc|llp|l\.l\.p\.?|cic|cyf(?:yngedig)?)\.?$/i
const PIECES_MAX = 200

/** Splits a quote at the company's name, number and postcode, however the site spaces and capitalises them. */
export function markWords(quote: string, record: Recorded | null): Marked[] {
  const pattern = record && toPattern(record)
  if (!pattern) return [{ text: quote, isMarked: false }]
  const pieces: Marked[] = []
  let end = 0
  for (const match of quote.matchAll(pattern)) {
    if (pieces.length > PIECES_MAX) break
    if (match.index > end) pieces.push({ text: quote.slice(end, match.index), isMarked: false })
    pieces.push({ text: match[0], isMarked: true })
    end = match.index + match[0].length
  }
  if (end < quote.length) pieces.push({ text: quote.slice(end), isMarked: false })
  return pieces
}

function toPattern(record: Recorded): RegExp | null {
  const digits = record.company_number.replaceAll(/[^A-Z\d]/gi, '').replace(/^0+/, '')
  const postcode = record.registered_postcode?.replaceAll(/[^A-Z\d]/gi, '') ?? ''
  const parts = [
    toNamePattern(record.company_name),
    digits && `0*${digits.split('').join(String.raw`[\s.-]?`)}`,
    postcode && postcode.split('').join(String.raw`\s?`),
  ].filter((part) => part !== '')
  return parts.length === 0
    ? null
    : new RegExp(parts.map((part) => String.raw`(?<![\p{L}\d])(?:${part})(?![\p{L}\d])`).join('|'), 'giu')
}

/** The name with or without its legal form. */
function toNamePattern(name: string): string {
  const words = name.replace(LEGAL_FORM, '').match(/[\p{L}\d]+/gu) ?? []
  if (words.join('').length < 3) return ''
  const gap = String.raw`[^\p{L}\d]{1,5}(?:and[^\p{L}\d]{1,3})?`
  return `${words.join(gap)}(?:${gap}(?:limited|ltd|plc|llp|cic))?`
}
