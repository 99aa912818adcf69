import { useId } from 'react'

/** A choice between a few visible options: radio buttons that look like one bar. */
export function Segments<Value extends string>(props: {
  label: string
  choices: ReadonlyArray<readonly [Value, string]>
  value: Value
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{props.label}</legend>
      {props.choices.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={props.value === value}
            onChange={() => props.onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
