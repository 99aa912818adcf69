/** Decides by its first bytes what a file is. Its name and its content type say too little. */
import { openCsv } from './csv/open-csv.ts'
import type { OpenTable } from './table-shape.ts'
import { UnreadableTable } from './unreadable-table.ts'
import { openWorkbook } from './xlsx/open-workbook.ts'

const AS_XLSX = 'Open it in your spreadsheet program, save it as XLSX or CSV, and send that.'

export async function openTable(bytes: Uint8Array): Promise<OpenTable> {
  if (bytes.length === 0) throw new UnreadableTable('The file is empty.')
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return openWorkbook(bytes)
  if (startsWith(bytes, [0x50, 0x4b, 0x05, 0x06])) throw new UnreadableTable('The file is an empty archive.')
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    throw new UnreadableTable(
      `The file is an old Excel file (.xls), or it is protected by a password. ${AS_XLSX} Without a password.`,
    )
  if (startsWith(bytes, [0x25, 0x50, 0x44, 0x46])) throw new UnreadableTable(`The file is a PDF. ${AS_XLSX}`)
  if (startsWith(bytes, [0x1f, 0x8b]))
    throw new UnreadableTable('The file is compressed (gzip). Unpack it and send what is inside.')
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47]) || startsWith(bytes, [0xff, 0xd8, 0xff]))
    throw new UnreadableTable('The file is a picture. Send a table as CSV or XLSX.')
  return openCsv(bytes)
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}
