import type { Span } from './sentences.ts'

export interface Postcode extends Span {
  /** Without the space, in capitals. */
  code: string
}

const POSTCODE = /\b([A-Z]{1,2}\d[A-Z\d]?) {0,2}(\d[ABD-HJLNP-UW-Z]{2})\b/gi

export function findPostcodes(text: string): Postcode[] {
  return [...text.matchAll(POSTCODE)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    code: `${match[1]}${match[2]}`.toUpperCase(),
  }))
}
