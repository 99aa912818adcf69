/** Which files of `src` run while something is done, in this thread and in all threads that this process has started. */

import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'

type Coverage = Profiler.TakePreciseCoverageReturnType

const COUNT_CALLS = { callCount: true, detailed: false }
const ATTACH_MS = 200

export class CodeCoverage implements Disposable {
  readonly #session = new Session()
  readonly #threads = new Set<string>()
  readonly #waiting = new Map<number, (result: Coverage) => void>()
  #sent = 0

  /** Threads that are started later are not seen. */
  static async start(): Promise<CodeCoverage> {
    const coverage = new CodeCoverage()
    await coverage.#start()
    return coverage
  }

  async #start(): Promise<void> {
    const session = this.#session
    session.connect()
    session.on('NodeWorker.attachedToWorker', ({ params }) => void this.#threads.add(params.sessionId))
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
      const { id, result } = JSON.parse(params.message) as { id: number; result: Coverage }
      this.#waiting.get(id)?.(result)
      this.#waiting.delete(id)
    })
    await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
    await sleep(ATTACH_MS)
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', COUNT_CALLS)
    for (const thread of this.#threads) {
      await this.#ask(thread, 'Profiler.enable')
      await this.#ask(thread, 'Profiler.startPreciseCoverage', COUNT_CALLS)
    }
  }

  /** Returns the files of `src` of which a named function runs during `work`. */
  async trace(work: () => Promise<unknown>): Promise<Set<string>> {
    await this.#take()
    await work()
    const ran = (await this.#take()).filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
    )
    return new Set(ran.flatMap(({ url }) => /\/(src\/[\w/.-]+\.ts)$/.exec(url)?.[1] ?? []))
  }

  /** Returns what ran since this was last called. */
  async #take(): Promise<Coverage['result']> {
    const method = 'Profiler.takePreciseCoverage'
    const taken = await Promise.all([
      this.#session.post(method),
      ...[...this.#threads].map((thread) => this.#ask(thread, method)),
    ])
    return taken.flatMap(({ result }) => result)
  }

  #ask(sessionId: string, method: string, params: object = {}): Promise<Coverage> {
    this.#sent += 1
    const { promise, resolve } = Promise.withResolvers<Coverage>()
    this.#waiting.set(this.#sent, resolve)
    const message = JSON.stringify({ id: this.#sent, method, params })
    void this.#session.post('NodeWorker.sendMessageToWorker', { sessionId, message })
    return promise
  }

  [Symbol.dispose](): void {
    this.#session.disconnect()
  }
}
