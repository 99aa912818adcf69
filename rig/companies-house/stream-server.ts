/** The streaming API: one endless answer per stream, from a timepoint on or from now on. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { STREAM_STARTS, type StreamName } from './event-log.ts'
import { type FaultSwitch, faultAnswer, type StreamFault } from './faults.ts'
import { authenticate } from './loopback-server.ts'
import type { Register } from './register.ts'
import type { StreamStats } from './stats.ts'
import { StreamConnection } from './stream-connection.ts'

export interface StreamOptions {
  keys: readonly string[]
  heartbeatMs: number
  /** After which the register hangs up. */
  connectionLifeMs: number
  /** One connection too many ends the oldest one. */
  connectionsPerKeyMax: number
}

const ANSWERED_FAULTS: readonly StreamFault[] = ['answer429', 'answer500', 'answer502', 'answer503', 'answer504']

export class StreamApi {
  readonly #register: Register
  readonly #options: StreamOptions
  readonly #faults: FaultSwitch<StreamFault>
  readonly #stats: StreamStats
  /** Oldest first. */
  readonly #connections = new Set<StreamConnection>()

  constructor(
    register: Register,
    options: StreamOptions,
    watch: { faults: FaultSwitch<StreamFault>; stats: StreamStats },
  ) {
    this.#register = register
    this.#options = options
    this.#faults = watch.faults
    this.#stats = watch.stats
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const at = this.#register.clock.now().getTime()
    const { key, status } = this.#answer(request, response)
    this.#stats.record({ at, key, path: request.url ?? '', status })
  }

  /** Hangs up on everyone. */
  cut(): void {
    for (const connection of this.#connections) connection.cut()
  }

  #answer(request: IncomingMessage, response: ServerResponse): { key: string | null; status: number } {
    if (this.#faults.strikes('refuse')) {
      request.socket.destroy()
      return { key: null, status: 0 }
    }
    const key = authenticate(request, response, this.#options.keys)
    if (key === null) return { key, status: 401 }
    const trouble = faultAnswer(this.#faults, ANSWERED_FAULTS)
    if (trouble) {
      response.writeHead(trouble.status, { 'Content-Type': trouble.contentType }).end(trouble.body)
      return { key, status: trouble.status }
    }
    const status = this.#open(new URL(request.url ?? '/', 'http://register'), key, response)
    if (status !== 200) response.writeHead(status).end()
    return { key, status }
  }

  #open(url: URL, key: string, response: ServerResponse): number {
    const stream = url.pathname.slice(1)
    if (!isStreamName(stream)) return 404
    const log = this.#register.logs[stream]
    const asked = url.searchParams.get('timepoint')
    if (asked !== null && !/^\d{1,18}$/.test(asked)) return 400
    const timepoint = asked === null ? log.head + 1 : Number(asked)
    if (!log.isRetained(timepoint)) return 416
    this.#makeRoom(key)
    const counts = this.#stats.of(stream)
    const connection = new StreamConnection({
      key,
      log,
      timepoint,
      response,
      faults: this.#faults,
      heartbeatMs: this.#options.heartbeatMs,
      lifeMs: this.#options.connectionLifeMs,
      onLine: () => (counts.lines += 1),
      onEnd: () => {
        this.#connections.delete(connection)
        counts.open -= 1
      },
    })
    this.#connections.add(connection)
    counts.opened += 1
    counts.open += 1
    connection.start()
    return 200
  }

  #makeRoom(key: string): void {
    const sameKey = [...this.#connections].filter((connection) => connection.key === key)
    if (sameKey.length >= this.#options.connectionsPerKeyMax) sameKey[0]?.cut()
  }
}

function isStreamName(name: string): name is StreamName {
  return Object.hasOwn(STREAM_STARTS, name)
}
