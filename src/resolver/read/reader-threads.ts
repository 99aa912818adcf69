import { availableParallelism } from 'node:os'
import { IsolatedThreads, type IsolatedThreadsOptions } from '../../lib/isolated-threads.ts'

const PROGRAM = new URL('./reader-thread.ts', import.meta.url)
const LIMITS: Omit<IsolatedThreadsOptions, 'program'> = {
  threads: Math.min(4, availableParallelism()),
  // A crawl has at most two pages in the queue.
  queueMax: 500,
  heapMbMax: 256,
  // Most pages take a few milliseconds; the worst page we built took 1.5 seconds.
  cpuMsMax: 5_000,
}

/** Returns threads that parse what sites send. They start when they are needed, and do not keep the process alive. */
export function openReaderThreads(options: Partial<typeof LIMITS> = {}): IsolatedThreads {
  return new IsolatedThreads({ ...LIMITS, ...options, program: PROGRAM })
}
