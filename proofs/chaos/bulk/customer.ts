/** The account that sends the list and follows it, over HTTP. */
import { parse } from 'csv-parse/sync'
import { type Call, type CallOptions, createCall, type Reply } from '../../../rig/call.ts'

export interface BulkSeen {
  id: string
  status: string
  counts: Record<string, number> & { total: number }
  credits_spent: number
  credits_max: number
  eta_seconds: number | null
}

export type ResultLine = Record<string, string>

const CSV = { 'content-type': 'text/csv' }

export class Customer {
  readonly #key: string
  readonly #send: Call

  constructor(apiUrl: string, key: string) {
    this.#key = key
    this.#send = createCall(apiUrl)
  }

  async send(table: string): Promise<BulkSeen> {
    return (await this.#call('POST', '/v1/bulk?name=Chaos', { headers: CSV, rawBody: table })).body
  }

  async preflight(table: string): Promise<Record<string, number>> {
    return (await this.#call('POST', '/v1/bulk?preflight=true', { headers: CSV, rawBody: table })).body
  }

  async read(id: string): Promise<BulkSeen> {
    return (await this.#call('GET', `/v1/bulk/${id}`)).body
  }

  async results(id: string): Promise<ResultLine[]> {
    return parse((await this.#call('GET', `/v1/bulk/${id}/results?format=csv`)).text, { columns: true })
  }

  /** Requests one domain and waits for it. */
  async ask(domain: string): Promise<void> {
    await this.#call('POST', '/v1/enrich', { headers: { prefer: 'wait=55' }, body: { domain } })
  }

  async #call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const reply = await this.#send(method, path, { ...options, key: this.#key })
    if (reply.status >= 300) throw new Error(`${path} returned ${reply.status}: ${reply.text}`)
    return reply
  }
}
