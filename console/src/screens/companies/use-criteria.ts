import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type Criteria, NO_CRITERIA } from '../../register/company-search.ts'

const FIELDS = Object.keys(NO_CRITERIA) as Array<keyof Criteria>

/** Stores the search criteria in the URL, so that reload, bookmarks and the back button keep them. */
export function useCriteria() {
  const search = useSearch()
  const [, go] = useLocation()
  const criteria = useMemo(() => readCriteria(search), [search])
  const change = (part: Partial<Criteria>) => go(toAddress({ ...criteria, ...part }), { replace: true })
  return { criteria, change }
}

function readCriteria(search: string): Criteria {
  const params = new URLSearchParams(search)
  const criteria = { ...NO_CRITERIA }
  for (const field of FIELDS) criteria[field] = params.get(field) ?? ''
  return criteria
}

function toAddress(criteria: Criteria): string {
  const params = new URLSearchParams()
  for (const field of FIELDS) if (criteria[field] !== '') params.set(field, criteria[field])
  return params.size === 0 ? '/companies' : `/companies?${params.toString()}`
}
