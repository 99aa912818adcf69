/** The notices on a file, in sentences for a person. */
import type { NoticeKind, TableShape } from '../lib/sheets/table-shape.ts'

type FileNoticeKind = NoticeKind | 'other_sheets'

const SENTENCES: Record<FileNoticeKind, (count: string, one: boolean) => string> = {
  hidden_rows: (count, one) => `${count} hidden ${one ? 'row was' : 'rows were'} read, too.`,
  hidden_columns: (count, one) => `${count} hidden ${one ? 'column was' : 'columns were'} read, too.`,
  merged_cells: (count, one) =>
    `${count} merged ${one ? 'cell has its' : 'cells have their'} value in the first cell only.`,
  formulas: (count, one) => `${count} ${one ? 'formula was' : 'formulas were'} read as the stored result.`,
  formulas_without_result: (count, one) =>
    `${count} ${one ? 'formula has' : 'formulas have'} no stored result and ${one ? 'is' : 'are'} empty here. Open the workbook, save it and send it again.`,
  texts_missing: (count, one) =>
    `${count} ${one ? 'cell is' : 'cells are'} empty here, because the text of ${one ? 'it' : 'them'} is not in the workbook.`,
  error_cells: (count, one) => `${count} ${one ? 'cell has' : 'cells have'} an error such as #N/A.`,
  empty_columns: (count, one) => `${count} ${one ? 'column is' : 'columns are'} empty. They stay in the results.`,
  empty_rows: (count, one) => `${count} ${one ? 'row is' : 'rows are'} empty. They stay in the results.`,
  links_left_out: (count, one) =>
    `${count} ${one ? 'link' : 'links'} to a file or another cell ${one ? 'was' : 'were'} left out; the text was read.`,
  uneven_rows: (count, one) => `${count} ${one ? 'row has' : 'rows have'} more or fewer cells than the others.`,
  other_sheets: (count, one) =>
    `${count} other ${one ? 'sheet is' : 'sheets are'} not in the results. A bulk job has the rows of one sheet.`,
}

export interface FileNotice {
  kind: FileNoticeKind
  count: number
  message: string
}

/** Returns those of the sheet that was read, and whether others with something in them were not. */
export function listNotices({ notices, sheets, sheet: read }: TableShape): FileNotice[] {
  const others = sheets.filter(({ name, rows }) => name !== read && rows > 0).length
  const ofSheet = notices.filter(({ sheet }) => sheet === read)
  return [...(others > 0 ? [{ kind: 'other_sheets' as const, count: others }] : []), ...ofSheet].map(
    ({ kind, count }) => ({ kind, count, message: SENTENCES[kind](count.toLocaleString('en-GB'), count === 1) }),
  )
}
