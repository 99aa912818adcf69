/** Faults of a connection, instead of a response. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'

/** Only a plain TCP socket can be reset; over TLS the client sees the same broken connection either way. */
export function hangUp({ socket }: IncomingMessage, mode: 'reset' | 'refused'): void {
  if (mode === 'reset' && !(socket instanceof TLSSocket)) socket.resetAndDestroy()
  else socket.destroy()
}

/** Ends early when the client gives up. */
export function waitWhileOpen(response: ServerResponse, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs)
    response.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
