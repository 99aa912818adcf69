/** The streaming API: one endless answer per stream, from a timepoint on or from now on. */

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EventLog, STREAM_STARTS, type StreamName } from './event-log.ts'
import { type FaultSwitch, faultAnswer, type StreamFault } from './faults.ts'
import { authenticate } from './loopback-server.ts'
import type { Register } from './register.ts'
import type { StreamStats } from './stats.ts'

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

interface ConnectionParts {
  key: string
  log: EventLog
  timepoint: number
  response: ServerResponse
  faults: FaultSwitch<StreamFault>
  heartbeatMs: number
  lifeMs: number
  onLine: () => void
  onEnd: () => void
}

class StreamConnection {
  readonly key: string
  readonly #parts: ConnectionParts
  #nextTimepoint: number
  #isPumping = false
  #hasEnded = false
  #stopListening: () => void = () => {}
  #heartbeat: NodeJS.Timeout | undefined
  #life: NodeJS.Timeout | undefined

  constructor(parts: ConnectionParts) {
    this.key = parts.key
    this.#parts = parts
    this.#nextTimepoint = parts.timepoint
  }

  start(): void {
    const { response, log, heartbeatMs, lifeMs } = this.#parts
    // Nothing reaches the reader before the first line or heartbeat, not even these headers.
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' })
    response.on('close', () => this.#end())
    this.#stopListening = log.listen(() => void this.#pump())
    this.#heartbeat = setInterval(() => {
      if (!this.#isPumping) response.write('\n')
    }, heartbeatMs).unref()
    this.#life = setTimeout(() => response.end(), lifeMs).unref()
    void this.#pump()
  }

  /** Without a goodbye, as a broken network does it. */
  cut(): void {
    this.#end()
    this.#parts.response.destroy()
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return
    this.#isPumping = true
    const { log } = this.#parts
    while (!this.#hasEnded && this.#nextTimepoint <= log.head) {
      const line = log.lineAt(this.#nextTimepoint)
      if (line === undefined) {
        this.cut()
        return
      }
      await this.#sendLine(line)
      this.#nextTimepoint += 1
    }
    this.#isPumping = false
  }

  async #sendLine(line: string): Promise<void> {
    const { faults, onLine } = this.#parts
    if (faults.strikes('delay')) await sleep(faults.delayMs)
    if (this.#hasEnded) return
    if (faults.strikes('drop')) return this.cut()
    const bytes = Buffer.from(`${line}\n`)
    const middle = middleOf(bytes)
    if (faults.strikes('halfLine')) {
      // The half must arrive before the cut, or it would be a drop like any other.
      this.#parts.response.write(bytes.subarray(0, middle), () => this.cut())
      await once(this.#parts.response, 'close')
      return
    }
    if (faults.strikes('splitLine')) {
      await this.#write(bytes.subarray(0, middle))
      await sleep(5)
      await this.#write(bytes.subarray(middle))
    } else {
      await this.#write(bytes)
    }
    onLine()
    if (faults.strikes('duplicate')) {
      await this.#write(bytes)
      onLine()
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    const { response } = this.#parts
    if (this.#hasEnded || response.write(bytes)) return
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done).off('close', done)
        resolve()
      }
      response.on('drain', done).on('close', done)
    })
  }

  #end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#stopListening()
    clearInterval(this.#heartbeat)
    clearTimeout(this.#life)
    this.#parts.onEnd()
  }
}

/** Inside a character of several bytes where there is one, because that is where readers go wrong. */
function middleOf(bytes: Buffer): number {
  const insideCharacter = bytes.findIndex((byte) => (byte & 0b1100_0000) === 0b1000_0000)
  return insideCharacter > 0 ? insideCharacter : Math.floor(bytes.length / 2)
}
