import { useState } from 'react'
import { showDay, showNumber } from '../../ui/words.ts'
import type { Layer, Measure } from './usage-figures.ts'

const HEIGHT_PX = 212
const BAR_SHARE = 0.72
const TICKS_MAX = 5
const DAY_LABELS_MAX = 5
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000]

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** One bar per day, with one piece per outcome. Screen readers get the same figures from the table. */
export function UsageChart({ layers, days, measure }: { layers: Layer[]; days: string[]; measure: Measure }) {
  const [pointed, setPointed] = useState<number | null>(null)
  return (
    <figure className="usage-chart">
      <Bars layers={layers} days={days} onPoint={setPointed} />
      <p className="small pointed" aria-hidden="true">
        {pointed === null ? 'Point at a day to see its figures.' : describeDay(layers, days, pointed, measure)}
      </p>
      <figcaption>
        <ul className="legend" aria-label={`${measure === 'answers' ? 'Answers' : 'Credits'} in all, by outcome`}>
          {layers.map(({ outcome, total }) => (
            <li key={outcome.name}>
              <span className="swatch" style={{ background: outcome.colour }} />
              {outcome.says} <strong>{showNumber(total)}</strong>
              <span className="soft">{outcome.isPaid ? '' : ' free'}</span>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}

function Bars({ layers, days, onPoint }: { layers: Layer[]; days: string[]; onPoint: (day: number | null) => void }) {
  const bars = days.map((_, day) => stackPieces(layers, day))
  const high = Math.max(4, ...bars.flat().map(({ to }) => to)) * 1.05
  const low = Math.min(0, ...bars.flat().map(({ from }) => from)) * 1.05
  const yOf = (value: number) => ((high - value) / (high - low)) * HEIGHT_PX
  const dayPercent = 100 / days.length
  const labelEvery = Math.ceil(days.length / DAY_LABELS_MAX)
  return (
    <div className="plot" aria-hidden="true">
      {listTicks(low, high).map((tick) => (
        <span key={tick} className="tick" style={{ top: `${yOf(tick)}px` }}>
          {showNumber(tick)}
        </span>
      ))}
      <svg width="100%" height={HEIGHT_PX} onPointerLeave={() => onPoint(null)}>
        {listTicks(low, high).map((tick) => (
          <line key={tick} x1="0" x2="100%" y1={yOf(tick)} y2={yOf(tick)} />
        ))}
        {bars.map((pieces, day) => (
          <g key={days[day]} onPointerEnter={() => onPoint(day)}>
            <rect x={`${day * dayPercent}%`} width={`${dayPercent}%`} height="100%" className="pointer-area" />
            {pieces.map(({ colour, from, to }) => (
              <rect
                key={colour}
                x={`${(day + (1 - BAR_SHARE) / 2) * dayPercent}%`}
                width={`${BAR_SHARE * dayPercent}%`}
                y={yOf(to)}
                height={yOf(from) - yOf(to)}
                style={{ fill: colour }}
              />
            ))}
          </g>
        ))}
      </svg>
      <div className="days">
        {days
          .filter((_, day) => day % labelEvery === 0)
          .map((day) => (
            <span key={day}>{DAY.format(new Date(`${day}T00:00:00Z`))}</span>
          ))}
      </div>
    </div>
  )
}

/** Stacks the outcomes of one day. Refunds are negative: they hang below zero and do not lower the bar above it. */
function stackPieces(layers: Layer[], day: number): Array<{ colour: string; from: number; to: number }> {
  let above = 0
  let below = 0
  return layers.flatMap(({ outcome: { colour }, values }) => {
    const value = values[day] ?? 0
    if (value > 0) return [{ colour, from: above, to: (above += value) }]
    return value < 0 ? [{ colour, to: below, from: (below += value) }] : []
  })
}

/** Returns whole numbers, as there is no half answer. */
function listTicks(low: number, high: number): number[] {
  const step = STEPS.find((each) => (high - low) / each <= TICKS_MAX) ?? 1_000_000
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step)
}

function describeDay(layers: Layer[], days: string[], day: number, measure: Measure): string {
  const figures = layers
    .filter(({ values }) => values[day] !== 0)
    .map(({ outcome, values }) => `${outcome.says} ${showNumber(values[day] ?? 0)}`)
  return `${showDay(days[day] ?? null)}: ${figures.join(' · ') || `no ${measure}`}`
}
