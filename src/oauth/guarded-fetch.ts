import type { App } from '../app.ts'

const TIMEOUT_MS = 2_500
const BODY_BYTES_MAX = 65_536

/** `fetch` for documents that a stranger's client id points to: public https addresses only, small, soon, no redirects. */
export function createGuardedFetch({ web }: Pick<App, 'web'>) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const session = web.openSession()
    try {
      const answer = await session.send(input instanceof Request ? input.url : input, {
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
        bodyBytesMax: BODY_BYTES_MAX,
        whenTooLarge: 'refuse',
        schemes: ['https'],
        ports: [443],
        ...(init?.signal ? { signal: init.signal } : {}),
      })
      const { 'content-encoding': _, 'content-length': __, ...headers } = answer.headers
      return new Response(new Uint8Array(answer.body), { status: answer.status, headers })
    } finally {
      await session.close()
    }
  }
}
