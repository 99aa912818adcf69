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
  region: string
  /** A letter of SIC 2007. */
  section: string
  /** Whole numbers as typed, as are all below. */
  employeesFrom: string
  employeesTo: string
  assetsFrom: string
  assetsTo: string
  ageFrom: string
  ageTo: string
}

const NO_MORE_FILTERS = {
  region: '',
  section: '',
  employeesFrom: '',
  employeesTo: '',
  assetsFrom: '',
  assetsTo: '',
  ageFrom: '',
  ageTo: '',
}

export const NO_CRITERIA: Criteria = { name: '', postcode: '', status: '', from: '', to: '', ...NO_MORE_FILTERS }

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
  const hasName = criteria.name.trim().length >= NAME_CHARACTERS_MIN
  return (
    !isBackwards(criteria) &&
    NUMBER_RANGES.every((range) => isInOrder(criteria, range)) &&
    (hasName || hasFilters(criteria))
  )
}

/** Without a name there is no nearest one. */
export const asksForName = (criteria: Criteria): boolean => toQuery(criteria)['name'] !== ''

export function hasFilters(criteria: Criteria): boolean {
  return Object.values({ ...criteria, name: '' }).some((text) => text.trim() !== '')
}

export function hasMoreFilters(criteria: Criteria): boolean {
  return (Object.keys(NO_MORE_FILTERS) as Array<keyof Criteria>).some((field) => criteria[field].trim() !== '')
}

export const isBackwards = ({ from, to }: Criteria): boolean => from !== '' && to !== '' && from > to

type NumberField = 'employeesFrom' | 'employeesTo' | 'assetsFrom' | 'assetsTo' | 'ageFrom' | 'ageTo'

const NUMBER_RANGES: ReadonlyArray<readonly [NumberField, NumberField]> = [
  ['employeesFrom', 'employeesTo'],
  ['assetsFrom', 'assetsTo'],
  ['ageFrom', 'ageTo'],
]

/** True unless both numbers are given and the first is larger. */
export function isInOrder(criteria: Criteria, [from, to]: readonly [NumberField, NumberField]): boolean {
  const [start, end] = [criteria[from].trim(), criteria[to].trim()]
  return start === '' || end === '' || Number(start) <= Number(end)
}

function toQuery(criteria: Criteria): Record<string, string> {
  const { name, postcode } = criteria
  const isPostcodeOnly = postcode.trim() === '' && isPostcode(name)
  return {
    name: isPostcodeOnly ? '' : name.trim(),
    postcode: (isPostcodeOnly ? name : postcode).trim(),
    company_status: criteria.status,
    incorporated_from: criteria.from,
    incorporated_to: criteria.to,
    region: criteria.region,
    sic_section: criteria.section,
    employees_from: criteria.employeesFrom.trim(),
    employees_to: criteria.employeesTo.trim(),
    net_assets_from: criteria.assetsFrom.trim(),
    net_assets_to: criteria.assetsTo.trim(),
    age_from_years: criteria.ageFrom.trim(),
    age_to_years: criteria.ageTo.trim(),
  }
}
