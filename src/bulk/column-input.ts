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
  if (isAddress && typeof cell === 'object' && 'href' in cell && !isWrittenAddress(text)) return toTarget(cell.href)
  return text
}

/** Whether the text has no spaces, and a dot or an at sign inside. */
function isWrittenAddress(text: string): boolean {
  return !/\s/.test(text) && /.[.@]./.test(text)
}

/** Where a link leads: a mailbox without the subject and the text of the message, or a page. */
function toTarget(href: string): string {
  if (!/^mailto:/i.test(href)) return href
  const [mailbox = ''] = href.slice('mailto:'.length).split('?', 1)
  return mailbox
}
