const PERIOD_MS = 5_000

/** Says how long it has been, every few seconds, so that nobody takes a long step for one that hangs. */
export function tellTime(say: (line: string) => void): Disposable {
  const startedAtMs = performance.now()
  const timer = setInterval(() => say(`… ${Math.round((performance.now() - startedAtMs) / 1_000)} s`), PERIOD_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
