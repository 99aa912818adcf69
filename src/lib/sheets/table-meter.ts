import { type Cell, isBlank } from './cell.ts'
import type { Notice, NoticeKind, SheetShape } from './table-shape.ts'

/** Counts what one sheet holds, row by row. */
export class TableMeter {
  readonly #sheet: Pick<SheetShape, 'name' | 'isHidden'>
  readonly #counts = new Map<NoticeKind, number>()
  readonly #filled: boolean[] = []
  readonly #widths = new Map<number, number>()
  #rows = 0
  #columns = 0

  constructor(sheet: Pick<SheetShape, 'name' | 'isHidden'>) {
    this.#sheet = sheet
  }

  add(rows: readonly Cell[][]): void {
    for (const row of rows) {
      this.#rows += 1
      this.#columns = Math.max(this.#columns, row.length)
      this.#widths.set(row.length, (this.#widths.get(row.length) ?? 0) + 1)
      let isEmpty = true
      row.forEach((cell, index) => {
        if (isBlank(cell)) return
        this.#filled[index] = true
        isEmpty = false
      })
      if (isEmpty) this.count('empty_rows')
    }
  }

  count(kind: NoticeKind, by = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + by)
  }

  /** Lines that have another number of cells than most. */
  countUneven(): void {
    const filled = [...this.#widths].filter(([width]) => width > 0).map(([, lines]) => lines)
    const uneven = filled.reduce((sum, lines) => sum + lines, 0) - Math.max(0, ...filled)
    if (uneven > 0) this.count('uneven_rows', uneven)
  }

  get isBlank(): boolean {
    return this.#filled.length === 0
  }

  get shape(): SheetShape {
    return { ...this.#sheet, rows: this.#rows, columns: this.#columns }
  }

  get notices(): Notice[] {
    const empty = Array.from({ length: this.#columns }, (_, index) => this.#filled[index] ?? false)
    const counts = new Map(this.#counts)
    const emptyColumns = this.#rows === 0 ? 0 : empty.filter((isFilled) => !isFilled).length
    if (emptyColumns > 0) counts.set('empty_columns', emptyColumns)
    return [...counts].map(([kind, count]) => ({ kind, count, sheet: this.#sheet.name }))
  }
}
