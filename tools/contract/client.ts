/** A client of the deployment that knows nothing of how it is made: it sends requests and returns the answers as they are. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch, type Headers } from 'undici'
import { NotShown } from './shown.ts'

export interface Answer {
  /** `POST /v1/enrich matched.test`, for messages. */
  asked: string
  status: number
  headers: Headers
  /** Parsed where it is JSON, else null. */
  body: unknown
  text: string
}

export interface Ask {
  key?: string
  token?: string
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  /** An answer of 429 is what is wanted, not a reason to wait. */
  takesLimit?: boolean
}

export type Call = (method: string, path: string, ask?: Ask) => Promise<Answer>

const TIMEOUT_MS = 70_000
/** The client waits for a rate limit that ends sooner than this. */
const WAIT_SECONDS_MAX = 5
const TRIES_MAX = 6

export function createCall(origin: URL, agent: Agent): Call {
  return async (method, path, ask = {}) => {
    for (let tried = 1; ; tried += 1) {
      const answer = await send(agent, method, new URL(path, origin), ask)
      if (answer.status !== 429 || ask.takesLimit) return answer
      const seconds = Number(answer.headers.get('retry-after') ?? '1')
      if (seconds > WAIT_SECONDS_MAX || tried === TRIES_MAX) {
        throw new NotShown(`${answer.asked} is asked too often from here; it says to wait ${seconds} s`)
      }
      await sleep(seconds * 1_000)
    }
  }
}

async function send(agent: Agent, method: string, url: URL, ask: Ask): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json', ...ask.headers }
  if (ask.key !== undefined) headers['x-api-key'] = ask.key
  if (ask.token !== undefined) headers['authorization'] = `Bearer ${ask.token}`
  const body = ask.body === undefined ? null : typeof ask.body === 'string' ? ask.body : JSON.stringify(ask.body)
  if (body !== null) headers['content-type'] ??= 'application/json'
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(url, { method, headers, body, signal, redirect: 'manual', dispatcher: agent })
  const text = await answer.text()
  const asked = describeAsk(`${method} ${url.pathname}`, ask)
  return { asked, status: answer.status, headers: answer.headers, body: parseJson(text), text }
}

/** Names only what is no secret. */
function describeAsk(request: string, { key, body }: Ask): string {
  const { domain, company_number: number } = (body ?? {}) as Record<string, string | undefined>
  return [request, domain ?? number, key?.startsWith('np_test_') && 'with the test key'].filter(Boolean).join(' ')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The sign-in endpoints count by address. A machine has sixteen million addresses of its own, so against a deployment on the
 * same machine each run comes from another, and a developer may run it as often as she likes.
 */
export function openAgent(origin: URL): Agent {
  const isHere = origin.hostname === 'localhost' || origin.hostname.startsWith('127.')
  if (!isHere || process.platform !== 'linux') return new Agent()
  const localAddress = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
  return new Agent({ localAddress, connect: { family: 4 } })
}
