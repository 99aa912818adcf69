import type { ReactNode } from 'react'

/** Checkboxes that look like chips: any number of them can be chosen. */
export function Chips<Value extends string>(props: {
  label: string
  choices: ReadonlyArray<readonly [Value, string]>
  isChosen: (value: Value) => boolean
  onChange: (value: Value, isChosen: boolean) => void
  /** Above the chips. */
  children?: ReactNode
}) {
  return (
    <fieldset className="chips">
      <legend>{props.label}</legend>
      {props.children}
      {props.choices.map(([value, label]) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={props.isChosen(value)}
            onChange={({ target }) => props.onChange(value, target.checked)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
