/** Numbers out of what was measured. */

/** How much `y` grows with one of `x`, by least squares. */
export function slopeOf(points: ReadonlyArray<{ x: number; y: number }>): number {
  const count = points.length
  if (count < 2) return 0
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / count
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / count
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
}

/** A table of Markdown, the commonest first. */
export function describeShares(title: string, counts: ReadonlyMap<string, number>): string {
  const whole = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const rows = [...counts].toSorted(([, one], [, other]) => other - one)
  const lines = rows.map(([name, count]) => `| ${name} | ${count} | ${((100 * count) / whole).toFixed(2)} % |`)
  return [`| ${title} | count | share |`, '|---|---:|---:|', ...lines].join('\n')
}
