/** Guesses what the columns of a table hold, from their names and from their values. Pure: a person can correct all of it. */
import { createHash } from 'node:crypto'
import { type Cell, cellText, isBlank } from '../lib/sheets/cell.ts'
import { isKnownHeader, NAME_CHARS_MAX, readHeader, toWords } from './column-headers.ts'
import { HOLDS, type Holds } from './column-kinds.ts'
import { isName, isValue, readValue } from './column-values.ts'

export interface GuessedColumn {
  index: number
  /** From its header rows; `Column C` where it has none. */
  name: string
  holds: Holds | null
  /** False where a person should look: two columns compete, or header and values do not agree.  */
  isSure: boolean
  /** Its first different values. */
  examples: string[]
}

export interface ColumnGuess {
  /** Rows above the data: a title, a header, a second header. */
  headerRows: number
  columns: GuessedColumn[]
}

/** A header is among the first rows, and a person may say that so many are above the data. */
export const HEADER_ROWS_MAX = 10
const EXAMPLES_MAX = 3
const EXAMPLE_CHARS_MAX = 80
const SCORE_MIN = 0.25
const SURE_MIN = 0.6
/** The best of two columns is sure when it is better by this. */
const MARGIN = 0.15

/** Guesses from the first rows of a table which columns hold what. Each kind is guessed for one column at most. */
export function guessColumns(rows: readonly (readonly Cell[])[]): ColumnGuess {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const { headerRows, nameRows } = findHeader(rows)
  const names = joinNames(rows.slice(headerRows - nameRows, headerRows), width)
  const data = rows.slice(headerRows)
  const scores = names.map((name, index) =>
    scoreColumn(
      name,
      data.map((row) => row[index]),
    ),
  )
  const chosen = assign(scores)
  const columns = names.map((name, index): GuessedColumn => {
    const found = chosen.get(index)
    return {
      index,
      name: nameColumn(name, index),
      holds: found?.holds ?? null,
      isSure: found?.isSure ?? chosen.size > 0,
      examples: takeExamples(data.map((row) => cellText(row[index]))),
    }
  })
  return { headerRows, columns }
}

/** The same columns where the person says how many rows are above the data. */
export function withHeaderRows(
  guess: ColumnGuess,
  rows: readonly (readonly Cell[])[],
  headerRows: number,
): ColumnGuess {
  const [names = [], data] = [rows[headerRows - 1], rows.slice(headerRows)]
  const columns = guess.columns.map((column) => ({
    ...column,
    name: nameColumn(cellText(names[column.index]).trim(), column.index),
    examples: takeExamples(data.map((row) => cellText(row[column.index]))),
  }))
  return { headerRows, columns }
}

/** The key of the last header row. Null for a table without a header: nothing says that another one is alike. */
export function keyOfHeader(header: readonly (readonly Cell[])[]): string | null {
  const names = header.at(-1)
  return names ? headerKey(names.map((cell) => cellText(cell))) : null
}

/** A stable key of a header: the same names in the same order have the same key, whatever their capitals, spaces and signs. */
export function headerKey(names: readonly string[]): string {
  const keys = names.map((name) => toWords(name.slice(0, NAME_CHARS_MAX)).replaceAll(' ', ''))
  return createHash('sha256').update(keys.join('|')).digest('hex')
}

/**
 * Known names make a header; unknown ones do where the values below are of a kind that they are not. A header below the first
 * row needs more than one known name, and no values above it: a row of data must never be taken for one. Rows above that are
 * no names, such as a title, are part of the header too.
 */
function findHeader(rows: readonly (readonly Cell[])[]): { headerRows: number; nameRows: number } {
  const isText = (row: readonly Cell[]) => row.some((cell) => !isBlank(cell)) && !row.some(isValue)
  const known = (row: readonly Cell[]) => row.filter((cell) => isKnownHeader(cellText(cell))).length
  const first = rows.slice(0, HEADER_ROWS_MAX)
  const header = first.findIndex((row, index) => {
    if (!isText(row) || known(row) === 0) return false
    const above = first.slice(0, index)
    if (above.every((each) => each.every(isBlank))) return true
    const isTitled = above.every(
      (each) => !each.some(isValue) && countFilled(each) <= Math.min(1, countFilled(row) - 1),
    )
    const isOver = isHeading(rows, row, index)
    if (isTitled) return known(row) > 1 || isOver
    return known(row) > 1 && isOver && !above.some((each) => each.some(isValue))
  })
  if (header >= 0) {
    const next = first[header + 1] ?? []
    const isSecond = rows.length > header + 2 && isText(next) && known(next) >= Math.max(2, countFilled(next) / 2)
    const nameRows = isSecond ? 2 : 1
    return { headerRows: header + nameRows, nameRows }
  }
  const [top] = rows
  const count = top && rows.length > 1 && isText(top) && isHeading(rows, top, 0) ? 1 : 0
  return { headerRows: count, nameRows: count }
}

