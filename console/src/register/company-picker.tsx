import { type KeyboardEvent, useState } from 'react'
import { stepWithArrows } from '../ui/arrow-keys.ts'
import { Button } from '../ui/parts.tsx'
import { useTyped } from '../ui/typed.ts'
import { CompaniesOfName } from './companies-of-name.tsx'
import { CompanyField } from './company-field.tsx'
import { CompanyLine } from './company-line.tsx'
import { readCompanyNumber } from './company-number.ts'
import { asksForSomething, NO_CRITERIA } from './company-search.ts'

/** A company of the register, by its number or picked from those of a name. */
export interface Picked {
  number: string
  /** Null where only the number was typed. */
  name: string | null
}

export function CompanyPicker({ label, picked, onPick }: CompanyPickerProps) {
  const [wanted, setWanted] = useState('')
  const { typed, setTyped, settle } = useTyped(wanted, setWanted)
  const type = (text: string) => {
    setTyped(text)
    const number = readCompanyNumber(text)
    onPick(number === null ? null : { number, name: null })
  }
  const lookUp = (event: KeyboardEvent) => {
    // A name that is not picked yet is looked up, and the form around it is not sent without it.
    if (event.key !== 'Enter' || picked || typed === '') return
    event.preventDefault()
    settle()
  }
  if (picked?.name) {
    return (
      <div className="note">
        <div className="row spread">
          <span>
            <strong>{picked.name}</strong> <span className="mono">{picked.number}</span>
          </span>
          <Button look="quiet" small onClick={() => onPick(null)}>
            Another one
          </Button>
        </div>
      </div>
    )
  }
  const isLookedUp = typed !== '' && !picked && asksForSomething({ ...NO_CRITERIA, name: wanted })
  return (
    <div className="stack-small" onKeyDown={stepWithArrows}>
      <CompanyField label={label} typed={typed} onType={type} onKeyDown={lookUp} />
      {isLookedUp && (
        <CompaniesOfName name={wanted} listClass="found-list">
          {(company) => (
            <li key={company.company_number}>
              <button
                type="button"
                className="found"
                data-stop
                onClick={() => onPick({ number: company.company_number, name: company.company_name })}
              >
                <CompanyLine company={company} typed={wanted} />
              </button>
            </li>
          )}
        </CompaniesOfName>
      )}
    </div>
  )
}

interface CompanyPickerProps {
  label: string
  picked: Picked | null
  onPick: (picked: Picked | null) => void
}
