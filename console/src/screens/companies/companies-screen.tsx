import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { CompanyField } from '../../register/company-field.tsx'
import { readCompanyNumber } from '../../register/company-number.ts'
import { asksForSomething, type Criteria, hasFilters, NO_CRITERIA } from '../../register/company-search.ts'
import { stepWithArrows } from '../../ui/arrow-keys.ts'
import { Form } from '../../ui/fields.tsx'
import { ScreenHead } from '../../ui/parts.tsx'
import { useTyped } from '../../ui/typed.ts'
import './companies.css'
import { Filters } from './filters.tsx'
import { Results } from './results.tsx'

export function CompaniesScreen() {
  const { criteria, change } = useCriteria()
  const { typed, setTyped, settle } = useTyped(criteria.name, (name) => change({ name }))
  const [, go] = useLocation()
  const submit = () => {
    const number = readCompanyNumber(typed)
    if (number) go(`/companies/${number}`)
    else settle()
  }
  return (
    <div className="stack" onKeyDown={stepWithArrows}>
      <ScreenHead title="Companies">Search the register by name, company number or postcode. Free.</ScreenHead>
      <div className="card stack-small search">
        <Form role="search" onSubmit={submit}>
          <CompanyField
            label="Name, company number or postcode"
            typed={typed}
            onType={setTyped}
            placeholder="Start typing"
            autoFocus
          />
        </Form>
        <details open={hasFilters(criteria) || undefined}>
          <summary>Filters</summary>
          <Filters criteria={criteria} onChange={change} />
        </details>
      </div>
      {asksForSomething(criteria) || readCompanyNumber(criteria.name) ? <Results criteria={criteria} /> : <Ways />}
    </div>
  )
}

function Ways() {
  return (
    <div className="ways">
      <section>
        <h2>By name</h2>
        <p>
          Spelling mistakes, a missing “Limited”, another word order such as <code>bakery smith</code> and previous
          names all work.
        </p>
      </section>
      <section>
        <h2>By number</h2>
        <p>
          <code>01234567</code> or <code>SC 12345</code>, with or without leading zeros. Press Enter to open the
          company.
        </p>
      </section>
      <section>
        <h2>By postcode</h2>
        <p>
          A full postcode, such as <code>EC1V 2NX</code>, lists the companies registered there. Under “Filters” the
          first half is enough.
        </p>
      </section>
    </div>
  )
}

const FIELDS = Object.keys(NO_CRITERIA) as Array<keyof Criteria>

/** Stores the search criteria in the URL, so that reload, bookmarks and the back button keep them. */
function useCriteria() {
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
