/**
 * Characters that XML cannot hold are written in workbooks as `_x0001_`, and so is an underscore that would begin such an
 * escape by chance. A carriage return is one of them: readers of XML make a line feed of it.
 */
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const ESCAPE = /_x([0-9a-fA-F]{4})_/g
const NEEDS_ESCAPE = /[[\p{Cc}--[\t\n\x7f-\x9f]]\p{Cs}\ufffe\uffff]|_(?=x[0-9a-fA-F]{4}_)/gv
const NEEDS_ENTITY = /[&<>]/g
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(ESCAPE, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** The text of a cell as XML. */
export function escapeText(text: string): string {
  return text
    .replaceAll(NEEDS_ESCAPE, (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(NEEDS_ENTITY, (found) => ENTITIES[found] ?? found)
}

/** Text of our own in an attribute. */
export function escapeAttribute(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(NEEDS_ENTITY, (found) => ENTITIES[found] ?? found)
    .replaceAll('"', '&quot;')
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, ' ')
}
