import type { Span } from './sentences.ts'

export interface VatNumber extends Span {
  /** Nine digits. */
  number: string
}

/** UK VAT numbers that their own check digits confirm, after a word that says so. */
export function findVatNumbers(text: string): VatNumber[] {
  const found: VatNumber[] = []
  for (const match of text.matchAll(
    /\b(?:v\.?a\.?t\.?|taw)\b[^\d\n]{0,40}?((?:GB|XI)?[ .]?\d{3}[ .]?\d{3,4}[ .]?\d{2,3}(?:[ .]?\d{3})?)(?!\d)/gi,
  )) {
    const number = (match[1] ?? '').replaceAll(/\D/g, '').slice(0, 9)
    if (!isVatNumber(number)) continue
    found.push({ start: match.index, end: match.index + match[0].length, number })
  }
  return found
}

/** Weights 8 to 2 on the first seven digits; the last two bring the sum to a multiple of 97, or 42 short of one. */
export function isVatNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits)) return false
  let sum = 0
  for (let place = 0; place < 7; place += 1) sum += Number(digits[place]) * (8 - place)
  const check = Number(digits.slice(7))
  return (sum + check) % 97 === 0 || (sum + check + 55) % 97 === 0
}