const countFilled = (row: readonly Cell[]) => row.filter((cell) => !isBlank(cell)).length

/** Whether values below a row are of a kind in columns where the row itself is not. */
function isHeading(rows: readonly (readonly Cell[])[], row: readonly Cell[], at: number): boolean {
  const below = rows.slice(at + 1)
  return row.some((cell, index) => {
    const filled = below.map((each) => each[index]).filter((each) => !isBlank(each))
    return filled.length > 0 && !isBlank(cell) && filled.filter(isValue).length > filled.length / 2
  })
}

/** Joins the rows of a header: a name over several columns belongs to each, and a title over the whole table to none. */
function joinNames(header: readonly (readonly Cell[])[], width: number): string[] {
  const rows = header.filter((row, index) => index === header.length - 1 || countFilled(row) > 1)
  const filled = rows.map((row, index) => {
    let last = ''
    return Array.from({ length: width }, (_, column) => {
      const text = cellText(row[column]).replaceAll(/\s+/g, ' ').trim()
      if (text !== '') last = text
      return index < rows.length - 1 ? last : text
    })
  })
  return Array.from({ length: width }, (_, column) => {
    const parts = filled.map((row) => row[column] ?? '').filter((part) => part !== '')
    return [...new Set(parts)].join(' ')
  })
}

function scoreColumn(name: string, cells: ReadonlyArray<Cell | undefined>): Map<Holds, number> {
  const { holds, isOther } = readHeader(name)
  const filled = cells.filter((cell) => !isBlank(cell))
  const looks = filled.map(readValue)
  const scores = new Map<Holds, number>()
  if (isOther) return scores
  for (const kind of HOLDS) {
    const header = holds.get(kind) ?? 0
    const share = looks.reduce((sum, look) => sum + (look.get(kind) ?? 0), 0) / Math.max(1, filled.length)
    if (kind === 'company_name') {
      const names = filled.filter(isName).length / Math.max(1, filled.length)
      if (header > 0) scores.set(kind, names < 0.5 ? 0.3 * header : 0.7 * header + 0.3 * share)
      else if (share >= 0.3) scores.set(kind, 0.65 * share)
    } else if (share >= 0.3) scores.set(kind, 0.7 * share + 0.4 * header)
    // Header and values do not agree, or there are no values: the person is asked.
    else if (header > 0) scores.set(kind, 0.35 * header + 0.2 * share)
  }
  return scores
}

/** The best pairs of column and kind, each column and each kind once. */
function assign(scores: ReadonlyArray<Map<Holds, number>>): Map<number, { holds: Holds; isSure: boolean }> {
  const pairs = scores
    .flatMap((kinds, index) => [...kinds].map(([holds, score]) => ({ index, holds, score })))
    .filter(({ score }) => score >= SCORE_MIN)
    .sort((a, b) => b.score - a.score || a.index - b.index)
  const chosen = new Map<number, { holds: Holds; isSure: boolean; score: number }>()
  const taken = new Set<Holds>()
  for (const { index, holds, score } of pairs) {
    if (chosen.has(index) || taken.has(holds)) continue
    chosen.set(index, { holds, score, isSure: false })
    taken.add(holds)
  }
  for (const [index, guess] of chosen) {
    // A column that holds another kind for sure does not compete.
    const rivals = pairs.filter(
      (pair) => pair.holds === guess.holds && pair.index !== index && (chosen.get(pair.index)?.score ?? 0) < pair.score,
    )
    const second = Math.max(0, ...rivals.map(({ score }) => score))
    // It looked more like a kind that another column has.
    const isSecondChoice = pairs.some((pair) => pair.index === index && pair.score > guess.score)
    guess.isSure = guess.score >= SURE_MIN && guess.score - second >= MARGIN && !isSecondChoice
  }
  return chosen
}

function takeExamples(texts: readonly string[]): string[] {
  const different = new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))
  return [...different].slice(0, EXAMPLES_MAX).map((text) => text.slice(0, EXAMPLE_CHARS_MAX).toWellFormed())
}

/** A column without a name has its letter, as spreadsheets show it. */
export function nameColumn(name: string, index: number): string {
  return name.trim() === '' ? `Column ${toLetters(index + 1)}` : name
}

function toLetters(column: number): string {
  const rest = Math.floor((column - 1) / 26)
  return (rest > 0 ? toLetters(rest) : '') + String.fromCharCode(65 + ((column - 1) % 26))
}
