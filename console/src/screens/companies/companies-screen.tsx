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
      <ScreenHead title="Companies">
        Every company of the register, by name, number or postcode. Free of charge.
      </ScreenHead>
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
          <summary>Narrow it down</summary>
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
          As you remember it: misspelt, without “Limited”, in another order such as <code>bakery smith</code>, or by a
          name it had before.
        </p>
      </section>
      <section>
        <h2>By number</h2>
        <p>
          <code>01234567</code> or <code>SC 12345</code>, with or without its zeros. Enter opens the company.
        </p>
      </section>
      <section>
        <h2>By postcode</h2>
        <p>
          A whole one, such as <code>EC1V 2NX</code>, lists who is registered there. Under “Narrow it down” its first
          half will do.
        </p>
      </section>
    </div>
  )
}
