import type { FormEvent } from 'react'
import { useLocation } from 'wouter'
import { CompanyField } from '../../register/company-field.tsx'
import { readCompanyNumber } from '../../register/company-number.ts'
import { asksForSomething, hasFilters } from '../../register/company-search.ts'
import { stepWithArrows } from '../../ui/arrow-keys.ts'
import { ScreenHead } from '../../ui/parts.tsx'
import { useTyped } from '../../ui/typed.ts'
import '../../styles/companies.css'
import { Filters } from './filters.tsx'
import { Results } from './results.tsx'
import { useCriteria } from './use-criteria.ts'

export function CompaniesScreen() {
  const { criteria, change } = useCriteria()
  const { typed, setTyped, settle } = useTyped(criteria.name, (name) => change({ name }))
  const [, go] = useLocation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const number = readCompanyNumber(typed)
    if (number) go(`/companies/${number}`)
    else settle()
  }
  return (
    <div className="stack" onKeyDown={stepWithArrows}>
      <ScreenHead title="Companies">Search the register by name, company number or postcode. Free.</ScreenHead>
      <div className="card stack-small search">
        <form role="search" onSubmit={submit}>
          <CompanyField
            label="Name, company number or postcode"
            typed={typed}
            onType={setTyped}
            placeholder="Start typing"
            autoFocus
          />
        </form>
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
