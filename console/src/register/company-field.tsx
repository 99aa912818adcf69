import type { ComponentProps } from 'react'
import { Field } from '../ui/parts.tsx'

/** A field for the name or number of a company. */
export function CompanyField({ label, typed, onType, ...input }: CompanyFieldProps) {
  return (
    <Field label={label}>
      {(field) => (
        <input
          placeholder="Name or company number"
          {...input}
          {...field}
          type="search"
          value={typed}
          onChange={(event) => onType(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          data-stop
        />
      )}
    </Field>
  )
}

interface CompanyFieldProps extends Pick<ComponentProps<'input'>, 'placeholder' | 'autoFocus' | 'onKeyDown'> {
  label: string
  typed: string
  onType: (text: string) => void
}
