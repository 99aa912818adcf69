import type { ReactNode } from 'react'
import type { SearchCandidate } from '../api/bodies.ts'
import { Paged } from '../ui/paged.tsx'
import { NO_CRITERIA, useCompanySearch } from './company-search.ts'

const SHOWN_MAX = 5

/** Lists the best matches for a name, to choose from. */
export function CompaniesOfName({ name, listClass, children }: CompaniesOfNameProps) {
  const search = useCompanySearch({ ...NO_CRITERIA, name })
  return (
    <Paged query={search} what="companies with this name">
      {(found) =>
        found.length === 0 ? (
          <p className="soft">No company has this name. Try fewer words or the company number.</p>
        ) : (
          <ul className={listClass} aria-label="Companies with this name">
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
