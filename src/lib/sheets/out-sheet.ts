import type { Cell } from './cell.ts'

/** A cell that is written. */
export type OutCell = Cell

export interface OutColumn {
  header: string
  /** In characters; without it by the kind and the header. */
  width?: number
  kind?: 'text' | 'number' | 'date' | 'link' | 'long_text'
}

export interface OutSheet {
  name: string
  columns: readonly OutColumn[]
  /** Rows above the data in the file's own form, such as a title and two header rows; without it one row of the columns' headers. */
  headerRows?: readonly (readonly OutCell[])[]
  /**
   * A sheet has a limit of links. The first columns keep theirs, as many as are counted here; the others are links as far as
   * there is room, and text below.
   */
  ownLinks?: { columns: number; count: number }
  rows: AsyncIterable<readonly (readonly OutCell[])[]>
}
