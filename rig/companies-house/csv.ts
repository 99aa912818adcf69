/** Reading and writing the CSV of the bulk product: every field quoted, quotes doubled. */

export function formatCsvLine(fields: readonly string[]): string {
  return fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')
}

/** The rows of a text, the header among them. */
export function* parseCsv(text: string): Generator<string[]> {
  let fields: string[] = []
  let position = 0
  while (position < text.length) {
    const [field, end] = readField(text, position)
    fields.push(field)
    const separator = text[end]
    position = end + 1
    if (separator === ',') continue
    if (separator === '\r') position += 1
    yield fields
    fields = []
  }
}

function readField(text: string, start: number): [field: string, end: number] {
  if (text[start] !== '"') {
    const length = text.slice(start, start + FIELD_CHARACTERS_MAX).search(/[,\r\n]/)
    const end = length === -1 ? text.length : start + length
    if (end - start > FIELD_CHARACTERS_MAX) throw new Error(`the field at character ${start} never ends`)
    return [text.slice(start, end), end]
  }
  let end = start + 1
  for (;;) {
    const quote = text.indexOf('"', end)
    if (quote === -1) throw new Error(`the quote at character ${start} is never closed`)
    if (text[quote + 1] !== '"') return [text.slice(start + 1, quote).replaceAll('""', '"'), quote + 1]
    end = quote + 2
  }
}

const FIELD_CHARACTERS_MAX = 4_096
