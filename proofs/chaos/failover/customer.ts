/** A customer who comes back: told to wait, or told nothing, it sends the same request again under the same key. */
import { setTimeout as sleep } from 'node:timers/promises'

const ATTEMPT_MS = 10_000
/** A request whose process died holds its Idempotency-Key for 90 s. */
const PATIENCE_MS = 150_000
const PAUSE_MS = 400
const PAUSE_MS_MAX = 2_000

export interface Wish {
  path: string
  /** Absent for a login, which takes none. */
  account?: { key: string }
  idempotencyKey?: string
  body: object
}

export interface Answer {
  status: number
  body: Partial<{ code: string; retryable: boolean; job_id: string; charged: boolean; id: number }>
}

export class Customer {
  /** Everything that was not a success, by status and code or by what became of the connection. */
  readonly troubles = new Map<string, number>()
  /** Wishes that were refused, or never granted. */
  readonly disappointments: string[] = []
  readonly #apiUrls: readonly string[]
  #turn = 0

  constructor(apiUrls: readonly string[]) {
    this.#apiUrls = apiUrls
  }

  /** Null when patience ended. */
  async send(wish: Wish): Promise<Answer | null> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
      const answer = await this.#try(wish)
      if (answer === null) {
        await sleep(PAUSE_MS)
        continue
      }
      if (answer.status < 300) return answer
      this.#note(`${answer.status} ${answer.body.code ?? 'without a code'}`)
      if (answer.body.retryable !== true) {
        this.disappointments.push(`${wish.path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
        return null
      }
      await sleep(Math.min(answer.retryAfterMs, PAUSE_MS_MAX))
    }
    this.disappointments.push(`${wish.path} was not granted within ${PATIENCE_MS / 1_000} s`)
    return null
  }

  async #try({ path, account, idempotencyKey, body }: Wish): Promise<(Answer & { retryAfterMs: number }) | null> {
    this.#turn += 1
    try {
      const response = await fetch(new URL(path, this.#apiUrls[this.#turn % this.#apiUrls.length]), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(account ? { 'x-api-key': account.key } : {}),
          ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ATTEMPT_MS),
      })
      const retryAfterMs = Number(response.headers.get('retry-after') ?? 1) * 1_000
      return { status: response.status, body: (await response.json()) as Answer['body'], retryAfterMs }
    } catch (error) {
      this.#note(describeBreak(error))
      return null
    }
  }

  #note(kind: string): void {
    this.troubles.set(kind, (this.troubles.get(kind) ?? 0) + 1)
  }
}

function describeBreak(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'TimeoutError') return `no answer within ${ATTEMPT_MS / 1_000} s`
  const { cause } = error
  return cause instanceof Error && 'code' in cause
    ? `connection: ${String(cause.code)}`
    : `connection: ${error.message}`
}
