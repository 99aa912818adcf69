/** Each row as it was sent, with how its company is found and its first state. */
import { setImmediate } from 'node:timers/promises'
import { DomainError } from '../errors.ts'
import type { Cell } from '../lib/sheets/cell.ts'
import { parseCompanyNumber, toNameKey } from '../register/index.ts'
import { parseDomain, SharedDomain, scrubAddress, type TypedInput, toTypedCompany } from '../resolver/index.ts'
import { isPlausibleNumber } from './company-number-cell.ts'

/** The parts of a row that can name a company; an empty text is none. */
export interface SentRow {
  companyNumber: string
  /** Domain, web address, e-mail address: the first one that is valid counts. */
  addresses: readonly string[]
  companyName: string
  postcode: string
  /** The customer's own cells; null where the row is only an address. */
  cells: readonly Cell[] | null
}

/** Everything that a row of the register is matched by. */
export interface Sought {
  number: string | null
  name: string
  postcode: string | null
}

/** A row as sent, with its first state. */
export type ClassifiedRow = { row: number; input: TypedInput; cells: readonly Cell[] | null } & (
  | { state: 'waiting'; kind: 'domain'; domain: string }
  | { state: 'waiting'; kind: 'register'; sought: Sought }
  | { state: 'duplicate'; kind: 'domain'; domain: string; duplicateOf: number }
  | { state: 'duplicate'; kind: 'register'; sought: Sought; duplicateOf: number }
  | { state: 'invalid'; kind: 'domain'; reason: string; refusal: Refusal }
)
type Refusal = 'address' | 'free_mail' | 'empty'

const INPUT_LENGTH_MAX = 2_048
/** Longer than any name of the register. */
const NAME_LENGTH_MAX = 300
const POSTCODE_LENGTH_MAX = 20

/** The row of a list of domains. */
export function rowOfAddress(address: string): SentRow {
  return { companyNumber: '', addresses: [address], companyName: '', postcode: '', cells: null }
}

/** Between so many rows others get their turn. */
const ROWS_AT_ONCE = 500

/** Returns the first row of each domain, company number or name as waiting, and later ones as its duplicates. */
export async function classifyRows(sent: readonly SentRow[]): Promise<ClassifiedRow[]> {
  const first = new Map<string, number>()
  const rows: ClassifiedRow[] = []
  for (const one of sent) {
    if (rows.length % ROWS_AT_ONCE === 0) await setImmediate()
    rows.push(classifyRow(one, rows.length + 1, first))
  }
  return rows
}

function classifyRow(sent: SentRow, row: number, first: Map<string, number>): ClassifiedRow {
  const { key, ...way } = chooseWay(sent)
  const base = { row, cells: sent.cells, ...way }
  if (base.state === 'invalid') return base
  const duplicateOf = first.get(key)
  if (duplicateOf !== undefined) return { ...base, state: 'duplicate', duplicateOf }
  first.set(key, row)
  return base
}

type Way = { key: string; input: TypedInput } & (
  | { state: 'waiting'; kind: 'domain'; domain: string }
  | { state: 'waiting'; kind: 'register'; sought: Sought }
  | { state: 'invalid'; kind: 'domain'; reason: string; refusal: Refusal }
)

/**
 * The company number first, then the addresses, then the name: the first that is there and valid. Programs for customers write
 * `0` or `A1` where there is no number: such a number counts only where the row has nothing else.
 */
function chooseWay(sent: SentRow): Way {
  const number = sent.companyNumber === '' ? null : parseCompanyNumber(sent.companyNumber)
  if (number !== null && isPlausibleNumber(number)) return byRegister(sent, number)
  const refusals: Way[] = []
  for (const address of sent.addresses) {
    if (address.trim() === '' && sent.cells !== null) continue
    const way = byDomain(address)
    if (way.state === 'waiting') return way
    refusals.push(way)
  }
  if (toNameKey(cutText(sent.companyName, NAME_LENGTH_MAX)) !== '') return byRegister(sent, null)
  if (number !== null) return byRegister(sent, number)
  const [refusal] = refusals
  if (refusal) return refusal
  return sent.companyNumber.trim() === '' ? EMPTY : noNumber(sent.companyNumber)
}

const EMPTY: Way = {
  key: '',
  input: scrubAddress(''),
  state: 'invalid',
  kind: 'domain',
  reason: 'The chosen columns of this row are empty.',
  refusal: 'empty',
}

function noNumber(typed: string): Way {
  const reason = `“${toStorable(typed.trim()).slice(0, 50)}” is not a company number.`
  return { key: '', input: scrubAddress(typed), state: 'invalid', kind: 'domain', reason, refusal: 'address' }
}

function byRegister(sent: SentRow, number: string | null): Way {
  const name = cutText(sent.companyName, NAME_LENGTH_MAX)
  const postcode = cutText(sent.postcode, POSTCODE_LENGTH_MAX) || null
  const key =
    number === null
      ? `name ${toNameKey(name)} ${name.toUpperCase()} ${postcode ?? ''}`
      : `number ${number} ${toNameKey(name)}`
  const input = toTypedCompany([number, name, postcode].filter(Boolean).join(', '))
  return { key, input, state: 'waiting', kind: 'register', sought: { number, name, postcode } }
}

function byDomain(sent: string): Way {
  const input = scrubAddress(sent)
  try {
    const domain = parseDomain(sent)
    return { key: `domain ${domain}`, input, state: 'waiting', kind: 'domain', domain }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const isFreeMail = error instanceof SharedDomain && error.kind === 'mail'
    const refusal = isFreeMail ? 'free_mail' : 'address'
    return { key: '', input, state: 'invalid', kind: 'domain', reason: toStorable(error.message), refusal }
  }
}

/** PostgreSQL takes every character but one, and no half of one: a text that is cut may end with a half. */
export function toStorable(text: string): string {
  return text.slice(0, INPUT_LENGTH_MAX).replaceAll('\0', '\uFFFD').toWellFormed()
}

function cutText(text: string, length: number): string {
  return toStorable(
    text
      .slice(0, 2 * length)
      .trim()
      .slice(0, length),
  )
}
