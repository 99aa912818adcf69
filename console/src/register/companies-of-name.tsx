import type { ReactNode } from 'react'
import type { SearchCandidate } from '../api/bodies.ts'
import { Paged } from '../ui/paged.tsx'
import { NO_CRITERIA, useCompanySearch } from './company-search.ts'

const SHOWN_MAX = 5

/** The likeliest companies of a name, to choose from. */
export function CompaniesOfName({ name, listClass, children }: CompaniesOfNameProps) {
  const search = useCompanySearch({ ...NO_CRITERIA, name })
  return (
    <Paged query={search} what="companies of this name">
      {(found) =>
        found.length === 0 ? (
          <p className="soft">No company of this name. Try fewer words, or its number.</p>
        ) : (
          <ul className={listClass} aria-label="Companies of this name">
            {found.slice(0, SHOWN_MAX).map(children)}
          </ul>
        )
      }
    </Paged>
  )
}

interface CompaniesOfNameProps {
  name: string
  listClass: string
  /** One of them, as a list item. */
  children: (company: SearchCandidate) => ReactNode
}
