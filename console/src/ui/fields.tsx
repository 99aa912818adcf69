/** A form, and its controls with their label, hint and problem. */
import type { ComponentProps, ReactNode } from 'react'
import { Button, Field } from './parts.tsx'

interface About {
  label: string
  hint?: ReactNode
  problem?: string | undefined
}

type Control<Tag extends 'input' | 'textarea' | 'select', Value extends string> = About &
  Omit<ComponentProps<Tag>, 'id' | 'value' | 'onChange'> & { value: Value; onChange: (value: Value) => void }

export function TextField({ label, hint, problem, onChange, ...input }: Control<'input', string>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(field) => <input {...input} {...field} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  )
}

interface Period {
  from?: string
  to?: string
}

/** From a day to a day; both are empty for all of the time. */
export function PeriodFields(props: { period: Period; isBackwards: boolean; onChange: (part: Period) => void }) {
  const { period, isBackwards, onChange } = props
  return (
    <>
      <TextField label="From" type="date" value={period.from ?? ''} onChange={(from) => onChange({ from })} />
      <TextField
        label="To"
        type="date"
        problem={isBackwards ? 'This date is before the start date.' : undefined}
        value={period.to ?? ''}
        onChange={(to) => onChange({ to })}
      />
    </>
  )
}

export function TextArea({ label, hint, problem, onChange, ...textarea }: Control<'textarea', string>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(field) => <textarea {...textarea} {...field} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  )
}

/** A choice from a list. `children` are options below the others. */
export function Choice<Value extends string>(
  props: Control<'select', Value> & { options: ReadonlyArray<readonly [Value, string]> },
) {
  const { label, hint, problem, onChange, options, children, ...select } = props
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(field) => (
        <select {...select} {...field} onChange={(event) => onChange(event.target.value as Value)}>
          <Options options={options} />
          {children}
        </select>
      )}
    </Field>
  )
}

export function Options({ options }: { options: ReadonlyArray<readonly [string, string]> }) {
  return options.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ))
}

/** Submits without leaving the page. */
export function Form({
  onSubmit,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> & { onSubmit: () => void }) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}

/** The end of a form in a dialog: the button that does it, and the way out. */
export function FormEnd(props: { busy: boolean; disabled: boolean; onCancel: () => void; children: ReactNode }) {
  const { busy, disabled, onCancel, children } = props
  return (
    <div className="row">
      <Button type="submit" busy={busy} disabled={disabled}>
        {children}
      </Button>
      <Button look="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
