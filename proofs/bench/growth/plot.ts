/** Lines over two logarithmic axes as an SVG that stands alone, legible on light and on dark. */

export interface LinePlot {
  title: string
  x: string
  y: string
  lines: ReadonlyArray<{ label: string; points: ReadonlyArray<{ x: number; y: number }> }>
}

const SIZE = { width: 860, height: 480 }
/** The labels of the lines stand on the right. */
const FRAME = { left: 64, right: 300, top: 40, bottom: 56 }
const LABEL_GAP = 18
/** Told apart by people who do not see all colours alike, on white and on black. */
const COLOURS = ['#0077bb', '#ee7733', '#009988', '#cc3311', '#aa4499', '#998800', '#5566dd']
const STYLE = `text{font:13px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:15px}
.grid{stroke:#8886;stroke-width:1}.line{fill:none;stroke-width:2.5}
@media (prefers-color-scheme:dark){text{fill:#ddd}}`

export function drawLines(plot: LinePlot): string {
  const points = plot.lines.flatMap((line) => line.points)
  const x = logScale(
    points.map((point) => point.x),
    { from: FRAME.left, to: SIZE.width - FRAME.right },
  )
  const y = logScale(
    points.map((point) => point.y),
    { from: SIZE.height - FRAME.bottom, to: FRAME.top },
  )
  const [bottom, right] = [SIZE.height - FRAME.bottom, SIZE.width - FRAME.right]
  const grid = [
    ...x.ticks.map((tick) => ruler({ x1: x.at(tick), x2: x.at(tick), y1: FRAME.top, y2: bottom })),
    ...y.ticks.map((tick) => ruler({ x1: FRAME.left, x2: right, y1: y.at(tick), y2: y.at(tick) })),
    ...x.ticks.map((tick) => text(tellTick(tick), { x: x.at(tick), y: bottom + 20, anchor: 'middle' })),
    ...y.ticks.map((tick) => text(tellTick(tick), { x: FRAME.left - 8, y: y.at(tick) + 4, anchor: 'end' })),
  ]
  const labelAt = spread(plot.lines.map(({ points: own }) => y.at(own.at(-1)?.y ?? 1)))
  const lines = plot.lines.map(({ label, points: own }, place) => {
    const colour = COLOURS[place % COLOURS.length] ?? ''
    const path = own.map((point) => `${x.at(point.x)},${y.at(point.y)}`).join(' ')
    const dots = own.map((point) => `<circle cx="${x.at(point.x)}" cy="${y.at(point.y)}" r="3.5" fill="${colour}"/>`)
    const [endX, endY, labelY] = [x.at(own.at(-1)?.x ?? 1), y.at(own.at(-1)?.y ?? 1), labelAt[place] ?? 0]
    const leader = `<path d="M${endX + 6} ${endY}L${right + 8} ${labelY}h8" stroke="${colour}" stroke-opacity=".5" fill="none"/>`
    const name = text(label, { x: right + 20, y: labelY + 4, anchor: 'start' })
    return `<polyline class="line" stroke="${colour}" points="${path}"/>${dots.join('')}${leader}${name}`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label="${escape(plot.title)}">`,
    `<style>${STYLE}</style>`,
    `<text class="title" x="${FRAME.left}" y="22">${escape(plot.title)}</text>`,
    ...grid,
    ...lines,
    text(plot.x, { x: (FRAME.left + right) / 2, y: SIZE.height - 12, anchor: 'middle' }),
    `<text text-anchor="middle" transform="translate(16 ${(FRAME.top + bottom) / 2}) rotate(-90)">${escape(plot.y)}</text>`,
    '</svg>',
    '',
  ].join('\n')
}

interface Scale {
  ticks: number[]
  at(value: number): number
}

/** From the power of ten below the least to the one above the most. */
function logScale(values: readonly number[], pixels: { from: number; to: number }): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  const ticks = Array.from({ length: high - low + 1 }, (_, place) => 10 ** (low + place))
  const at = (value: number) =>
    Math.round(pixels.from + ((Math.log10(value) - low) / (high - low)) * (pixels.to - pixels.from))
  return { ticks, at }
}

/** As near to where they should be as a line of text allows. */
function spread(wanted: readonly number[]): number[] {
  const order = wanted.map((at, place) => ({ at, place })).sort((a, b) => a.at - b.at)
  for (const [index, one] of order.entries()) {
    const above = order[index - 1]
    if (above) one.at = Math.max(one.at, above.at + LABEL_GAP)
  }
  const overflow = Math.max(0, (order.at(-1)?.at ?? 0) - (SIZE.height - FRAME.bottom))
  const placed = Array.from<number>({ length: wanted.length })
  for (const { at, place } of order) placed[place] = at - overflow
  return placed
}

function tellTick(value: number): string {
  return value < 1_000 ? String(Number(value.toPrecision(2))) : value.toLocaleString('en-GB')
}

function ruler(line: { x1: number; x2: number; y1: number; y2: number }): string {
  return `<line class="grid" x1="${line.x1}" x2="${line.x2}" y1="${line.y1}" y2="${line.y2}"/>`
}

function text(words: string, at: { x: number; y: number; anchor: 'start' | 'middle' | 'end' }): string {
  return `<text text-anchor="${at.anchor}" x="${at.x}" y="${at.y}">${escape(words)}</text>`
}

function escape(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
