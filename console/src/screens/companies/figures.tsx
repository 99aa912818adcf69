import type { CompanyFigures } from '../../api/bodies.ts'
import { Card } from '../../ui/parts.tsx'
import { showDay, showNumber, showPounds } from '../../ui/words.ts'

const LABELS = [
  ['employees', 'Employees', showNumber],
  ['turnover', 'Turnover', showPounds],
  ['cash', 'Cash', showPounds],
  ['current_assets', 'Current assets', showPounds],
  ['creditors', 'Creditors', showPounds],
  ['net_assets', 'Net assets', showPounds],
] as const

export const NOT_LOADED = 'This service has not loaded the accounts files yet.'

/** Shows what filed accounts state, a column for each period. */
export function Figures({ figures, asOf }: { figures: CompanyFigures[]; asOf: string | null }) {
  const none = asOf === null ? NOT_LOADED : 'No figures from electronic accounts.'
  return (
    <Card title="Figures">
      {figures.length === 0 ? <p>{none}</p> : <FiguresTable figures={figures} />}
      <p className="small soft">
        From accounts that companies file electronically. About 84 % of them state employees, and about 3 % turnover.
        Large companies often file on paper or as PDF, which we do not read.
        {asOf && ` The newest file that we have read is of ${showDay(asOf)}.`}
      </p>
    </Card>
  )
}

function FiguresTable({ figures }: { figures: CompanyFigures[] }) {
  return (
    <div className="table-wrap figures-table" tabIndex={0} role="region" aria-label="Figures by period">
      <table>
        <caption className="visually-hidden">Figures of filed accounts by the end of the period</caption>
        <thead>
          <tr>
            <th scope="col">Period to</th>
            {figures.map(({ period_end: end, is_dormant: isDormant }) => (
              <th key={end} scope="col" className="number">
                {showDay(end)}
                {isDormant && ', dormant'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {LABELS.map(([figure, label, show]) => (
            <tr key={figure}>
              <th scope="row">{label}</th>
              {figures.map(({ period_end: end, [figure]: value }, index) => (
                <td key={end} className="number">
                  {value === null ? <span className="soft">not stated</span> : show(value)}
                  <Change value={value} before={figures[index + 1]?.[figure] ?? null} show={show} />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">In the file of</th>
            {figures.map(({ period_end: end, source_on: day }) => (
              <td key={end} className="number soft">
                {showDay(day)}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  )
}

/** The difference to the period before, where both state the figure: an amount, because a part of a negative one says nothing. */
function Change(props: { value: number | null; before: number | null; show: (value: number) => string }) {
  const { value, before, show } = props
  if (value === null || before === null || value === before) return null
  const isMore = value > before
  return (
    <span className="change small soft">
      <span aria-hidden="true">{isMore ? '↑' : '↓'} </span>
      {show(Math.abs(value - before))}
      <span className="visually-hidden"> {isMore ? 'more' : 'less'} than in the period before</span>
    </span>
  )
}
