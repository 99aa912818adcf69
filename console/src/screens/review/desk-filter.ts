/** The filter of the desk: in its address, as the person chooses it, and as the API takes it. */
import { useParams } from 'wouter'
import { useAddressFilter } from '../../ui/address-filter.ts'

const NAMES = ['status', 'q', 'doubt', 'confidence', 'bulk_id', 'from', 'to', 'sort'] as const
export type DeskFilter = Partial<Record<(typeof NAMES)[number], string>>

export const CONFIDENCES = [
  ['', 'Any'],
  ['0.8-1', '80 % or more'],
  ['0.5-0.8', '50 to 80 %'],
  ['0-0.5', '50 % or less'],
] as const

export const SORTS = [
  ['surest', 'Most certain first'],
  ['least_sure', 'Least certain first'],
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['domain', 'By domain'],
] as const

export const DOUBTS = [
  ['', 'Any'],
  ['named', 'A name without number or office'],
  ['namesake', 'Only the name of the site is a company’s'],
  ['untied', 'Nothing connects the company with the site'],
  ['several', 'Several companies'],
  ['contradiction', 'Number and name do not belong together'],
  ['dissolved', 'The company is dissolved'],
  ['franchise', 'A franchise'],
  ['rival', 'A second company may run the site'],
  ['contested', 'Another site claims the same company'],
  ['objected', 'The second reader objects'],
  ['commentary', 'The site writes about the company'],
] as const

/** Returns the filter and the open review, both from the address. */
export function useDesk() {
  const { id } = useParams<{ id?: string }>()
  const { filter, setFilter } = useAddressFilter<(typeof NAMES)[number]>(pathOf(id ?? null), NAMES)
  return { id: id ?? null, filter, setFilter }
}

/** The address of a review, or of the queue, with the same filter. */
export function toAddress(id: string | null, filter: DeskFilter): string {
  const query = new URLSearchParams(filter).toString()
  return query === '' ? pathOf(id) : `${pathOf(id)}?${query}`
}

const pathOf = (id: string | null) => (id === null ? '/review' : `/review/${encodeURIComponent(id)}`)

export function toQuery({ confidence, status = 'open', ...filter }: DeskFilter): Record<string, string | undefined> {
  const [, min, max] = /^([\d.]{1,6})-([\d.]{1,6})$/.exec(confidence ?? '') ?? []
  return { ...filter, status, confidence_min: min, confidence_max: max }
}

/** True where something beside the kind of list and its order is chosen. */
export function isNarrowed({ status: _status, sort: _sort, ...filter }: DeskFilter): boolean {
  return Object.keys(filter).length > 0
}
