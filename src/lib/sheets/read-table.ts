/**
 * Tables that people send: CSV in any usual form, workbooks (XLSX) and pasted cells. A thread of its own reads each, within
 * bounds of memory and time, because the files come from strangers. Throws `UnreadableTable` with a sentence for the person,
 * and `ThreadsBusy` where too many are read at once.
 */
import { Worker } from 'node:worker_threads'
import { ThreadsBusy, threadEnvironment } from '../isolated-threads.ts'
import { Semaphore } from '../limits/semaphore.ts'
import type { Cell } from './cell.ts'
import type { ReadingTask, ThreadMessage } from './reading-thread.ts'
import type { ReadOptions, TableShape } from './table-shape.ts'
import { LIMITS, UnreadableTable } from './unreadable-table.ts'

/** Rows of a preview. */
export const PREVIEW_ROWS = 50
const HEAP_MB_MAX = 256
const CPU_MS_MAX = 40_000
/** A thread that gives nothing for so long got no processor. */
const WAIT_MS_MAX = 60_000
const LOOK_EVERY_MS = 200
const readings = new Semaphore({ slots: 2, queueMax: 6 })
const PROGRAM = new URL('./reading-thread.ts', import.meta.url)

/** Returns the sheets of a table with their size, what is unusual in them, and the first rows of one. */
export async function inspectTable(
  bytes: Uint8Array,
  options: { sheet?: string | undefined } = {},
): Promise<TableShape> {
  for await (const message of runThread({ kind: 'inspect', bytes, sheet: options.sheet, previewRows: PREVIEW_ROWS }))
    if (message.kind === 'shape') return message.shape
  throw new Error('the thread ended without a shape')
}

/**
 * Yields the rows of one sheet in batches, in their order, empty ones among them; those after the last cell are left out.
 * Rows may differ in length.
 */
export async function* readTable(bytes: Uint8Array, options: ReadOptions): AsyncGenerator<Cell[][]> {
  for await (const message of runThread({ kind: 'read', bytes, sheet: options.sheet, rowsMax: options.rowsMax }))
    if (message.kind === 'rows') yield message.rows
}

async function* runThread(task: ReadingTask): AsyncGenerator<ThreadMessage> {
  if (task.bytes.length > LIMITS.bytes) throw tooLarge()
  const leave = await readings.enter()
  if (!leave) throw new ThreadsBusy()
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }
  const worker = new Worker(PROGRAM, {
    env: threadEnvironment(),
    execArgv: [],
    argv: [],
    workerData: task,
    resourceLimits,
  })
  const arrived: ThreadMessage[] = []
  let failure: Error | null = null
  let wake = Promise.withResolvers<void>()
  const fail = (error: Error) => {
    failure ??= error
    wake.resolve()
  }
  worker
    .on('message', (message: ThreadMessage) => {
      arrived.push(message)
      wake.resolve()
    })
    .on('error', (error) => fail(toRefusal(error)))
    .on('exit', () => fail(new Error('the thread that reads a table ended early')))
  const watching = watchTime(worker, fail)
  try {
    for (;;) {
      const message = arrived.shift()
      if (message === undefined) {
        if (failure) throw failure
        wake = Promise.withResolvers<void>()
        const timer = setTimeout(() => fail(new Error('a table was not read in time')), WAIT_MS_MAX)
        await wake.promise.finally(() => clearTimeout(timer))
        continue
      }
      if (message.kind === 'refused') throw new UnreadableTable(message.message)
      yield message
      if (message.kind === 'end' || message.kind === 'shape') return
      // The thread is at most two batches ahead of the reader.
      worker.postMessage('next')
    }
  } finally {
    clearInterval(watching)
    await worker.terminate()
    leave()
  }
}

function watchTime(worker: Worker, fail: (error: Error) => void): NodeJS.Timeout {
  return setInterval(() => {
    worker.cpuUsage().then(
      ({ user, system }) => {
        if ((user + system) / 1_000 > CPU_MS_MAX)
          fail(new UnreadableTable('This file takes too long to read. Send fewer rows, or save the sheet as CSV.'))
      },
      // It has just ended; its own event says how.
      () => {},
    )
  }, LOOK_EVERY_MS)
}

function toRefusal(error: unknown): Error {
  const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isMemory)
    return new UnreadableTable('This file takes too much memory to read. Send fewer rows, or save the sheet as CSV.')
  return error instanceof Error ? error : new Error(String(error))
}

function tooLarge(): UnreadableTable {
  const most = LIMITS.bytes / 1_024 / 1_024
  return new UnreadableTable(
    `The file is larger than ${most} MB. Remove columns or pictures, or send the rows in several files.`,
  )
}
