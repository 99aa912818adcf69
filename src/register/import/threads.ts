import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Pieces a thread holds at once: one at work, one waiting. More would only fill memory. */
const PIECES_PER_THREAD = 2
/** Rows live for moments; without a bound the collector would let them pile up. */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 128 }

/** A program for threads: it says `ready` once, and then sends one result for each piece. */
export interface ThreadProgram {
  url: URL
  threadCount: number
  task: unknown
}

/**
 * Gives pieces to threads, never more than they can hold, and yields results as they come, in any order. The bytes of a
 * piece are copied, so that the threads own theirs.
 */
export async function* runInThreads<Result>(
  pieces: AsyncIterable<{ bytes: Uint8Array }>,
  { url, threadCount, task }: ThreadProgram,
): AsyncGenerator<Result> {
  const threads = await Promise.all(Array.from({ length: threadCount }, () => startThread(url, task)))
  const waiting: Result[] = []
  let failure: Error | undefined
  let wake = Promise.withResolvers<void>()
  const load = new Map(threads.map((thread) => [thread, 0]))
  for (const thread of threads) {
    thread.on('message', (result: Result) => {
      load.set(thread, (load.get(thread) ?? 1) - 1)
      waiting.push(result)
      wake.resolve()
    })
    thread.on('error', (error: Error) => {
      failure = error
      wake.resolve()
    })
  }
  const sleep = async () => {
    if (failure) throw failure
    if (waiting.length === 0) await wake.promise
    wake = Promise.withResolvers<void>()
    if (failure) throw failure
  }
  try {
    for await (const piece of pieces) {
      let free = leastLoaded(load)
      while (!free) {
        await sleep()
        yield* waiting.splice(0)
        free = leastLoaded(load)
      }
      load.set(free, (load.get(free) ?? 0) + 1)
      const copy = new Uint8Array(piece.bytes)
      free.postMessage({ ...piece, bytes: copy }, [copy.buffer])
    }
    while (waiting.length > 0 || [...load.values()].some((count) => count > 0)) {
      await sleep()
      yield* waiting.splice(0)
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
}

function leastLoaded(load: ReadonlyMap<Worker, number>): Worker | null {
  const [[thread, count] = []] = [...load].sort(([, a], [, b]) => a - b)
  return thread && count !== undefined && count < PIECES_PER_THREAD ? thread : null
}

async function startThread(url: URL, task: unknown): Promise<Worker> {
  const thread = new Worker(url, { workerData: task, resourceLimits: THREAD_MEMORY })
  await once(thread, 'message')
  return thread
}
