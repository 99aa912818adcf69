/** The account that sends the list and looks after it, over HTTP. */
import { parse } from 'csv-parse/sync'

export interface BulkSeen {
  id: string
  status: string
  counts: Record<string, number> & { total: number }
  credits_spent: number
  credits_max: number
  eta_seconds: number | null
}

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string
}

export type ResultLine = Record<string, string>

export class Customer {
  readonly #apiUrl: string
  readonly #key: string

  constructor(apiUrl: string, key: string) {
    this.#apiUrl = apiUrl
    this.#key = key
  }

  async send(table: string): Promise<BulkSeen> {
    const init = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: table }
    return (await (await this.#call('/v1/bulk?name=Chaos', init)).json()) as BulkSeen
  }

  async preflight(table: string): Promise<Record<string, number>> {
    const init = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: table }
    return (await (await this.#call('/v1/bulk?preflight=true', init)).json()) as Record<string, number>
  }

  async read(id: string): Promise<BulkSeen> {
    return (await (await this.#call(`/v1/bulk/${id}`)).json()) as BulkSeen
  }

  async results(id: string): Promise<ResultLine[]> {
    const response = await this.#call(`/v1/bulk/${id}/results?format=csv`)
    return parse(await response.text(), { columns: true })
  }

  /** One domain, waited for. */
  async ask(domain: string): Promise<void> {
    const headers = { 'content-type': 'application/json', prefer: 'wait=55' }
    await this.#call('/v1/enrich', { method: 'POST', headers, body: JSON.stringify({ domain }) })
  }

  async #call(path: string, init: Call = {}): Promise<Response> {
    const headers = { ...init.headers, 'x-api-key': this.#key }
    const response = await fetch(new URL(path, this.#apiUrl), { ...init, headers })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
}
