/** Reading and writing the CSV of the monthly file: every field quoted, quotes doubled. */
import { parse } from 'csv-parse/sync'

export function formatCsvLine(fields: readonly string[]): string {
  return fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')
}

/** Returns the rows of a text, the header among them. The header may end its line otherwise than the rows. */
export function parseCsv(text: string): string[][] {
  return parse(text, { bom: true, relax_column_count: true, record_delimiter: ['\r\n', '\n'] })
}
