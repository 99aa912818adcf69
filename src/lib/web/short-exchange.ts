import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { COMPRESSED_BYTES_OVER, readBody } from './body-reader.ts'
import { describeFailure, GuardError } from './guard-error.ts'
import type { WebRequest } from './web-request.ts'

/** The most that is collected in this way. */
export const SHORT_BYTES_MAX = 16_384

type Bounds = Pick<WebRequest, 'timeoutMs' | 'bodyBytesMax' | 'whenTooLarge' | 'signal'>

interface ShortAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  cut: boolean
}

/**
 * Sends one request and collects its response, which has the same bounds as any other. Without streams and signals it takes
 * half the CPU, which matters where many short responses come.
 */
export async function exchangeShort(
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  bounds: Bounds,
): Promise<ShortAnswer> {
  const { bodyBytesMax: bytesMax, whenTooLarge } = bounds
  const { status, headers, chunks, cut } = await collect(agent, request, bounds)
  const encoding = encodingOf(headers)
  const body = Buffer.concat(chunks)
  if (encoding === undefined) return { status, headers, body: body.subarray(0, bytesMax), cut }
  const { signal } = new AbortController()
  const decoded = await readBody(Readable.from(chunks), encoding, { bytesMax, whenTooLarge, signal })
  return { status, headers, body: decoded.body, cut: cut || decoded.cut }
}

/** A header that came twice is a list. */
function encodingOf(headers: IncomingHttpHeaders): string | undefined {
  const encoding: string | readonly string[] | undefined = headers['content-encoding']
  return encoding === undefined ? undefined : [encoding].flat().join(', ')
}

interface Collected extends Pick<ShortAnswer, 'status' | 'headers' | 'cut'> {
  chunks: Buffer[]
}

function collect(agent: Dispatcher, request: Dispatcher.DispatchOptions, bounds: Bounds): Promise<Collected> {
  return new Promise<Collected>((resolve, reject) => {
    const collector = new Collector(bounds, { resolve, reject })
    try {
      agent.dispatch(request, collector)
    } catch (error) {
      collector.onResponseError(null, error)
    }
  })
}

interface Ends {
  resolve: (collected: Collected) => void
  reject: (error: unknown) => void
}

class Collector implements Dispatcher.DispatchHandler {
  readonly #bounds: Bounds
  readonly #ends: Ends
  readonly #timer: NodeJS.Timeout
  readonly #stop = () => this.#end(() => this.#ends.reject(new GuardError('timeout')))
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #bytes = 0
  #bytesMax = 0
  #hasEnded = false

  constructor(bounds: Bounds, ends: Ends) {
    this.#bounds = bounds
    this.#ends = ends
    this.#timer = setTimeout(this.#stop, bounds.timeoutMs)
    bounds.signal?.addEventListener('abort', this.#stop, { once: true })
    if (bounds.signal?.aborted) this.#stop()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#hasEnded) controller.abort(new Error('its time was over before it was sent'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // An answer follows.
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    const over = encodingOf(headers) === undefined ? 0 : COMPRESSED_BYTES_OVER
    this.#bytesMax = this.#bounds.bodyBytesMax + over
    if (Number(headers['content-length'] ?? 0) > this.#bounds.bodyBytesMax) this.#refuseLong()
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#hasEnded) return
    this.#chunks.push(chunk)
    this.#bytes += chunk.byteLength
    if (this.#bytes <= this.#bytesMax) return
    this.#refuseLong()
    this.#end(() => this.#resolve(true))
  }

  /** The connection is free one round of the event loop later: a caller that sends again at once would open another. */
  onResponseEnd(): void {
    this.#end(() => setImmediate(() => setImmediate(() => this.#resolve(false))), { isWhole: true })
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: unknown): void {
    this.#end(() => this.#ends.reject(describeFailure(error)), { isWhole: true })
  }

  #refuseLong(): void {
    if (this.#bounds.whenTooLarge === 'refuse') this.#end(() => this.#ends.reject(new GuardError('too_large')))
  }

  #resolve(cut: boolean): void {
    this.#ends.resolve({ status: this.#status, headers: this.#headers, chunks: this.#chunks, cut })
  }

  /** Happens once. Unless the response came to its end, so does the connection. */
  #end(settle: () => void, { isWhole = false } = {}): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.#bounds.signal?.removeEventListener('abort', this.#stop)
    settle()
    if (!isWhole) this.#controller?.abort(new Error('the rest of the response is not wanted'))
  }
}
