import type { Delimiter } from '../table-shape.ts'
import { UnreadableTable } from '../unreadable-table.ts'
import { LineSplitter } from './split-lines.ts'

/** In this order where nothing else decides: a tab or a semicolon is rarely part of a text, a comma often. */
const DELIMITERS = ['\t', ';', '|', ','] as const
const LINES_MAX = 60
/** The share of lines that must hold the delimiter; where fewer do, it is part of the text. */
const SHARE_MIN = 0.5

/** Where more lines than this have quotes in wrong positions, the delimiter is a wrong one. */
const DIRTY_SHARE_MAX = 0.2
/** A delimiter that no text has: the whole line is one cell. */
export const NONE = '\u001f'

/**
 * The delimiter of a table by its first lines: the one that splits most of them into the same number of cells, quotes
 * respected. Null where none does: the table has one column.
 */
export function findDelimiter(start: string): Delimiter | null {
  const whole = readLines(start, NONE)
  const scored = DELIMITERS.flatMap((delimiter) => {
    const lines = readLines(start, delimiter)
    // Lines that are many cells in quotes are no single cell.
    const isCleaner = whole.dirtyShare > lines.dirtyShare
    const score = scoreWidths(lines.widths, isCleaner ? 0 : SHARE_MIN)
    return score === null ? [] : [{ delimiter, isDirty: lines.dirtyShare > DIRTY_SHARE_MAX ? 1 : 0, ...score }]
  })
  const [best] = scored.sort((a, b) => a.isDirty - b.isDirty || b.even - a.even || b.cells - a.cells)
  return best?.delimiter ?? null
}

function scoreWidths(widths: readonly number[], shareMin: number): { even: number; cells: number } | null {
  const split = widths.filter((width) => width > 1)
  if (split.length === 0 || split.length / widths.length < shareMin) return null
  const counts = Map.groupBy(widths, (width) => width)
  const [cells, lines] = [...counts].reduce((most, next) => (next[1].length > most[1].length ? next : most))
  if (cells === 1) return { even: 0, cells: 2 }
  // A header of one cell shows that the delimiter is part of the text of other lines.
  const isHeaderSplit = (widths[0] ?? 0) > 1
  return { even: Math.round((lines.length / widths.length) * (isHeaderSplit ? 1 : 0.5) * 10), cells }
}

function readLines(start: string, delimiter: string): { widths: number[]; dirtyShare: number } {
  const splitter = new LineSplitter(delimiter, { isBounded: false })
  try {
    const lines = splitter.write(start)
    // One line without an end, or a start that ends within a line.
    if (lines.length === 0) lines.push(...splitter.end())
    const widths = lines.flatMap(({ length }) => (length > 0 ? [length] : []))
    return { widths: widths.slice(0, LINES_MAX), dirtyShare: splitter.dirtyLines / Math.max(1, widths.length) }
  } catch (error) {
    if (error instanceof UnreadableTable) return { widths: [], dirtyShare: 1 }
    throw error
  }
}
