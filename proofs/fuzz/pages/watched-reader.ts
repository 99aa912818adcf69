import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Portion, ReadPage, ThreadStart } from './reader-thread.ts'
import type { SeedPages } from './seed-pages.ts'

const THREAD = join(import.meta.dirname, 'reader-thread.ts')
/** A worker of the product has more; a page that needs it all is a page too greedy. */
const HEAP_MB_MAX = 768
const LOOK_EVERY_MS = 500

export interface WatchedReader {
  /** Returns every page of the portion. Where a thread hung or died, the page says so, and another thread goes on after it. */
  read(portion: Portion): Promise<ReadPage[]>
  close(): Promise<void>
}

interface Thread {
  worker: Worker
  /** The page that is being read, and how many have been begun. */
  current: Int32Array
}

/** Reads in a thread, and ends it when one page takes longer than `hangMs`. */
export function openReader(start: { seed: number; seeds: SeedPages; hangMs: number }): WatchedReader {
  let thread: Thread | null = null
  return {
    read: async ({ from, count }) => {
      const pages: ReadPage[] = []
      while (pages.length < count) {
        thread ??= openThread(start)
        const lost = await readIn(
          thread,
          { from: from + pages.length, count: count - pages.length },
          pages,
          start.hangMs,
        )
        if (lost === null) break
        await thread.worker.terminate()
        thread = null
        pages.push(lost)
      }
      return pages
    },
    close: async () => void (await thread?.worker.terminate()),
  }
}

function openThread({ seed, seeds }: { seed: number; seeds: SeedPages }): Thread {
  const state = new SharedArrayBuffer(8)
  const workerData: ThreadStart = { seed, seeds, state }
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB_MAX }
  return { worker: new Worker(THREAD, { workerData, resourceLimits }), current: new Int32Array(state) }
}

/** Adds to `pages` what was read. Returns the page on which the thread ended, or null. */
function readIn(
  { worker, current }: Thread,
  portion: Portion,
  pages: ReadPage[],
  hangMs: number,
): Promise<ReadPage | null> {
  return new Promise((resolve) => {
    const wanted = pages.length + portion.count
    let seen = -1
    let seenAtMs = performance.now()
    const end = (failure: string | null) => {
      clearInterval(looking)
      worker.off('message', onPage).off('error', onError)
      const index = portion.from + portion.count - (wanted - pages.length)
      const lost = { index, kind: 'lost', bytes: 0, cpuMs: 0, answerCharacters: 0, heapMb: 0 }
      resolve(failure === null ? null : { ...lost, failure })
    }
    const looking = setInterval(() => {
      const begun = Atomics.load(current, 1)
      if (begun !== seen) {
        seen = begun
        seenAtMs = performance.now()
      } else if (begun > 0 && performance.now() - seenAtMs > hangMs) end('hang')
    }, LOOK_EVERY_MS)
    const onPage = (page: ReadPage) => {
      pages.push(page)
      if (pages.length === wanted) end(null)
    }
    const onError = (error: Error) => end(`crash: ${error.message}`)
    worker.on('message', onPage).on('error', onError)
    worker.postMessage(portion)
  })
}
