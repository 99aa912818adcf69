/** Records the first request of each operation, and its first response of each status, as its example. */
import type { ReceivedRequest } from '../../rig/web/index.ts'
import { createOperationFinder } from './contract.ts'
import type { Call, Reply, TestService } from './harness.ts'
import { makeStable } from './stable-values.ts'
import { readOpenApi } from './statuses.ts'

interface Example {
  /** Of the path and the query. */
  parameters: Record<string, string>
  body?: unknown
  responses: Record<string, unknown>
}

interface Operation {
  operationId: string
  responses: Record<string, { content?: Record<string, object> }>
}

const MINUTE_SECONDS = 60
const API = 'https://api.example.com'
const SITE = 'https://app.example.com'

export class ExampleRecorder {
  readonly #it: TestService
  readonly #paths = readOpenApi().paths as unknown as Record<string, Record<string, Operation>>
  readonly #find = createOperationFinder({ paths: this.#paths })
  readonly #operations: Record<string, Example> = {}
  readonly #webhooks: Record<string, { headers: Record<string, string>; body: unknown }> = {}
  readonly #errors: Record<string, unknown> = {}

  constructor(it: TestService) {
    this.#it = it
  }

  /** The service's own `call`. The next one is a minute later, when the jobs that follow from this one have ended. */
  readonly call: Call = async (method, path, options = {}) => {
    const reply = await this.#it.call(method, path, { ip: '203.0.113.7', ...options })
    // The endpoint for agents has errors of its own.
    if (reply.body.code === undefined) this.#record(method, new URL(path, API), options.body, reply)
    else this.#errors[reply.body.code] ??= reply.body
    await this.#it.settle()
    this.#it.clock.advance(MINUTE_SECONDS)
    return reply
  }

  recordWebhook(name: string, { headers, body }: ReceivedRequest): void {
    const own = Object.entries(headers).filter(([header]) => /^(?:x-)?webhook-/.test(header))
    this.#webhooks[name] = { headers: Object.fromEntries(own), body: JSON.parse(body) }
  }

  #record(method: string, url: URL, body: unknown, reply: Reply): void {
    const found = this.#find(method, url.pathname)
    if (!found) throw new Error(`${method} ${url.pathname} is no operation of the OpenAPI document`)
    const { operationId } = found.operation
    const parameters = { ...found.values, ...Object.fromEntries(url.searchParams) }
    const example = (this.#operations[operationId] ??= { parameters, ...(body ? { body } : {}), responses: {} })
    if (reply.headers.get('content-type')?.startsWith('application/json')) {
      example.responses[reply.status] ??= reply.body
    }
  }

  /** Returns the responses of the document that have not been seen: an operation, and a status of success with a JSON body. */
  listMissing(): string[] {
    const operations = Object.values(this.#paths).flatMap((item) => Object.values(item))
    return operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status, { content }]) => status.startsWith('2') && content?.['application/json'])
        .filter(([status]) => this.#operations[operationId]?.responses[status] === undefined)
        .map(([status]) => `${operationId} ${status}`),
    )
  }

  /** Returns all examples as the text of a file that is the same after every run. */
  toText(): string {
    const recorded = { operations: this.#operations, webhooks: this.#webhooks, errors: this.#errors }
    const { baseUrl, siteUrl } = this.#it.config
    return makeStable(`${JSON.stringify(recorded, null, 2)}\n`, { [baseUrl.origin]: API, [siteUrl.origin]: SITE })
  }
}
