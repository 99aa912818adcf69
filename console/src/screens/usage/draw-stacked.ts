import uPlot from 'uplot'
import { showNumber } from '../../ui/words.ts'
import type { Layer } from './usage-figures.ts'

const HEIGHT_PX = 240
const BAR_SHARE = 0.72
const BAR_PX_MAX = 26
const AXIS_PX = 44
const DAYS_AXIS_PX = 28
const TICKS_APART_PX = 70

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/**
 * Bars that stand on each other: each layer is drawn from zero to the sum of itself and those below it, the highest
 * first, so that the lower ones cover what is not its own.
 */
export function drawStacked(
  target: HTMLElement,
  chart: { layers: Layer[]; days: string[]; onPoint: (place: number | null) => void },
): { options: uPlot.Options; data: uPlot.AlignedData } {
  const { layers, days, onPoint } = chart
  const sums = sumUp(layers, days.length).reverse()
  const paths = uPlot.paths.bars?.({ size: [BAR_SHARE, BAR_PX_MAX] })
  const highestFirst = [...layers].reverse()
  const series = highestFirst.map(({ outcome }) => {
    const fill = colourOf(target, outcome.colour)
    return { label: outcome.says, fill, width: 0, points: { show: false }, ...(paths ? { paths } : {}) }
  })
  const options = {
    width: target.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    hooks: { setCursor: [({ cursor }: uPlot) => onPoint(cursor.idx ?? null)] },
    tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    scales: { x: { time: true, range: rangeOfDays }, y: { range: rangeOfSums } },
    axes: axesOf(target),
    series: [{}, ...series],
  } satisfies uPlot.Options
  return { options, data: [days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1_000), ...sums] }
}

/** What was given back hangs below zero, and lowers nothing above it. */
function sumUp(layers: Layer[], length: number): number[][] {
  const spent = Array.from({ length }, () => 0)
  const back = Array.from({ length }, () => 0)
  return layers.map(({ values }) =>
    values.map((value, day) => {
      const sums = value < 0 ? back : spent
      return (sums[day] = (sums[day] ?? 0) + value)
    }),
  )
}

const HALF_DAY_SECONDS = 43_200
const rangeOfDays = (_: uPlot, min: number, max: number): uPlot.Range.MinMax => [
  min - HALF_DAY_SECONDS,
  max + HALF_DAY_SECONDS,
]
/** From zero, or from below where more was given back than spent; never a flat line at the edge. */
const rangeOfSums = (_: uPlot, min: number, max: number): uPlot.Range.MinMax => [
  Math.min(0, min),
  Math.max(4, max * 1.1),
]

function axesOf(target: HTMLElement): uPlot.Axis[] {
  const stroke = colourOf(target, '--soft')
  const line = { stroke: colourOf(target, '--line'), width: 1 }
  const font = `12px ${getComputedStyle(target).fontFamily}`
  const look = { stroke, font, ticks: { show: false }, grid: line }
  return [
    {
      ...look,
      grid: { show: false },
      size: DAYS_AXIS_PX,
      space: TICKS_APART_PX,
      values: (_, seconds) => seconds.map((each) => DAY.format(new Date(each * 1_000))),
    },
    {
      ...look,
      size: AXIS_PX,
      // There is no half answer.
      incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000],
      values: (_, counts) => counts.map(showNumber),
    },
  ]
}

/** A token as the canvas needs it: `light-dark()` is only decided where it colours something. */
function colourOf(target: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  target.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
