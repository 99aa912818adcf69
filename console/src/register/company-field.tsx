import type { ComponentProps } from 'react'
import { Field } from '../ui/parts.tsx'

/** Where a company is typed, by its name or number. */
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
