/** The REST API: keys, the limit of requests, trouble where it is asked for, and then the resource. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../src/lib/clock.ts'
import { type FaultSwitch, faultAnswer, type RestFault } from './faults.ts'
import { type Answer, authenticate } from './loopback-server.ts'
import type { Register } from './register.ts'
import { answerRest } from './rest-resources.ts'
import type { ChannelStats } from './stats.ts'

export interface RestOptions {
  keys: readonly string[]
  limit: Limit
}

export interface Limit {
  requests: number
  windowMs: number
}

type Headers = Record<string, string>

const ANSWERED_FAULTS: readonly RestFault[] = ['answer500', 'answer502', 'answer503', 'answer504']

export function restApi(
  register: Register,
  options: RestOptions,
  watch: { faults: FaultSwitch<RestFault>; stats: ChannelStats },
): Answer {
  const { faults, stats } = watch
  const limit = new RequestLimit(options.limit, register.clock)

  function answer(request: IncomingMessage, response: ServerResponse): { key: string | null; status: number } {
    if (faults.strikes('drop')) {
      request.socket.destroy()
      return { key: null, status: 0 }
    }
    const key = authenticate(request, response, options.keys)
    if (key === null) return { key, status: 401 }
    const { isRefused, headers } = limit.take(key, faults.strikes('answer429'))
    const status = isRefused ? send(response, { status: 429, headers }) : answerKnown(request, response, headers)
    return { key, status }
  }

  function answerKnown(request: IncomingMessage, response: ServerResponse, headers: Headers): number {
    const trouble = faultAnswer(faults, ANSWERED_FAULTS)
    if (trouble) return send(response, { ...trouble, headers })
    if (faults.strikes('answerHtml')) {
      const body = '<html><body><h1>Sorry, there is a problem with the service</h1></body></html>'
      return send(response, { status: 200, body, contentType: 'text/html', headers })
    }
    if (request.method !== 'GET') return send(response, { status: 404, headers })
    const { status, body } = answerRest(register, new URL(request.url ?? '/', 'http://register'))
    const text = body === undefined ? '' : JSON.stringify(body)
    const isHalf = text !== '' && faults.strikes('halfBody')
    return send(response, { status, body: text, contentType: 'application/json', headers, isHalf })
  }

  return async (request, response) => {
    const at = register.clock.now().getTime()
    if (faults.strikes('delay')) await sleep(faults.delayMs)
    const { key, status } = answer(request, response)
    stats.record({ at, key, path: request.url ?? '', status })
  }
}

interface Sent {
  status: number
  body?: string
  contentType?: string
  headers: Headers
  /** Announces the whole body and hangs up in the middle of it. */
  isHalf?: boolean
}

function send(response: ServerResponse, { status, body = '', contentType, headers, isHalf = false }: Sent): number {
  const bytes = Buffer.from(body)
  response.writeHead(status, {
    ...(body && contentType ? { 'Content-Type': contentType } : {}),
    'Content-Length': bytes.length,
    'Access-Control-Allow-Origin': '*',
    Server: 'CompaniesHouse',
    ...headers,
  })
  if (isHalf) response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy())
  else response.end(bytes)
  return status
}

/** So many requests in a fixed window that opens with the first of them; the budget comes back all at once. */
export class RequestLimit {
  readonly #clock: Clock
  /** By key, of which few are configured. */
  readonly #windows = new Map<string, { used: number; resetAt: number }>()
  readonly #limit: Limit

  constructor(limit: Limit, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
  }

  /** The document host writes `Remaining` where REST writes `Remain`. */
  take(key: string, isForced: boolean, remain = 'Remain'): { isRefused: boolean; headers: Headers } {
    const { requests, windowMs } = this.#limit
    const now = this.#clock.now().getTime()
    let window = this.#windows.get(key)
    if (!window || now >= window.resetAt) {
      window = { used: 0, resetAt: now + windowMs }
      this.#windows.set(key, window)
    }
    window.used += 1
    const isRefused = isForced || window.used > requests
    const headers = {
      'X-Ratelimit-Limit': String(requests),
      [`X-Ratelimit-${remain}`]: String(isRefused ? 0 : requests - window.used),
      'X-Ratelimit-Reset': String(Math.ceil(window.resetAt / 1_000)),
      'X-Ratelimit-Window': windowMs % 60_000 === 0 ? `${windowMs / 60_000}m` : `${windowMs / 1_000}s`,
    }
    return { isRefused, headers }
  }
}
