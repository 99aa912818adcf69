/** A receiver behind its host: it takes every POST as a delivery. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { hangUp, waitWhileOpen } from './connection-trouble.ts'
import type { ReceivedRequest, Receiver, Treatment } from './receiver.ts'

const BODY_BYTES_MAX = 1024 * 1024
const FILLING = Buffer.alloc(65_536, 'x')

export async function takeDelivery(
  receiver: Receiver,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const read = await readBody(request)
  if (read === 'broken_off') return
  if (read === 'too_large') {
    receiver.addProblem(`A body of more than ${BODY_BYTES_MAX} bytes`)
    end(response, 413)
    return
  }
  const received: ReceivedRequest = {
    at: new Date(),
    method: request.method ?? '',
    path: request.url ?? '',
    headers: joinHeaders(request.headers),
    body: read.toString('utf8'),
    rawBody: read,
    answeredStatus: null,
  }
  await treat(receiver.take(received), { request, response, received })
}

/** Reads a body that is too large to its end: a client in the middle of sending does not listen. */
function readBody(request: IncomingMessage): Promise<Buffer | 'too_large' | 'broken_off'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
      else chunks.length = 0
    })
    request.once('end', () => {
      const [only = Buffer.alloc(0), ...more] = chunks
      resolve(bytes > BODY_BYTES_MAX ? 'too_large' : more.length > 0 ? Buffer.concat(chunks) : only)
    })
    request.once('close', () => resolve('broken_off'))
  })
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  received: ReceivedRequest
}

async function treat(treatment: Treatment, exchange: Exchange): Promise<void> {
  const { request, response, received } = exchange
  switch (treatment.kind) {
    case 'hang':
      return
    case 'reset':
      return hangUp(request, 'reset')
    case 'ok':
      return answerLate(treatment.status ?? 200, treatment.delayMs ?? 0, exchange)
    case 'slow_headers':
      return answerLate(200, treatment.delayMs, exchange)
    case 'status':
      received.answeredStatus = treatment.status
      return end(response, treatment.status, treatment)
    case 'trickle':
      received.answeredStatus = 200
      return trickle(response, treatment.everyMs)
    case 'huge':
      received.answeredStatus = 200
      return fill(response, treatment.bytes)
  }
}

async function answerLate(status: number, delayMs: number, { response, received }: Exchange): Promise<void> {
  if (delayMs > 0) await waitWhileOpen(response, delayMs)
  if (response.destroyed) return
  received.answeredStatus = status
  end(response, status)
}

/** Without `writeHead`, so that Node counts the body, or leaves it out where the status has none. */
function end(
  response: ServerResponse,
  status: number,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(body)
}

function trickle(response: ServerResponse, everyMs: number): void {
  response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders()
  const timer = setInterval(() => response.write('.'), everyMs)
  response.once('close', () => clearInterval(timer))
}

async function fill(response: ServerResponse, bytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': bytes })
  // Few clients want all of it, and most hang up before.
  await pipeline(fillings(bytes), response).catch(() => {})
}

function* fillings(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= FILLING.length) yield FILLING.subarray(0, left)
}

/** Node has joined all but `set-cookie`, which no request carries. */
function joinHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value = ''] of Object.entries(headers)) joined[name] = String(value)
  return joined
}
