import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Pieces a thread holds at once: one at work, one waiting. More would only fill memory. */
const PIECES_PER_THREAD = 2
/** Rows live for moments; without a bound the collector would let them pile up. */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 128 }

/** A program for threads: it says `ready` once, and then sends one result for each piece (`servePieces`). */
export interface ThreadProgram {
  url: URL
  threadCount: number
  task: unknown
}

/** A piece as a thread gets it: `slot` names the memory of its bytes. */
export interface HandedPiece<Piece> {
  piece: Piece
  slot: number
}

/** The answer of a thread to a piece, whose memory is free again. */
export interface PieceDone<Result> {
  result: Result
  slot: number
}

/**
 * Gives pieces to threads, never more than they can hold, and yields results as they come, in any order. The bytes of a
 * piece are copied to memory that its thread shares.
 */
export async function* runInThreads<Result>(
  pieces: AsyncIterable<{ bytes: Uint8Array }>,
  { url, threadCount, task }: ThreadProgram,
): AsyncGenerator<Result> {
  const threads = await startThreads(threadCount, () => startThread(url, task))
  const waiting: Result[] = []
  let failure: Error | undefined
  let wake = Promise.withResolvers<void>()
  const held = new Map(threads.map((thread) => [thread, new SharedPieces()]))
  for (const [thread, memory] of held) {
    thread.on('message', ({ result, slot }: PieceDone<Result>) => {
      memory.free(slot)
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
      let free = leastLoaded(held)
      while (!free) {
        await sleep()
        yield* waiting.splice(0)
        free = leastLoaded(held)
      }
      free.thread.postMessage(free.memory.hand(piece))
    }
    while (waiting.length > 0 || [...held.values()].some(({ count }) => count > 0)) {
      await sleep()
      yield* waiting.splice(0)
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
}

function leastLoaded(held: ReadonlyMap<Worker, SharedPieces>): { thread: Worker; memory: SharedPieces } | null {
  const [first] = [...held].sort(([, a], [, b]) => a.count - b.count)
  return first && first[1].count < PIECES_PER_THREAD ? { thread: first[0], memory: first[1] } : null
}

/** Where one does not start, the others end. */
async function startThreads(count: number, start: () => Promise<Worker>): Promise<Worker[]> {
  const started = await Promise.allSettled(Array.from({ length: count }, start))
  const threads = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failure = started.find((one) => one.status === 'rejected')
  if (!failure) return threads
  await Promise.all(threads.map((thread) => thread.terminate()))
  throw failure.reason
}

async function startThread(url: URL, task: unknown): Promise<Worker> {
  const thread = new Worker(url, { workerData: task, resourceLimits: THREAD_MEMORY })
  await once(thread, 'message')
  return thread
}

/**
 * Memory for the pieces that a thread holds, shared with it. A new buffer for each piece would have the collectors of both
 * threads run all the time.
 */
class SharedPieces {
  readonly #slots = Array.from({ length: PIECES_PER_THREAD }, () => ({
    memory: new Uint8Array(new SharedArrayBuffer(0)),
    isFree: true,
  }))

  /** Copies the bytes to free memory. */
  hand<Piece extends { bytes: Uint8Array }>(piece: Piece): HandedPiece<Piece> {
    const slot = this.#slots.findIndex(({ isFree }) => isFree)
    const found = this.#slots[slot]
    if (!found) throw new Error('the thread holds all the pieces it can')
    const { length } = piece.bytes
    if (found.memory.length < length) found.memory = new Uint8Array(new SharedArrayBuffer(2 * length))
    found.memory.set(piece.bytes)
    found.isFree = false
    return { piece: { ...piece, bytes: found.memory.subarray(0, length) }, slot }
  }

  free(slot: number): void {
    const found = this.#slots[slot]
    if (found) found.isFree = true
  }

  /** How many pieces the thread holds. */
  get count(): number {
    return this.#slots.filter(({ isFree }) => !isFree).length
  }
}
