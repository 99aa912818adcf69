/** Requests to the service under test, each from another address, so that no limit per address is met. */
export interface Asked {
  method: string
  path: string
  host?: 'api' | 'site'
  headers?: Record<string, string>
  body?: unknown
  /** Of the body; JSON unless said. */
  mediaType?: string
}

export interface Shown {
  status: number
  /** Status line, headers and body, as one text to search. */
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies are read freely; only their text is judged
  body: any
  location: string | null
  cookies: string[]
}

export type Ask = (asked: Asked) => Promise<Shown>

const TIMEOUT_MS = 20_000
/** The service says when to come back; a walk that is faster than its limits waits. */
const TRIES_MAX = 12

export function createAsk(apiUrl: string): Ask {
  const siteUrl = apiUrl.replace('127.0.0.1', 'localhost')
  let calls = 0
  const send = async ({ method, path, host = 'api', headers = {}, body, mediaType }: Asked): Promise<Shown> => {
    calls += 1
    const address = `198.${18 + ((calls >> 16) % 2)}.${(calls >> 8) % 256}.${calls % 256}`
    const type = body === undefined ? {} : { 'content-type': mediaType ?? 'application/json' }
    const response = await fetch(new URL(path, host === 'api' ? apiUrl : siteUrl), {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { 'x-forwarded-for': address, ...type, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /^application\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      text: `${response.status} ${JSON.stringify([...response.headers])} ${text}`,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      location: response.headers.get('location'),
      cookies: response.headers.getSetCookie(),
    }
  }
  return async (asked) => {
    for (let tries = 1; ; tries += 1) {
      const shown = await send(asked)
      if (shown.status !== 429 || tries === TRIES_MAX) return shown
      await new Promise((resolve) => setTimeout(resolve, 400))
    }
  }
}
