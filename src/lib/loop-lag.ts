/** How long this process could do nothing else: what times out meanwhile is our own doing, not the other side's. */
const TICK_MS = 100
/** A tick may come a little late on any machine. */
const TOLERATED_MS = 50

let lagMs = 0
let timer: NodeJS.Timeout | undefined
let expectedAtMs = 0

/** Counted from the first call on: compare two readings. */
export function readLoopLagMs(): number {
  if (timer === undefined) {
    expectedAtMs = performance.now() + TICK_MS
    timer = setInterval(count, TICK_MS).unref()
  }
  // A stall that has just ended is counted although its tick has not come yet.
  return lagMs + lateMs()
}

function count(): void {
  lagMs += lateMs()
  expectedAtMs = performance.now() + TICK_MS
}

function lateMs(): number {
  return Math.max(0, performance.now() - expectedAtMs - TOLERATED_MS)
}
