/**
 * Returns a quote in three parts: before the company's number, the number as the site writes it, and the rest. A site may write
 * it with spaces or without leading zeros. Null where the quote does not have it.
 */
export function splitAtNumber(
  quote: string,
  number: string | null,
): [before: string, found: string, after: string] | null {
  const digits = number?.replace(/^0+/, '') ?? ''
  if (digits === '') return null
  const found = new RegExp(`0*${digits.split('').join(String.raw`[\s.-]?`)}`, 'i').exec(quote)
  if (!found) return null
  const end = found.index + found[0].length
  return [quote.slice(0, found.index), found[0], quote.slice(end)]
}
