/** A form, and its controls with their label, hint and problem. */
import type { ComponentProps, ReactNode } from 'react'
import { Field } from './parts.tsx'

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
