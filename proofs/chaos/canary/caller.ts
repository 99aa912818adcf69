/** Requests to the service under test. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createCall, type Reply } from '../../../rig/call.ts'

export interface Asked {
  method: string
  path: string
  host?: 'api' | 'site'
  headers?: Record<string, string>
  body?: unknown
  /** The type of the body; JSON unless given. */
  mediaType?: string
}

export interface Shown extends Pick<Reply, 'status' | 'body'> {
  /** Status line, headers and body, as one text to search. */
  text: string
}

export type Ask = (asked: Asked) => Promise<Shown>

const TIMEOUT_MS = 20_000
/** A walk that is faster than the service's limits waits. Some let one request pass in six seconds. */
const PATIENCE_MS = 60_000
const PAUSE_MS = 400

export function createAsk(apiUrl: string): Ask {
  const calls = { api: createCall(apiUrl), site: createCall(apiUrl.replace('127.0.0.1', 'localhost')) }
  const send = async ({ method, path, host = 'api', headers = {}, body, mediaType }: Asked): Promise<Shown> => {
    const rawBody = typeof body === 'string' ? body : JSON.stringify(body)
    const reply = await calls[host](method, path, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { ...(mediaType ? { 'content-type': mediaType } : {}), ...headers },
      ...(body === undefined ? {} : { rawBody }),
    })
    return {
      status: reply.status,
      text: `${reply.status} ${JSON.stringify([...reply.headers])} ${reply.text}`,
      body: reply.body,
    }
  }
  return async (asked) => {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const shown = await send(asked)
      if (shown.status !== 429 || isPlayed(asked) || Date.now() > deadline) return shown
      await sleep(PAUSE_MS)
    }
  }
}

/** Test mode plays refusals too, which no waiting ends. */
export function isPlayed(asked: Asked): boolean {
  return /rate-limited\.test|TS000007/.test(JSON.stringify(asked))
}
