/** Every HTTP request to another system goes through this file: each has a limit in time and in bytes. */
import type { Headers, Response } from 'undici'
import { outgoingFetch } from './outgoing-fetch.ts'

interface OutgoingRequest {
  headers?: Record<string, string>
  timeoutMs: number
  bodyBytesMax: number
  /** Ends the request early, besides the timeout. */
  signal?: AbortSignal
}

export interface IncomingAnswer {
  status: number
  headers: Headers
  text: string
}

/** No usable answer came. What did come is the `cause`. */
export class NetError extends Error {
  readonly reason: 'timeout' | 'too_large' | 'network'

  constructor(reason: NetError['reason'], url: URL, cause?: unknown) {
    // The host is enough for a log; paths and queries may carry what must not stand there.
    super(`${reason} while asking ${url.host}`, { cause })
    this.name = 'NetError'
    this.reason = reason
  }
}

/** Sends a GET. Any status is an answer, redirects included; everything else is a `NetError`. */
export async function sendRequest(url: URL, request: OutgoingRequest): Promise<IncomingAnswer> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout
  try {
    const response = await outgoingFetch(url, { headers: request.headers ?? {}, redirect: 'manual', signal })
    const text = await readText(response, request.bodyBytesMax)
    if (text === null) throw new NetError('too_large', url)
    return { status: response.status, headers: response.headers, text }
  } catch (error) {
    if (error instanceof NetError) throw error
    throw new NetError(signal.aborted ? 'timeout' : 'network', url, error)
  }
}

/** The announced length may lie, so the bytes are counted as they come; null when there are too many. */
async function readText(response: Response, bytesMax: number): Promise<string | null> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) return null
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
