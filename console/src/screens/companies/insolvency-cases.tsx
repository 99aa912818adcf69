import type { Insolvency } from '../../api/bodies.ts'
import { showDay, showWord } from '../../ui/words.ts'

export function InsolvencyCases({ insolvency }: { insolvency: Insolvency }) {
  return insolvency.cases.map((each, index) => (
    <li key={index}>
      <strong>{each.type ? showWord(each.type) : 'Case'}</strong>
      {each.dates.length > 0 && (
        <p className="small">{each.dates.map(({ type, date }) => `${showWord(type)} ${showDay(date)}`).join(' · ')}</p>
      )}
      {each.practitioners.map(({ name, role, appointed_on: from, ceased_to_act_on: until }) => (
        <p className="small soft" key={name}>
          {name}
          {role && `, ${showWord(role).toLowerCase()}`}
          {from && `, since ${showDay(from)}`}
          {until && `, until ${showDay(until)}`}
        </p>
      ))}
    </li>
  ))
}
