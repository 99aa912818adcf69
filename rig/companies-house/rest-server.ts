/** The REST API: keys, the limit of requests, trouble where it is asked for, and then the resource. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { authenticate } from './basic-auth.ts'
import { type FaultSwitch, faultAnswer, type RestFault } from './faults.ts'
import type { Answer } from './loopback-server.ts'
import type { Register } from './register.ts'
import { type Limit, RequestLimit } from './request-limit.ts'
import { answerRest, type NotFoundBody } from './rest-routes.ts'
import type { ChannelStats } from './stats.ts'

export interface RestOptions {
  keys: readonly string[]
  limit: Limit
  /** Of all keys of one address together, answered with 403; null for none. */
  addressLimit: Limit | null
  notFoundBody: NotFoundBody
}

const ANSWERED_FAULTS: readonly RestFault[] = ['answer500', 'answer502', 'answer503', 'answer504']

export function restApi(
  register: Register,
  options: RestOptions,
  watch: { faults: FaultSwitch<RestFault>; stats: ChannelStats },
): Answer {
  const { faults, stats } = watch
  const limit = new RequestLimit(options.limit, register.clock)
  const addressLimit = options.addressLimit && new RequestLimit(options.addressLimit, register.clock)

  function answer(request: IncomingMessage, response: ServerResponse): { key: string | null; status: number } {
    if (faults.strikes('drop')) {
      request.socket.destroy()
      return { key: null, status: 0 }
    }
    if (addressLimit?.take(request.socket.remoteAddress ?? '').isExceeded) {
      send(response, { status: 403 })
      return { key: null, status: 403 }
    }
    const key = authenticate(request, response, options.keys)
    if (key === null) return { key, status: 401 }
    const allowance = limit.take(key)
    const isRefused = allowance.isExceeded || faults.strikes('answer429')
    const headers = limit.toHeaders(isRefused ? { ...allowance, remaining: 0 } : allowance)
    if (isRefused) {
      send(response, { status: 429, headers })
      return { key, status: 429 }
    }
    return { key, status: answerAuthenticated(request, response, headers) }
  }

  function answerAuthenticated(request: IncomingMessage, response: ServerResponse, headers: Headers): number {
    const fault = ANSWERED_FAULTS.find((each) => faults.strikes(each))
    const trouble = fault ? faultAnswer(fault) : null
    if (trouble) return send(response, { ...trouble, headers })
    if (faults.strikes('answerHtml')) {
      const body = '<html><body><h1>Sorry, there is a problem with the service</h1></body></html>'
      return send(response, { status: 200, body, contentType: 'text/html', headers })
    }
    if (request.method !== 'GET') return send(response, { status: 404, headers })
    const { status, body } = answerRest(register, new URL(request.url ?? '/', 'http://register'), options.notFoundBody)
    const text = body === undefined ? '' : JSON.stringify(body)
    if (text && faults.strikes('halfBody')) return sendHalf(response, { status, body: text, headers })
    return send(response, { status, body: text, contentType: 'application/json', headers })
  }

  return async (request, response) => {
    const at = register.clock.now().getTime()
    if (faults.strikes('delay')) await sleep(faults.delayMs)
    const { key, status } = answer(request, response)
    stats.record({ at, key, path: request.url ?? '', status })
  }
}

type Headers = Record<string, string>

interface Sent {
  status: number
  body?: string
  contentType?: string
  headers?: Headers
}

function send(response: ServerResponse, { status, body = '', contentType, headers = {} }: Sent): number {
  response.writeHead(status, {
    ...(body && contentType ? { 'Content-Type': contentType } : {}),
    'Content-Length': Buffer.byteLength(body),
    'Access-Control-Allow-Origin': '*',
    Server: 'CompaniesHouse',
    ...headers,
  })
  response.end(body)
  return status
}

/** Announces the whole body and hangs up in the middle of it. */
function sendHalf(response: ServerResponse, { status, body = '', headers = {} }: Sent): number {
  const bytes = Buffer.from(body)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length, ...headers })
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy())
  return status
}
