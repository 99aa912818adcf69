/** The file is no table that we read. The message is for the person who sent it and says what to do. */
export class UnreadableTable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'UnreadableTable'
  }
}

/** The limits of reading, each with the reason to have it. */
export const LIMITS = {
  /** The file as it is sent. 100,000 rows of 20 filled columns are about 20 MB. */
  bytes: 64 * 1_024 * 1_024,
  /** Everything in a workbook, unpacked. */
  unpackedBytes: 300 * 1_024 * 1_024,
  /** Pieces in a workbook: sheets, drawings, pictures. */
  entries: 2_000,
  /** Unpacked bytes for each packed byte, in pieces above 1 MB. Sheets of equal rows reach about 100. */
  ratio: 400,
  columns: 1_000,
  /** Cells of the rows that are read: 100,000 rows of 30 columns. The reader holds them all. */
  cells: 3_000_000,
  /** Characters of these cells. A workbook may name one long text in every cell, so its size says little. */
  characters: 64 * 1_024 * 1_024,
  sheets: 200,
  /** A line of CSV with all its cells. */
  lineBytes: 4 * 1_024 * 1_024,
} as const
