import { type FormEvent, useState } from 'react'
import { CompanyLine } from '../../register/company-line.tsx'
import { readCompanyNumber } from '../../register/company-number.ts'
import { asksForSomething, NO_CRITERIA, useCompanySearch } from '../../register/company-search.ts'
import { stepWithArrows } from '../../ui/arrow-keys.ts'
import { Paged } from '../../ui/paged.tsx'
import { Button, Field, Problem } from '../../ui/parts.tsx'
import { useTyped } from '../../ui/typed.ts'
import { useWatch, useWatchedNumbers } from '../../watching/watchlist.ts'

const SHOWN_MAX = 6

/** A number is watched with Enter; a name is looked up while it is typed, and picked. */
export function AddCompany() {
  const [wanted, setWanted] = useState('')
  const { typed, setTyped, settle } = useTyped(wanted, setWanted)
  const watch = useWatch()
  const number = readCompanyNumber(typed)
  const add = (companyNumber: string) => watch.mutate(companyNumber, { onSuccess: () => setTyped('') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (number) add(number)
    else settle()
  }
  const isLookedUp = typed !== '' && !number && asksForSomething({ ...NO_CRITERIA, name: wanted })
  return (
    <form className="stack-small" onSubmit={submit} onKeyDown={stepWithArrows}>
      <div className="row end">
        <div className="grow">
          <Field label="Watch a company">
            {(field) => (
              <input
                {...field}
                type="search"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                placeholder="Name or company number"
                autoComplete="off"
                spellCheck={false}
                maxLength={200}
                data-stop
              />
            )}
          </Field>
        </div>
        <Button type="submit" busy={watch.isPending} disabled={!number}>
          Watch
        </Button>
      </div>
      {watch.isError && <Problem error={watch.error} />}
      {isLookedUp && <Choices name={wanted} onPick={add} busyWith={watch.isPending ? watch.variables : null} />}
    </form>
  )
}

function Choices({ name, onPick, busyWith }: ChoicesProps) {
  const search = useCompanySearch({ ...NO_CRITERIA, name })
  const { data: watched } = useWatchedNumbers()
  return (
    <Paged query={search} what="companies of this name">
      {(found) =>
        found.length === 0 ? (
          <p className="soft">No company of this name. Try fewer words, or its number.</p>
        ) : (
          <ul className="list choices" aria-label="Companies of this name">
            {found.slice(0, SHOWN_MAX).map((company) => (
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
            ))}
          </ul>
        )
      }
    </Paged>
  )
}

interface ChoicesProps {
  name: string
  onPick: (companyNumber: string) => void
  busyWith: string | null
}
