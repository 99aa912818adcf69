/** Runs `work` with a signal that is raised when the time is over, or when the caller's own signal is. */
export async function withinTime<T>(
  bounds: { timeoutMs: number; signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const timer = setTimeout(stop, bounds.timeoutMs)
  bounds.signal?.addEventListener('abort', stop, { once: true })
  if (bounds.signal?.aborted) stop()
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    bounds.signal?.removeEventListener('abort', stop)
  }
}

export class Aborted extends Error {}

/** Waits for something that cannot be stopped, no longer than until the signal is raised. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(new Aborted('aborted', { cause: signal.reason }))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
