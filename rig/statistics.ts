/** Returns the value below which this share of all lies; 0 when there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits))
}

/** Returns how much `y` grows with one of `x`, by least squares. */
export function slopeOf(points: ReadonlyArray<{ x: number; y: number }>): number {
  const meanX = sum(points.map(({ x }) => x)) / points.length
  const meanY = sum(points.map(({ y }) => y)) / points.length
  const variance = sum(points.map(({ x }) => (x - meanX) ** 2))
  return variance > 0 ? sum(points.map(({ x, y }) => (x - meanX) * (y - meanY))) / variance : 0
}

/** Returns `count` items from all over the list, since neighbours may be of one kind; the same ones every time. */
export function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count)
  return Array.from({ length: Math.min(count, items.length) }, (_, index) => items[Math.floor(index * step)] as Item)
}

/** Returns the result of some work with the milliseconds it took. */
export async function timed<Result>(work: () => Promise<Result>): Promise<[ms: number, result: Result]> {
  const startedAtMs = performance.now()
  const result = await work()
  return [performance.now() - startedAtMs, result]
}

export function countUp(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Returns a table of Markdown; the first column is text, the others are figures. */
export function markdownTable(head: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const line = (cells: ReadonlyArray<string | number>) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

/** Returns a table of how often each came up, the commonest first. */
export function describeShares(title: string, counts: ReadonlyMap<string, number>): string {
  const whole = sum([...counts.values()])
  const rows = [...counts].toSorted(([, one], [, other]) => other - one)
  return markdownTable(
    [title, 'count', 'share'],
    rows.map(([name, count]) => [name, count, `${((100 * count) / whole).toFixed(2)} %`]),
  )
}
