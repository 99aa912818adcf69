/** A list of domains from a person. It is read only as far as needed to show what will be sent. */
export interface Table {
  /** New for each reading of a file. */
  id: string
  name: string
  lines: number
  bytes: number
  body: Blob
}

const BYTES_MAX = 2 * 1024 * 1024

/** A list that cannot be sent. The message says what to do instead. */
class UnreadableTable extends Error {}

export async function readFile(file: File): Promise<Table> {
  // Nothing beyond the bound is read into memory, whatever was dropped.
  if (file.size > 2 * BYTES_MAX) throw tooLarge()
  return toTable(file.name.replace(/\.[^.]+$/, ''), decode(await file.arrayBuffer()))
}

export function readPasted(text: string): Table {
  const trimmed = text.trim()
  // A single line is a list between commas or spaces; several are a column or a table, as a spreadsheet copies it.
  const isOneLine = !/[\r\n]/.test(trimmed)
  return toTable('', isOneLine ? trimmed.split(/[\s,;]+/).join('\n') : trimmed)
}

/** Spreadsheets write "Unicode text" with two bytes a character, and say so in the first two. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))
  if (first === 0x50 && second === 0x4b) {
    throw new UnreadableTable('We cannot read workbooks. Save it as CSV and choose that file.')
  }
  const text = new TextDecoder(first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes)
  if (text.includes('\0')) throw new UnreadableTable('This is not a text file. Choose a CSV file or a list of domains.')
  return text
}

function toTable(name: string, text: string): Table {
  const body = new Blob([text], { type: 'text/csv' })
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '').length
  if (lines === 0) throw new UnreadableTable('The list is empty. Put one domain on each line.')
  if (body.size > BYTES_MAX) throw tooLarge()
  return { id: crypto.randomUUID(), name, lines, bytes: body.size, body }
}

function tooLarge(): UnreadableTable {
  return new UnreadableTable('The list is larger than 2 MB. Keep only the column of domains, or split the list.')
}

export function showBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
