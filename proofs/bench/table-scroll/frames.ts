/** Scrolls the table in the page itself, one step a frame, and measures the frames. */
import type { Page } from 'playwright-core'
import { quantile } from '../../../rig/statistics.ts'

export interface Frames {
  perSecond: number
  p50Ms: number
  p95Ms: number
  /** The share of frames within 17.5 ms: one at 60 a second, with the clock's own error. */
  inTimeShare: number
  longTasks: number
  longestTaskMs: number
  /** CPU of the page's own thread for a frame, which hardly depends on what else runs on the machine. */
  cpuMs: number
  rowsPassed: number
}

const IN_TIME_MS = 17.5
const ROW_PX = 40

interface Seen {
  deltas: number[]
  long: number[]
  passedPx: number
}

/** Turns round at the ends, so that it can go on for any time. */
const SCROLL = (pixels: number, ms: number) => `new Promise((done) => {
  const table = document.querySelector('.results-grid')
  const deltas = []
  const long = []
  const watch = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) long.push(duration)
  })
  watch.observe({ type: 'longtask' })
  let way = 1
  let passedPx = 0
  let last = performance.now()
  const end = last + ${ms}
  const step = (now) => {
    deltas.push(now - last)
    last = now
    if (table.scrollTop + table.clientHeight >= table.scrollHeight - 1) way = -1
    if (table.scrollTop <= 0) way = 1
    table.scrollTop += way * ${pixels}
    passedPx += ${pixels}
    if (now < end) return void requestAnimationFrame(step)
    // A long task is reported after it.
    setTimeout(() => {
      watch.disconnect()
      done({ deltas: deltas.slice(1), long, passedPx })
    }, 300)
  }
  requestAnimationFrame(step)
})`

export async function measureFrames(page: Page, ask: { pixelsPerFrame: number; ms: number }): Promise<Frames> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readCpu = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  const before = await readCpu()
  const { deltas, long, passedPx } = (await page.evaluate(SCROLL(ask.pixelsPerFrame, ask.ms))) as Seen
  const cpuSeconds = (await readCpu()) - before
  await session.detach()
  const whole = deltas.reduce((total, delta) => total + delta, 0)
  return {
    perSecond: (deltas.length * 1_000) / whole,
    p50Ms: quantile(deltas, 0.5),
    p95Ms: quantile(deltas, 0.95),
    inTimeShare: deltas.filter((delta) => delta <= IN_TIME_MS).length / deltas.length,
    longTasks: long.length,
    longestTaskMs: Math.max(0, ...long),
    cpuMs: (cpuSeconds * 1_000) / deltas.length,
    rowsPassed: Math.round(passedPx / ROW_PX),
  }
}
