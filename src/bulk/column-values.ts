/** The looks of a single cell, by itself. */
import { type Cell, cellText } from '../lib/sheets/cell.ts'
import { readRegistrable } from '../resolver/index.ts'
import { readInput } from './column-input.ts'
import type { Holds } from './column-kinds.ts'
import { isNumberWithLetters, toCompanyNumber } from './company-number-cell.ts'

const TEXT_CHARS_MAX = 300
const EMAIL = /^(?:mailto:)?[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]{2,}$|^[^<>@]*<[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]{2,}>$/i
const ADDRESS = /^(?:https?:)?\/\/\S+$|^www\.[^\s@]+\.[^\s@]+$/i
const HOST_AND_PATH = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)\.?(?::\d+)?([/?#]\S*)?$/i
/** Pages on these belong to a company at best; they are not its own site. */
const SOCIAL =
  /^(?:https?:\/\/)?(?:[a-z0-9-]+\.)*(?:linkedin|facebook|twitter|x|instagram|youtube|tiktok|crunchbase|pinterest|xing)\.com(?:[/?#]|$)/i
const POSTCODE = /^(?:GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/i
const NAME =
  /[\s,(](?:ltd|limited|llp|plc|lp|cic|cyf|cyfyngedig|ccc|inc|llc|gmbh|ag|bv|b\.v|sarl|sas|srl|spa|oy|ab|as|pty|corp|holdings|group|& ?co)\.?\)?$/i
/** English numbers have been given out in order; the register is in its seventeenth million. */
const HIGHEST_NUMBER = 17_999_999

/** How much each cell looks like each kind, from 0 to 1. Nothing for a cell without anything to read. */
export function readValue(cell: Cell | undefined): Map<Holds, number> {
  const looks = new Map<Holds, number>()
  const text = readInput(cell, 'web_address')
  if (text === '' || text.length > TEXT_CHARS_MAX) return looks
  if (SOCIAL.test(text)) return looks
  if (EMAIL.test(text)) return looks.set('email', 1)
  if (ADDRESS.test(text)) return looks.set('web_address', 1).set('domain', 0.3)
  const host = HOST_AND_PATH.exec(text)
  if (host && readRegistrable(host[1] ?? '').isPublic && !/^\d/.test(text.split('.').at(-1) ?? ''))
    return host[2] ? looks.set('web_address', 0.9).set('domain', 0.3) : looks.set('domain', 1).set('web_address', 0.6)
  if (POSTCODE.test(text)) return looks.set('postcode', 1)
  if (isNumberWithLetters(text)) return looks.set('company_number', 1)
  const likeness = readNumber(cell, text)
  if (likeness > 0) return looks.set('company_number', likeness)
  if (NAME.test(` ${text}`) && /\p{L}/u.test(text)) return looks.set('company_name', 1)
  return looks
}

/** Whether the cell is something that no header is. */
export function isValue(cell: Cell | undefined): boolean {
  if (typeof cell === 'number' || typeof cell === 'boolean') return true
  if (cell !== null && typeof cell === 'object' && !('href' in cell)) return true
  return readValue(cell).size > 0 || /^[\d\s.,+()/:%£$€-]{4,}$/.test(cellText(cell).trim())
}

/** Text that may be the name of a company: letters, and not one of the other kinds. */
export function isName(cell: Cell | undefined): boolean {
  const text = cellText(cell).trim()
  return (
    /\p{L}{2}/u.test(text) && text.length <= 200 && [...readValue(cell).keys()].every((kind) => kind === 'company_name')
  )
}

function readNumber(cell: Cell | undefined, text: string): number {
  const number = cell === undefined ? null : toCompanyNumber(cell)
  const digits = text.replaceAll(/[\s']/g, '').replace(/\.0+$/, '')
  if (number === null || !/^\d{5,8}$/.test(digits) || Number(digits) > HIGHEST_NUMBER) return 0
  if (digits.length === 8) return 0.8
  return digits.length === 7 ? 0.6 : digits.length === 6 ? 0.4 : 0.2
}
