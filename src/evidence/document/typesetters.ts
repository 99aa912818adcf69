import { IsolatedThreads } from '../../lib/isolated-threads.ts'

const PROGRAM = new URL('./typesetting-thread.ts', import.meta.url)
/** A document takes some milliseconds; the first of a thread, with its typefaces, a little longer. */
const LIMITS = { threads: 1, queueMax: 50, heapMbMax: 256, cpuMsMax: 5_000 }

/** Returns the thread that sets evidence documents, whose words come from sites. It starts when it is needed. */
export function openTypesetters(): IsolatedThreads {
  return new IsolatedThreads({ ...LIMITS, program: PROGRAM })
}
