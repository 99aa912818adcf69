import type { Explanation } from '../../api/bodies.ts'
import { Card } from '../../ui/parts.tsx'
import { showShare } from '../../ui/words.ts'

interface Step {
  name: string
  says: string
  from: number
  to: number
  isTotal?: true
}

/** Each piece of evidence moves the sum by its weight in bits: one bit doubles the odds, or halves them. */
export function Waterfall({ explanation, confidence, about }: WaterfallProps) {
  const steps = stepsOf(explanation)
  const low = Math.min(0, ...steps.flatMap(({ from, to }) => [from, to]))
  const high = Math.max(0, ...steps.flatMap(({ from, to }) => [from, to]))
  const toPercent = (bits: number) => ((bits - low) / (high - low || 1)) * 100
  return (
    <Card title="Evidence by weight" aside={<p>in bits: one bit doubles the odds</p>}>
      {about !== undefined && <p className="small soft">For {about}, the best candidate.</p>}
      <ol className="waterfall">
        {steps.map((step) => {
          const [left, right] = [Math.min(step.from, step.to), Math.max(step.from, step.to)]
          const bits = step.isTotal ? step.to : step.to - step.from
          const look = lookOf(step, bits)
          return (
            <li key={step.name}>
              <div className="row spread">
                <span>{step.says}</span>
                <span className="mono nowrap">{(bits > 0 ? '+' : '') + bits.toFixed(1)}</span>
              </div>
              <div className="track" aria-hidden="true">
                <span className="zero" style={{ left: `${toPercent(0)}%` }} />
                <span
                  className={look}
                  style={{
                    left: `${toPercent(left)}%`,
                    width: `${Math.max(0.6, toPercent(right) - toPercent(left))}%`,
                  }}
                />
              </div>
            </li>
          )
        })}
      </ol>
      {confidence !== null && (
        <p className="small soft">
          Answers like this one are right in {showShare(confidence)} of cases, measured on labelled sites.
        </p>
      )}
    </Card>
  )
}

interface WaterfallProps {
  explanation: Explanation
  confidence: number | null
  /** The candidate's name, where there are several. */
  about?: string | undefined
}

function lookOf({ name, isTotal }: Step, bits: number): string {
  if (isTotal) return 'total'
  if (name === 'prior') return 'prior'
  return bits < 0 ? 'down' : 'up'
}

function stepsOf({ prior, features, total }: Explanation): Step[] {
  let sum = prior
  const moves = features.map(({ name, says, weight }) => {
    const from = sum
    sum += weight
    return { name, says, from, to: sum }
  })
  return [
    { name: 'prior', says: 'Starting point', from: 0, to: prior },
    ...moves,
    { name: 'total', says: 'Total', from: 0, to: total, isTotal: true },
  ]
}
