import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { showDay, showNumber } from '../../ui/words.ts'
import { drawStacked } from './draw-stacked.ts'
import { useThemeChanges } from './theme-changes.ts'
import type { Layer, Measure } from './usage-figures.ts'

/** One bar a day, a layer for each outcome. A canvas says nothing to a screen reader: the table has the same figures. */
export function UsageChart({ layers, days, measure }: { layers: Layer[]; days: string[]; measure: Measure }) {
  const place = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const themeChanges = useThemeChanges()
  useEffect(() => {
    const target = place.current
    if (!target) return
    const { options, data } = drawStacked(target, { layers, days, onPoint: setPointed })
    const chart = new uPlot(options, data, target)
    const resized = new ResizeObserver(() => chart.setSize({ width: target.clientWidth, height: options.height }))
    resized.observe(target)
    return () => {
      resized.disconnect()
      chart.destroy()
    }
    // The colours are read anew when the theme changes.
  }, [layers, days, themeChanges])
  return (
    <figure className="usage-chart">
      <div ref={place} aria-hidden="true" />
      <p className="small pointed" aria-hidden="true">
        {pointed === null ? 'Point at a day for its figures.' : tell(layers, days, pointed, measure)}
      </p>
      <figcaption>
        <ul className="legend" aria-label={`${measure === 'answers' ? 'Answers' : 'Credits'} in all, by outcome`}>
          {layers.map(({ outcome, total }) => (
            <li key={outcome.name}>
              <span className="swatch" style={{ background: `var(${outcome.colour})` }} />
              {outcome.says} <strong>{showNumber(total)}</strong>
              <span className="soft">{outcome.isPaid ? '' : ' free'}</span>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}

function tell(layers: Layer[], days: string[], at: number, measure: Measure): string {
  const figures = layers
    .filter(({ values }) => values[at] !== 0)
    .map(({ outcome, values }) => `${outcome.says} ${showNumber(values[at] ?? 0)}`)
  return `${showDay(days[at] ?? null)}: ${figures.join(' · ') || `no ${measure}`}`
}
