/** What one call of the API takes, and what one number may be at most. */
export const NUMBERS_MAX = 1_000
const NUMBER_CHARACTERS_MAX = 100

/** Numbers as people paste them: in lines, between commas, from a column; `SC 12345` stays together. Each one once. */
export function readPasted(text: string): string[] {
  const pieces = text.split(/[\n\r\t,;]+/).flatMap((piece) => {
    const trimmed = piece.trim()
    return /^[a-z]{2}\s+\d+$/i.test(trimmed) ? [trimmed] : trimmed.split(/\s+/)
  })
  return [...new Set(pieces.map((piece) => piece.slice(0, NUMBER_CHARACTERS_MAX)).filter((piece) => piece !== ''))]
}
