import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** The way a thread failed at its task. */
export class ThreadFailure extends Error {
  readonly reason: 'time' | 'memory' | 'crash'

  constructor(reason: ThreadFailure['reason'], cause?: unknown) {
    super(`a task in a thread ended by ${reason}`, { cause })
    this.name = 'ThreadFailure'
    this.reason = reason
  }
}

/** Too many tasks wait already. The task was not looked at, and can be sent again. */
export class ThreadsBusy extends Error {
  constructor() {
    super('too many tasks wait for a thread')
    this.name = 'ThreadsBusy'
  }
}

export interface IsolatedThreadsOptions {
  /** Receives one task at a time as a message and posts its result. */
  program: URL
  /** Given to each thread at its start. */
  data?: object
  threads: number
  /** More tasks than this never wait; the next one is refused. */
  queueMax: number
  heapMbMax: number
  /** Processor time for one task. */
  cpuMsMax: number
}

interface Task {
  message: object
  transfer: ArrayBuffer[]
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/** Nothing of ours, but for the directory of compiled modules: with it, a thread starts in a third of the time. */
export function threadEnvironment(): NodeJS.Dict<string> {
  const compiled = getCompileCacheDir()
  return compiled ? { NODE_COMPILE_CACHE: dirname(compiled) } : {}
}

const LOOK_EVERY_MS = 200
/** A thread that got no processor for so long says nothing about its task: that is our own failure. */
const WAIT_MS_MAX = 30_000

/**
 * Runs what may go wrong in threads of their own: with a bound of memory and of processor time, and with nothing of ours but
 * the task and the directory of compiled modules. A thread that passes a bound is ended and replaced; this process lives on.
 */
export class IsolatedThreads {
  readonly #options: IsolatedThreadsOptions
  readonly #idle: Worker[] = []
  readonly #queue: Task[] = []
  #running = 0

  constructor(options: IsolatedThreadsOptions) {
    this.#options = options
  }

  /** Throws `ThreadFailure` for what the task did, `ThreadsBusy` where too many wait, and any other error for a failure of our own. */
  run(message: object, transfer: ArrayBuffer[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const task = { message, transfer, resolve, reject }
      if (this.#running < this.#options.threads) this.#start(task)
      else if (this.#queue.length < this.#options.queueMax) this.#queue.push(task)
      else reject(new ThreadsBusy())
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()))
  }

  #start(task: Task): void {
    this.#running += 1
    const worker = this.#idle.pop() ?? this.#open()
    worker.ref()
    void this.#perform(worker, task).then((isUsable) => {
      this.#running -= 1
      if (isUsable) {
        worker.unref()
        this.#idle.push(worker)
      } else void worker.terminate()
      const next = this.#queue.shift()
      if (next) this.#start(next)
    })
  }

  #open(): Worker {
    const { program, data, heapMbMax } = this.#options
    const resourceLimits = { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
    const worker = new Worker(program, {
      env: threadEnvironment(),
      execArgv: [],
      argv: [],
      workerData: data,
      resourceLimits,
    })
    // One that dies while it has no task is not used again.
    worker.on('error', () => this.#forget(worker)).on('exit', () => this.#forget(worker))
    return worker
  }

  #forget(worker: Worker): void {
    const at = this.#idle.indexOf(worker)
    if (at !== -1) this.#idle.splice(at, 1)
  }

  /** Whether the thread can be used again. Never throws: the task gets the error. */
  async #perform(worker: Worker, task: Task): Promise<boolean> {
    const watch = new AbortController()
    const finished = Promise.withResolvers<unknown>()
    const onError = (error: unknown) => finished.reject(toFailure(error))
    const onExit = () => finished.reject(new ThreadFailure('crash'))
    worker.on('message', finished.resolve).on('error', onError).on('exit', onExit)
    try {
      worker.postMessage(task.message, task.transfer)
      task.resolve(await Promise.race([finished.promise, this.#overrun(worker, watch.signal)]))
      return true
    } catch (error) {
      task.reject(error instanceof Error ? error : new Error(String(error)))
      return false
    } finally {
      watch.abort()
      worker.off('message', finished.resolve).off('error', onError).off('exit', onExit)
    }
  }

  /** Rejects when the task has used its time. */
  async #overrun(worker: Worker, signal: AbortSignal): Promise<never> {
    const startedAtMs = performance.now()
    let used: { user: number; system: number } | null = null
    const timer = Promise.withResolvers<never>()
    const looking = setInterval(() => {
      const waitedMs = performance.now() - startedAtMs
      if (waitedMs > WAIT_MS_MAX) timer.reject(new Error('a thread did not finish its task in time'))
      worker.cpuUsage().then(
        (now) => {
          used ??= now
          const cpuMs = (now.user + now.system - used.user - used.system) / 1_000
          if (cpuMs > this.#options.cpuMsMax) timer.reject(new ThreadFailure('time'))
        },
        // It has just ended; its own event says how.
        () => {},
      )
    }, LOOK_EVERY_MS)
    signal.addEventListener('abort', () => clearInterval(looking), { once: true })
    return timer.promise
  }
}

function toFailure(error: unknown): ThreadFailure {
  const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return new ThreadFailure(isMemory ? 'memory' : 'crash', error)
}
