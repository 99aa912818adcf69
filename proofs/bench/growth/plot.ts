/** The curves as characters: they show wherever the table does. */

interface PlottedCurve {
  label: string
  /** The CPU of a call over that at the smallest size, in the order of the sizes. */
  ratios: readonly number[]
}

const STEP = 0.25
const COLUMN = 16

/** Draws one line of characters for each quarter, one letter for each curve, and one column for each size. */
export function plotCurves(sizes: readonly number[], curves: readonly PlottedCurve[]): string {
  const highest = Math.max(2, ...curves.flatMap(({ ratios }) => ratios))
  const levels = Array.from({ length: Math.ceil(highest / STEP) + 1 }, (_, index) => index * STEP).toReversed()
  const lines = levels.map((level) => {
    const cells = sizes.map((_, index) => {
      const here = curves.flatMap(({ ratios }, curve) => {
        const ratio = ratios[index]
        return ratio !== undefined && Math.round(ratio / STEP) * STEP === level ? [letterOf(curve)] : []
      })
      return here.join('').padEnd(COLUMN)
    })
    return `${level.toFixed(2).padStart(6)} × | ${cells.join('')}`.trimEnd()
  })
  const axis = `         +-${'-'.repeat(COLUMN * sizes.length)}`
  const names = `           ${sizes.map((size) => size.toLocaleString('en-GB').padEnd(COLUMN)).join('')}`.trimEnd()
  const legend = curves.map(({ label }, curve) => `${letterOf(curve)}  ${label}`)
  return [
    '```',
    'PostgreSQL CPU of a call over that with the fewest rows',
    '',
    ...lines,
    axis,
    names,
    '',
    ...legend,
    '```',
  ].join('\n')
}

function letterOf(curve: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + curve)
}
