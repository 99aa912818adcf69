import type { ComponentProps } from 'react'
import { TextField } from '../ui/fields.tsx'

/** A field for the name or number of a company. */
export function CompanyField({ label, typed, onType, ...input }: CompanyFieldProps) {
  return (
    <TextField
      placeholder="Name or company number"
      {...input}
      label={label}
      type="search"
      value={typed}
      onChange={onType}
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      data-stop
    />
  )
}

interface CompanyFieldProps extends Pick<ComponentProps<'input'>, 'placeholder' | 'autoFocus' | 'onKeyDown'> {
  label: string
  typed: string
  onType: (text: string) => void
}
