/**
 * `fetch` by our own copy of undici. The copy inside Node 24 dies of a peer that closes the connection while part of its
 * body is still unread: an assertion fails in the socket's handler, where no `catch` sees it, and the process ends.
 */
import { Agent, type RequestInit, type Response, setGlobalDispatcher, fetch as undiciFetch } from 'undici'

const agent = new Agent()

/** The only `fetch` in `src`. It never uses Node's own copy, whatever the process set up before. */
export function outgoingFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  return undiciFetch(url, { ...init, dispatcher: agent })
}

/** A `fetch` for one server of the operator: no other address, no redirect, bounded in connections, bytes and time. */
export interface OwnServerFetch {
  send: (url: string | URL, init?: RequestInit) => Promise<Response>
  close(): Promise<void>
}

export function openOwnServerFetch(
  origin: string,
  limits: { connections: number; timeoutMs: number; bodyBytesMax: number },
): OwnServerFetch {
  const own = new Agent({
    connections: limits.connections,
    headersTimeout: limits.timeoutMs,
    bodyTimeout: limits.timeoutMs,
    connect: { timeout: Math.min(limits.timeoutMs, CONNECT_MS) },
    maxResponseSize: limits.bodyBytesMax,
  })
  return {
    send: async (url, init = {}) => {
      if (new URL(url).origin !== origin) throw new Error(`only ${origin} may be called`)
      return undiciFetch(url, { ...init, redirect: 'error', dispatcher: own })
    },
    close: () => own.destroy(),
  }
}

const CONNECT_MS = 5_000

/** For libraries that call Node's own `fetch`: every process calls this before it does anything else. */
export function protectGlobalFetch(): void {
  setGlobalDispatcher(agent)
}
