import type { Bulk, BulkPreflight, BulkResult } from './bodies.ts'
import { NameplateError } from './errors.ts'
import { listItems } from './pages.ts'
import { type ApiRequest, newIdempotencyKey, sleep, type Transport } from './transport.ts'

/** A list of domains, addresses or e-mail addresses; or a table, as the text of a CSV file. */
export type BulkInput = readonly string[] | string

export interface BulkWaitOptions {
  /** By default an hour. */
  waitSeconds?: number | undefined
  onProgress?: ((bulk: Bulk) => void) | undefined
  signal?: AbortSignal | undefined
}

const WAIT_SECONDS = 3_600
const POLL_MS = 1_000
const POLL_MAX_MS = 10_000

/** Bulk jobs: up to 10,000 domains at once. */
export class BulkClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns what the bulk job can cost. Nothing starts. */
  async preflight(rows: BulkInput): Promise<BulkPreflight> {
    return this.#transport.json({ ...requestOf(rows), query: { preflight: true } })
  }

  /** Starts a bulk job. The same `idempotencyKey` within a day returns the same bulk job. */
  async create(
    rows: BulkInput,
    { name, idempotencyKey = newIdempotencyKey() }: { name?: string; idempotencyKey?: string } = {},
  ): Promise<Bulk> {
    return this.#transport.json({ ...requestOf(rows), query: { name }, idempotencyKey })
  }

  list(): AsyncGenerator<Bulk, void, undefined> {
    return listItems(this.#transport, { path: '/v1/bulk' })
  }

  async get(id: string): Promise<Bulk> {
    return this.#transport.json({ method: 'GET', path: pathOf(id) })
  }

  /** Waits until every row has ended or the bulk job is paused; `status` shows which. */
  async wait(id: string, { waitSeconds = WAIT_SECONDS, onProgress, signal }: BulkWaitOptions = {}): Promise<Bulk> {
    const deadline = Date.now() + waitSeconds * 1_000
    for (let pauseMs = POLL_MS; ; pauseMs = Math.min(POLL_MAX_MS, pauseMs * 1.5)) {
      const bulk: Bulk = await this.#transport.json({ method: 'GET', path: pathOf(id), signal })
      onProgress?.(bulk)
      if (bulk.finished_at !== null || bulk.status === 'paused') return bulk
      if (Date.now() >= deadline) throw stillRunning(id)
      await sleep(pauseMs, signal)
    }
  }

  /** Yields a result for every row, in the order in which they were sent. */
  async *results(id: string): AsyncGenerator<BulkResult, void, undefined> {
    const query = { format: 'jsonl' }
    const response = await this.#transport.open({ method: 'GET', path: `${pathOf(id)}/results`, query })
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of chunksOf(response)) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as BulkResult
    }
    if (rest !== '') yield JSON.parse(rest) as BulkResult
  }

  async cancel(id: string): Promise<Bulk> {
    return this.#transport.json({ method: 'POST', path: `${pathOf(id)}/cancel` })
  }

  /** Resolves every row that has no answer yet. */
  async resume(id: string): Promise<Bulk> {
    return this.#transport.json({ method: 'POST', path: `${pathOf(id)}/resume` })
  }
}

const pathOf = (id: string) => `/v1/bulk/${encodeURIComponent(id)}`

function requestOf(rows: BulkInput): ApiRequest {
  const request = { method: 'POST', path: '/v1/bulk' } as const
  return typeof rows === 'string' ? { ...request, csv: rows } : { ...request, body: { domains: rows } }
}

/** Not every browser can iterate over a body. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

function stillRunning(id: string): NameplateError {
  const detail = `The bulk job ${id} is still running. Wait longer, or ask again in a while.`
  return new NameplateError({ status: 0, code: 'still_running', detail, retryable: true })
}
