import { Link } from 'wouter'
import type { SearchCandidate } from '../../api/bodies.ts'
import { CompanyLine } from '../../register/company-line.tsx'
import { readCompanyNumber } from '../../register/company-number.ts'
import {
  asksForName,
  asksForSomething,
  type Criteria,
  hasFilters,
  useCompanySearch,
} from '../../register/company-search.ts'
import { Paged } from '../../ui/paged.tsx'
import { Empty } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'
import { NOT_LOADED } from './figures.tsx'

export function Results({ criteria }: { criteria: Criteria }) {
  const search = useCompanySearch(criteria)
  const number = readCompanyNumber(criteria.name)
  return (
    <section className="stack-small" aria-label="Results" aria-busy={search.isFetching}>
      {number && (
        <Link className="found card" href={`/companies/${number}`} data-stop>
          <span>
            Open company number <strong className="mono">{number}</strong>
          </span>
        </Link>
      )}
      {asksForSomething(criteria) && (
        <Paged query={search} what="the results" more="More companies">
          {(found) => (
            <Found
              found={onlyOnce(found)}
              criteria={criteria}
              hasMore={search.hasNextPage}
              lacksFigures={search.data?.pages[0]?.figures_as_of === null}
            />
          )}
        </Paged>
      )}
    </section>
  )
}

interface FoundProps {
  found: SearchCandidate[]
  criteria: Criteria
  hasMore: boolean
  /** True where figures were asked for and no accounts file is loaded. */
  lacksFigures: boolean
}

function Found({ found, criteria, hasMore, lacksFigures }: FoundProps) {
  if (found.length === 0 && lacksFigures) {
    return <Empty title="No companies found">{NOT_LOADED} Clear employees and net assets.</Empty>
  }
  if (found.length === 0) return readCompanyNumber(criteria.name) ? null : <NothingFound criteria={criteria} />
  const order = asksForName(criteria) ? 'best first' : 'in alphabetical order'
  return (
    <>
      <p className="small soft" role="status">
        {hasMore ? `The first ${found.length}, ${order}` : plural(found.length, 'company', 'companies')}
        <span className="keys-hint">
          {' '}
          · <kbd>↓</kbd> <kbd>↑</kbd> to choose, <kbd>Enter</kbd> to open
        </span>
      </p>
      <ul className="found-list card">
        {found.map((company) => (
          <li key={company.company_number}>
            <Link className="found" href={`/companies/${company.company_number}`} data-stop>
              <CompanyLine company={company} typed={criteria.name} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

function NothingFound({ criteria }: { criteria: Criteria }) {
  return (
    <Empty title="No companies found">
      {hasFilters(criteria)
        ? 'Clear the filters or use fewer words of the name.'
        : 'Use fewer words of the name, or the company number from an invoice or the footer of its web site.'}
    </Empty>
  )
}

/** Drops the second copy of a company that moved between two pages while they were fetched. */
function onlyOnce(found: SearchCandidate[]): SearchCandidate[] {
  return [...new Map(found.map((company) => [company.company_number, company])).values()]
}
