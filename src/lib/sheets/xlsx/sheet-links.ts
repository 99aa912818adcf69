import { HREF_CHARS_MAX } from '../cell.ts'
import { LIMITS } from '../unreadable-table.ts'
import type { Relation, WorkbookPackage } from './package.ts'
import { toColumn, toLetters } from './sheet-scanner.ts'

/** Links that lead to a page or to a mailbox. Others lead to files or to cells of the workbook. */
export const OPEN_LINK = /^(?:https?:\/\/|mailto:)/i
/** Excel takes 65,530 of them on a sheet. */
const LINKS_MAX = 200_000
const RANGE = /^\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$/
const HYPERLINK = /\/hyperlink$/

export interface SheetLinks {
  links: Map<string, string>
  leftOut: number
}

/** Links are behind the rows in a sheet, so they are read before them, and only where there are some. */
export async function readLinks(workbook: WorkbookPackage, sheet: string): Promise<SheetLinks> {
  const found: SheetLinks = { links: new Map(), leftOut: 0 }
  const relations = await workbook.readRelations(sheet)
  if (![...relations.values()].some(({ type }) => HYPERLINK.test(type))) return found
  await workbook.scan(sheet, {
    open: (tag, attributes) => {
      if (tag !== 'hyperlink') return
      const id = attributes.get('id')
      const href = toHref(relations.get(id ?? ''), attributes.get('location'))
      const cells = listCells(attributes.get('ref') ?? '')
      if (href === null || found.links.size + cells.length > LINKS_MAX) found.leftOut += 1
      else for (const cell of cells) found.links.set(cell, href)
    },
    close: () => {},
  })
  return found
}

function toHref(relation: Relation | undefined, location: string | null): string | null {
  if (!relation?.isOutside || !OPEN_LINK.test(relation.target)) return null
  const href = location === null ? relation.target : `${relation.target}#${location}`
  return href.length > HREF_CHARS_MAX ? null : href
}

const CELLS_MAX = 10_000

function listCells(ref: string): string[] {
  const found = RANGE.exec(ref.toUpperCase())
  if (!found) return []
  const [, left = '', top = '', right = left, bottom = top] = found
  const [from, to] = [toColumn(left), Math.min(toColumn(right), LIMITS.columns)]
  const cells: string[] = []
  for (let row = Number(top); row <= Number(bottom); row += 1)
    for (let column = from; column <= to; column += 1) {
      if (cells.length >= CELLS_MAX) return cells
      cells.push(`${toLetters(column)}${row}`)
    }
  return cells
}
