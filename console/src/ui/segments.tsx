import { useId } from 'react'

/** One of a few, all in sight: radio buttons that look like one bar. */
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
      {props.choices.map(([value, says]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={props.value === value}
            onChange={() => props.onChange(value)}
          />
          <span>{says}</span>
        </label>
      ))}
    </fieldset>
  )
}
