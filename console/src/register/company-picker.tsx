import { type KeyboardEvent, useState } from 'react'
import { stepWithArrows } from '../ui/arrow-keys.ts'
import { Paged } from '../ui/paged.tsx'
import { Button, Field } from '../ui/parts.tsx'
import { useTyped } from '../ui/typed.ts'
import { CompanyLine } from './company-line.tsx'
import { readCompanyNumber } from './company-number.ts'
import { asksForSomething, NO_CRITERIA, useCompanySearch } from './company-search.ts'

const SHOWN_MAX = 5

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
      <Field label={label}>
        {(field) => (
          <input
            {...field}
            type="search"
            value={typed}
            onChange={(event) => type(event.target.value)}
            onKeyDown={lookUp}
            placeholder="Name or company number"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            data-stop
          />
        )}
      </Field>
      {isLookedUp && <Choices name={wanted} onPick={onPick} />}
    </div>
  )
}

interface CompanyPickerProps {
  label: string
  picked: Picked | null
  onPick: (picked: Picked | null) => void
}

function Choices({ name, onPick }: { name: string; onPick: (picked: Picked) => void }) {
  const search = useCompanySearch({ ...NO_CRITERIA, name })
  return (
    <Paged query={search} what="companies of this name">
      {(found) =>
        found.length === 0 ? (
          <p className="soft">No company of this name. Try fewer words, or its number.</p>
        ) : (
          <ul className="found-list" aria-label="Companies of this name">
            {found.slice(0, SHOWN_MAX).map((company) => (
              <li key={company.company_number}>
                <button
                  type="button"
                  className="found"
                  data-stop
                  onClick={() => onPick({ number: company.company_number, name: company.company_name })}
                >
                  <CompanyLine company={company} typed={name} />
                </button>
              </li>
            ))}
          </ul>
        )
      }
    </Paged>
  )
}
