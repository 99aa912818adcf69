import type { Cell } from './cell.ts'

export interface TableShape {
  format: 'csv' | 'xlsx'
  /** Null for a workbook. */
  encoding: Encoding | null
  /** Null for a workbook, and for text that has one column only. */
  delimiter: Delimiter | null
  /** CSV has one, without a name. */
  sheets: SheetShape[]
  notices: Notice[]
  /** The sheet that is read: the one asked for, else the first that can be seen and has something in it. */
  sheet: string
  /** Its first rows. */
  rows: Cell[][]
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
export type Delimiter = ',' | ';' | '\t' | '|' | ' '

export interface SheetShape {
  name: string
  /** Up to the last row with something in it; empty rows before it count. */
  rows: number
  columns: number
  isHidden: boolean
}

/** Something in the file that a person may not expect in what is read. */
export interface Notice {
  kind: NoticeKind
  count: number
  sheet: string
}

export type NoticeKind =
  /** They are read like all others. */
  | 'hidden_rows'
  | 'hidden_columns'
  /** The value is in the first cell of each; the others are empty. */
  | 'merged_cells'
  /** Read as the result that the workbook stored. */
  | 'formulas'
  /** Never calculated by the program that wrote them, so they are empty. */
  | 'formulas_without_result'
  /** Their text is not in the workbook, so they are empty. */
  | 'texts_missing'
  /** Such as `#N/A`. */
  | 'error_cells'
  | 'empty_columns'
  | 'empty_rows'
  /** To another cell or to a file: the text is read, the link is not. */
  | 'links_left_out'
  /** Lines of CSV with fewer or more cells than most lines. */
  | 'uneven_rows'

export interface ReadOptions {
  /** The name of a sheet; without it the first that can be seen and has something in it. */
  sheet?: string | undefined
  /** A table with more rows is refused, before all of it is read. */
  rowsMax: number
}

/** A table whose format is known. */
export interface OpenTable {
  inspect(options: { sheet?: string | undefined; previewRows: number }): Promise<TableShape>
  read(options: ReadOptions): AsyncGenerator<Cell[][]>
}
