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

/** For libraries that call Node's own `fetch`: every process calls this before it does anything else. */
export function protectGlobalFetch(): void {
  setGlobalDispatcher(agent)
}
