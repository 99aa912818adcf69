import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { SearchPage } from '../api/bodies.ts'
import { callApi } from '../api/client.ts'
import { isPostcode } from './company-number.ts'

export interface Criteria {
  /** As typed: a name, or a whole postcode. */
  name: string
  postcode: string
  status: string
  /** `YYYY-MM-DD`, as are all days here. */
  from: string
  to: string
}

export const NO_CRITERIA: Criteria = { name: '', postcode: '', status: '', from: '', to: '' }

const NAME_CHARACTERS_MIN = 2

/** Searches companies page by page. Older results stay visible until newer ones arrive; late responses are dropped. */
export function useCompanySearch(criteria: Criteria) {
  const query = toQuery(criteria)
  return useInfiniteQuery({
    queryKey: ['companies', 'search', query],
    queryFn: ({ pageParam, signal }) =>
      callApi<SearchPage>('GET', '/v1/companies/search', { query: { ...query, page: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ has_more: hasMore, page }) => (hasMore ? page + 1 : undefined),
    enabled: asksForSomething(criteria),
    placeholderData: keepPreviousData,
  })
}

export function asksForSomething(criteria: Criteria): boolean {
  const { name, ...others } = criteria
  return !isBackwards(criteria) && (name.trim().length >= NAME_CHARACTERS_MIN || hasFilters({ ...others, name: '' }))
}

/** Without a name there is no nearest one. */
export const asksForName = (criteria: Criteria): boolean => toQuery(criteria)['name'] !== ''

export function hasFilters({ postcode, status, from, to }: Criteria): boolean {
  return [postcode, status, from, to].some((text) => text.trim() !== '')
}

export const isBackwards = ({ from, to }: Criteria): boolean => from !== '' && to !== '' && from > to

function toQuery({ name, postcode, status, from, to }: Criteria): Record<string, string> {
  const isPostcodeOnly = postcode.trim() === '' && isPostcode(name)
  return {
    name: isPostcodeOnly ? '' : name.trim(),
    postcode: (isPostcodeOnly ? name : postcode).trim(),
    company_status: status,
    incorporated_from: from,
    incorporated_to: to,
  }
}
