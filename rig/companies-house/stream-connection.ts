/**
 * One reader of one stream. It keeps its position in the log and writes as fast as the reader takes it, so that a slow
 * reader costs no memory; a reader so slow that the log forgets its position is hung up on.
 */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventLog } from './event-log.ts'
import type { FaultSwitch, StreamFault } from './faults.ts'

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

export class StreamConnection {
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
