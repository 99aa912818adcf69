/** The limits of one API call. */
export const NUMBERS_MAX = 1_000
const NUMBER_CHARACTERS_MAX = 100

/** Reads pasted numbers from lines, commas or columns, and returns each one once. `SC 12345` stays one number. */
export function readPasted(text: string): string[] {
  const pieces = text.split(/[\n\r\t,;]+/).flatMap((piece) => {
    const trimmed = piece.trim()
    return /^[a-z]{2}\s+\d+$/i.test(trimmed) ? [trimmed] : trimmed.split(/\s+/)
  })
  return [...new Set(pieces.map((piece) => piece.slice(0, NUMBER_CHARACTERS_MAX)).filter((piece) => piece !== ''))]
}
