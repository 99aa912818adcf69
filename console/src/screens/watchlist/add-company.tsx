import { useState } from 'react'
import { CompaniesOfName } from '../../register/companies-of-name.tsx'
import { CompanyField } from '../../register/company-field.tsx'
import { CompanyLine } from '../../register/company-line.tsx'
import { readCompanyNumber } from '../../register/company-number.ts'
import { asksForSomething, NO_CRITERIA } from '../../register/company-search.ts'
import { stepWithArrows } from '../../ui/arrow-keys.ts'
import { Form } from '../../ui/fields.tsx'
import { Button, Problem } from '../../ui/parts.tsx'
import { useTyped } from '../../ui/typed.ts'
import { useWatch, useWatchedNumbers } from '../../watching/watchlist.ts'

/** Enter watches a typed number. A typed name is searched, and the person picks a result. */
export function AddCompany({ list }: { list: string }) {
  const [wanted, setWanted] = useState('')
  const { typed, setTyped, settle } = useTyped(wanted, setWanted)
  const watch = useWatch(list)
  const number = readCompanyNumber(typed)
  const add = (companyNumber: string) => watch.mutate(companyNumber, { onSuccess: () => setTyped('') })
  const submit = () => {
    if (number) add(number)
    else settle()
  }
  const isLookedUp = typed !== '' && !number && asksForSomething({ ...NO_CRITERIA, name: wanted })
  return (
    <Form className="stack-small" onSubmit={submit} onKeyDown={stepWithArrows}>
      <div className="row end">
        <div className="grow">
          <CompanyField label="Watch a company" typed={typed} onType={setTyped} />
        </div>
        <Button type="submit" busy={watch.isPending} disabled={!number}>
          Watch
        </Button>
      </div>
      {watch.isError && <Problem error={watch.error} />}
      {isLookedUp && <Choices name={wanted} onPick={add} busyWith={watch.isPending ? watch.variables : null} />}
    </Form>
  )
}

function Choices({ name, onPick, busyWith }: ChoicesProps) {
  const { data: watched } = useWatchedNumbers()
  return (
    <CompaniesOfName name={name} listClass="list choices">
      {(company) => (
        <li key={company.company_number} className="watched-entry">
          <div className="watched-what">
            <CompanyLine company={company} typed={name} />
          </div>
          {watched?.numbers.includes(company.company_number) ? (
            <span className="small soft">Watched</span>
          ) : (
            <Button
              small
              aria-label={`Watch ${company.company_name}`}
              busy={busyWith === company.company_number}
              onClick={() => onPick(company.company_number)}
              data-stop
            >
              Watch
            </Button>
          )}
        </li>
      )}
    </CompaniesOfName>
  )
}

interface ChoicesProps {
  name: string
  onPick: (companyNumber: string) => void
  busyWith: string | null
}
