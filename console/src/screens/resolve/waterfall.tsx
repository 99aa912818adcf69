import type { Explanation } from '../../api/bodies.ts'

interface Step {
  name: string
  says: string
  from: number
  to: number
  isTotal?: true
}

/** Each piece of evidence moves the sum by its weight in bits: one bit doubles the odds, or halves them. */
export function Waterfall({ explanation }: { explanation: Explanation }) {
  const steps = stepsOf(explanation)
  const low = Math.min(0, ...steps.flatMap(({ from, to }) => [from, to]))
  const high = Math.max(0, ...steps.flatMap(({ from, to }) => [from, to]))
  const toPercent = (bits: number) => ((bits - low) / (high - low || 1)) * 100
  return (
    <>
      <p className="small soft">In bits: one bit doubles the odds, or halves them.</p>
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
    </>
  )
}

const KINDS = { evidence: '', veto: 'Veto: ', calibration: 'Calibration: ' } as const

function lookOf({ name, isTotal }: Step, bits: number): string {
  if (isTotal) return 'total'
  if (name === 'prior') return 'prior'
  return bits < 0 ? 'down' : 'up'
}

function stepsOf({ prior, features, total }: Explanation): Step[] {
  let sum = prior
  const moves = features.map(({ kind, name, says, weight }) => {
    const from = sum
    sum += weight
    return { name, says: KINDS[kind] + says, from, to: sum }
  })
  return [
    { name: 'prior', says: 'Before anything was read: one company among millions', from: 0, to: prior },
    ...moves,
    { name: 'total', says: 'Total', from: 0, to: total, isTotal: true },
  ]
}
