/** A customer who comes back: after a refusal that can be retried, or no response, it sends the request again under the same key. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createCall, type Reply } from '../../../rig/call.ts'
import { countUp } from '../../../rig/statistics.ts'

const ATTEMPT_MS = 10_000
/** A request whose process died holds its Idempotency-Key for 90 s. */
const PATIENCE_MS = 150_000
const PAUSE_MS = 400
const PAUSE_MS_MAX = 2_000

export interface PatientRequest {
  path: string
  /** Absent for a login. */
  account?: { key: string }
  idempotencyKey?: string
  body: object
}

export class Customer {
  /** Counts everything that was no success, by status and code or by the end of the connection. */
  readonly troubles = new Map<string, number>()
  /** Requests that were refused, or never succeeded. */
  readonly disappointments: string[] = []
  readonly #apiUrls: readonly string[]
  #sent = 0

  constructor(apiUrls: readonly string[]) {
    this.#apiUrls = apiUrls
  }

  /** Returns null when patience ended. */
  async send(request: PatientRequest): Promise<Reply | null> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
      const reply = await this.#try(request)
      if (reply === null) {
        await sleep(PAUSE_MS)
        continue
      }
      if (reply.status < 300) return reply
      countUp(this.troubles, `${reply.status} ${reply.body.code ?? 'without a code'}`)
      if (reply.body.retryable !== true) {
        this.disappointments.push(`${request.path} returned ${reply.status}: ${reply.text}`)
        return null
      }
      await sleep(Math.min(Number(reply.headers.get('retry-after') ?? 1) * 1_000, PAUSE_MS_MAX))
    }
    this.disappointments.push(`${request.path} did not succeed within ${PATIENCE_MS / 1_000} s`)
    return null
  }

  async #try({ path, account, idempotencyKey, body }: PatientRequest): Promise<Reply | null> {
    this.#sent += 1
    const call = createCall(this.#apiUrls[this.#sent % this.#apiUrls.length] ?? '')
    const signal = AbortSignal.timeout(ATTEMPT_MS)
    try {
      return await call('POST', path, { key: account?.key ?? '', idempotencyKey, body, signal })
    } catch (error) {
      countUp(this.troubles, describeBreak(error))
      return null
    }
  }
}

function describeBreak(error: unknown): string {
  if (!(error instanceof Error)) return 'no response'
  if (error.name === 'TimeoutError') return `no response within ${ATTEMPT_MS / 1_000} s`
  const { cause } = error
  return cause instanceof Error && 'code' in cause
    ? `connection: ${String(cause.code)}`
    : `connection: ${error.message}`
}
