import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type Criteria, NO_CRITERIA } from '../../register/company-search.ts'

const FIELDS = Object.keys(NO_CRITERIA) as Array<keyof Criteria>

/** What is looked for lives in the address, so that a reload, a bookmark and the way back keep it. */
export function useCriteria() {
  const search = useSearch()
  const [, go] = useLocation()
  const criteria = useMemo(() => readCriteria(search), [search])
  const change = (part: Partial<Criteria>) => go(toAddress({ ...criteria, ...part }), { replace: true })
  return { criteria, change }
}

function readCriteria(search: string): Criteria {
  const said = new URLSearchParams(search)
  const criteria = { ...NO_CRITERIA }
  for (const field of FIELDS) criteria[field] = said.get(field) ?? ''
  return criteria
}

function toAddress(criteria: Criteria): string {
  const said = new URLSearchParams()
  for (const field of FIELDS) if (criteria[field] !== '') said.set(field, criteria[field])
  return said.size === 0 ? '/companies' : `/companies?${said.toString()}`
}
