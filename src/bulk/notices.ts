import type { Notice, NoticeKind } from '../lib/sheets/table-shape.ts'

const SENTENCES: Record<NoticeKind, (count: string, one: boolean) => string> = {
  hidden_rows: (count, one) => `${count} hidden ${one ? 'row was' : 'rows were'} read, too.`,
  hidden_columns: (count, one) => `${count} hidden ${one ? 'column was' : 'columns were'} read, too.`,
  merged_cells: (count, one) =>
    `${count} merged ${one ? 'cell has its' : 'cells have their'} value in the first cell only.`,
  formulas: (count, one) => `${count} ${one ? 'formula was' : 'formulas were'} read as the stored result.`,
  formulas_without_result: (count, one) =>
    `${count} ${one ? 'formula has' : 'formulas have'} no stored result and ${one ? 'is' : 'are'} empty here. Open the workbook, save it and send it again.`,
  error_cells: (count, one) => `${count} ${one ? 'cell has' : 'cells have'} an error such as #N/A.`,
  empty_columns: (count, one) => `${count} ${one ? 'column is' : 'columns are'} empty. They stay in the results.`,
  empty_rows: (count, one) => `${count} ${one ? 'row is' : 'rows are'} empty. They stay in the results.`,
  links_left_out: (count, one) =>
    `${count} ${one ? 'link' : 'links'} to a file or another cell ${one ? 'was' : 'were'} left out; the text was read.`,
  uneven_rows: (count, one) => `${count} ${one ? 'row has' : 'rows have'} more or fewer cells than the others.`,
}

/** Returns the sentence for a person. */
export function describeNotice({ kind, count }: Notice): string {
  return SENTENCES[kind](count.toLocaleString('en-GB'), count === 1)
}
