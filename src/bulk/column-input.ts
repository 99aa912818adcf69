import { type Cell, cellText } from '../lib/sheets/cell.ts'
import type { Holds } from './column-kinds.ts'
import { toCompanyNumber } from './company-number-cell.ts'

/**
 * The text of a cell as the search for its company takes it; '' where there is none. A link whose text is no address, such as
 * "Visit site", counts by where it leads. A company number comes as the register writes it, and as it is where it is none.
 */
export function readInput(cell: Cell | undefined, holds: Holds): string {
  const text = cellText(cell).trim()
  if (cell === undefined || cell === null || text === '') return ''
  if (holds === 'company_number') return toCompanyNumber(cell) ?? text
  const isAddress = holds === 'domain' || holds === 'email' || holds === 'web_address'
  if (isAddress && typeof cell === 'object' && 'href' in cell && !/^\S+[.@]\S+$/.test(text))
    return cell.href.replace(/^mailto:/i, '').replace(/\?.*$/, (query) => (/^mailto:/i.test(cell.href) ? '' : query))
  return text
}
