import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Usage } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty, Facts } from '../../ui/parts.tsx'
import { Segments } from '../../ui/segments.tsx'
import { londonToday, showDay, showNumber } from '../../ui/words.ts'
import { UsageChart } from './usage-chart.tsx'
import { daysBetween, layersOf, type Measure, outcomeOf, shiftDay } from './usage-figures.ts'

const RANGES = [
  ['30', '30 days'],
  ['90', '90 days'],
] as const
const MEASURES = [
  ['answers', 'Answers'],
  ['credits', 'Credits'],
] as const

export function UsageByDay({ children }: { children: ReactNode }) {
  const [range, setRange] = useState<'30' | '90'>('30')
  const [measure, setMeasure] = useState<Measure>('answers')
  const from = shiftDay(londonToday(), 1 - Number(range))
  const usage = useQuery({
    queryKey: ['usage', from],
    queryFn: () => callApi<Usage>('GET', '/v1/account/usage', { query: { from } }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Card
        title="By day and outcome"
        aside={
          <div className="row">
            <Segments label="Measure" choices={MEASURES} value={measure} onChange={setMeasure} />
            <Segments label="Period" choices={RANGES} value={range} onChange={setRange} />
          </div>
        }
      >
        <Loaded query={usage} what="your usage">
          {(body) => (body.data.length === 0 ? <NothingUsed /> : <UsageShown usage={body} measure={measure} />)}
        </Loaded>
      </Card>
      {/* Below a chart of unknown height the ledger would move. */}
      {!usage.isPending && children}
    </>
  )
}

function NothingUsed() {
  return (
    <Empty title="No requests in this period" action={<Link href="/">Resolve a domain</Link>}>
      Each answer appears here on its day. You pay one credit per match. Everything else is free.
    </Empty>
  )
}

function UsageShown({ usage, measure }: { usage: Usage; measure: Measure }) {
  const days = useMemo(() => daysBetween(usage.from, usage.to), [usage])
  const layers = useMemo(() => layersOf(usage, days, measure), [usage, days, measure])
  const paid = usage.data.filter(({ outcome }) => outcomeOf(outcome).isPaid)
  const paidAnswers = paid.reduce((sum, { answers }) => sum + answers, 0)
  return (
    <div className="stack">
      <div className="figures">
        <Facts
          facts={[
            ['Answers', showNumber(usage.totals.answers)],
            ['Matched or verified', showNumber(paidAnswers)],
            ['Free', showNumber(usage.totals.answers - paidAnswers)],
            ['Credits spent', showNumber(usage.totals.credits)],
          ]}
        />
      </div>
      {layers.length === 0 ? (
        <p className="soft">All answers in this period were free.</p>
      ) : (
        <UsageChart layers={layers} days={days} measure={measure} />
      )}
      <UsageTable usage={usage} />
    </div>
  )
}

function UsageTable({ usage }: { usage: Usage }) {
  return (
    <details>
      <summary>Show as a table</summary>
      <div className="table-wrap usage-table" tabIndex={0} role="region" aria-label="Answers and credits by day">
        <table>
          <caption className="visually-hidden">
            Answers and credits by day and outcome, {showDay(usage.from)} to {showDay(usage.to)}
          </caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Outcome</th>
              <th scope="col" className="number">
                Answers
              </th>
              <th scope="col" className="number">
                Credits
              </th>
            </tr>
          </thead>
          <tbody>
            {usage.data.toReversed().map(({ date, outcome, answers, credits }) => (
              <tr key={date + outcome}>
                <th scope="row">{showDay(date)}</th>
                <td>{outcomeOf(outcome).name === 'other' ? outcome.replaceAll('_', ' ') : outcomeOf(outcome).says}</td>
                <td className="number">{showNumber(answers)}</td>
                <td className="number">{credits === 0 ? 'free' : showNumber(credits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
