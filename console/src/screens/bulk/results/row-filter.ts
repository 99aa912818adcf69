/** The filter, order and open row of the results, as the address has them. */
import { useAddressFilter } from '../../../ui/address-filter.ts'
import { type RowState, STATES } from '../bulk-words.ts'

const NAMES = ['state', 'duplicates', 'from', 'to', 'q', 'sort', 'order', 'row'] as const

export type AddressPart = Partial<Record<(typeof NAMES)[number], string>>

export const SORTS = ['row', 'input', 'state', 'company', 'confidence'] as const
export type Sort = (typeof SORTS)[number]

export interface RowFilter {
  states: RowState[]
  /** With the duplicates of rows in these states: a list of contacts loses none of a company's. */
  withDuplicates: boolean
  /** Percent, as typed; empty for no bound. */
  from: string
  to: string
  q: string
  sort: Sort
  isDescending: boolean
}

export function useRowFilter(bulkId: string) {
  const { filter: address, setFilter } = useAddressFilter(`/bulk/${bulkId}`, NAMES)
  const openRow = /^[1-9]\d{0,6}$/.test(address.row ?? '') ? Number(address.row) : null
  return { filter: parse(address), openRow, change: setFilter }
}

/** The value of `duplicates` in the address that leaves them out. */
export const WITHOUT = 'no'

function parse({ state, duplicates, from, to, q, sort, order }: AddressPart): RowFilter {
  const asked = (state ?? '').split(',')
  return {
    states: STATES.filter((one) => asked.includes(one)),
    withDuplicates: duplicates !== WITHOUT,
    from: percentOf(from),
    to: percentOf(to),
    q: q ?? '',
    sort: SORTS.find((one) => one === sort) ?? 'row',
    isDescending: order === 'desc',
  }
}

const percentOf = (text = '') => (/^\d{1,3}(?:\.\d)?$/.test(text) && Number(text) <= 100 ? text : '')

/** The filter in the words of the API, without the order. */
export function toQuery({ states, withDuplicates, from, to, q }: RowFilter): Record<string, string | undefined> {
  return {
    state: states.length === 0 ? undefined : states.join(','),
    with_duplicates: withDuplicates && isRepeatable(states) ? 'true' : undefined,
    confidence_from: from === '' ? undefined : String(Number(from) / 100),
    confidence_to: to === '' ? undefined : String(Number(to) / 100),
    q: q === '' ? undefined : q,
  }
}

/** Whether rows in these states can have duplicates in another one. */
export const isRepeatable = (states: readonly RowState[]) =>
  states.some((state) => state !== 'duplicate' && state !== 'invalid')

/** Clears the filter. */
export const NO_FILTER: AddressPart = { state: '', duplicates: '', from: '', to: '', q: '' }

export function isFiltered(filter: RowFilter): boolean {
  return Object.values(toQuery(filter)).some((value) => value !== undefined)
}
