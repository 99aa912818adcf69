/** The account that sends the list and follows it, over HTTP. */

import { setTimeout as sleep } from 'node:timers/promises'
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

/** A file that the service has read, and its columns. */
export interface ReadFile {
  id: string
  columns: Record<string, number>
}

const CSV = { 'content-type': 'text/csv' }
const FILE = { 'content-type': 'application/octet-stream' }

export class Customer {
  readonly #key: string
  readonly #send: Call

  constructor(apiUrl: string, key: string) {
    this.#key = key
    this.#send = createCall(apiUrl)
  }

  /** Hands the file over. The columns are those that the service sees in it. */
  async addFile(table: string): Promise<ReadFile> {
    const { body } = await this.#call('POST', '/v1/bulk/files?name=chaos.csv', { headers: FILE, rawBody: table })
    const seen: Array<{ column: number; holds: string | null }> = body.columns
    const columns = Object.fromEntries(seen.flatMap(({ column, holds }) => (holds === null ? [] : [[holds, column]])))
    return { id: body.id, columns }
  }

  async send({ id, columns }: ReadFile): Promise<BulkSeen> {
    return (await this.#call('POST', '/v1/bulk?name=Chaos', { body: { file_id: id, columns } })).body
  }

  /** Sends a small list as the body. */
  async sendTable(table: string): Promise<BulkSeen> {
    return (await this.#call('POST', '/v1/bulk?name=Chaos', { headers: CSV, rawBody: table })).body
  }

  async preflight({ id, columns }: ReadFile): Promise<Record<string, number>> {
    return (await this.#call('POST', '/v1/bulk?preflight=true', { body: { file_id: id, columns } })).body
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

const POLL_MS = 400
const OPEN = new Set(['total', 'waiting', 'running'])

/** Polls until it has ended; at every poll the counts must add up to what was sent and never go back. */
export async function watchBulk(customer: Customer, id: string, timeoutMs: number) {
  const deadline = Date.now() + timeoutMs
  let movedAt = Date.now()
  const watched = {
    last: await customer.read(id),
    polls: 1,
    /** Counts polls that saw progress since the one before. */
    moves: 0,
    /** The longest that nothing moved. */
    stillSecondsMax: 0,
    readMs: [] as number[],
    problems: [] as string[],
  }
  while (watched.last.status === 'running') {
    if (Date.now() > deadline) {
      watched.problems.push(`still running after ${timeoutMs / 1_000} s: ${JSON.stringify(watched.last.counts)}`)
      return watched
    }
    await sleep(POLL_MS)
    const startedAt = performance.now()
    const seen = await customer.read(id)
    watched.readMs.push(performance.now() - startedAt)
    watched.polls += 1
    watched.problems.push(...findWrongCounts(seen), ...findStepsBack(watched.last, seen))
    watched.stillSecondsMax = Math.max(watched.stillSecondsMax, (Date.now() - movedAt) / 1_000)
    if (countEnded(seen) > countEnded(watched.last)) {
      watched.moves += 1
      movedAt = Date.now()
    }
    watched.last = seen
  }
  return watched
}

function findWrongCounts({ counts: { total, ...counts } }: BulkSeen): string[] {
  const sum = Object.values(counts).reduce((all, count) => all + count, 0)
  return sum === total ? [] : [`the counts add up to ${sum} of ${total}`]
}

function findStepsBack(before: BulkSeen, after: BulkSeen): string[] {
  const back = Object.keys(after.counts).filter(
    (state) => !OPEN.has(state) && (after.counts[state] ?? 0) < (before.counts[state] ?? 0),
  )
  if (after.credits_spent < before.credits_spent) back.push('credits_spent')
  if (after.counts['waiting'] !== undefined && after.counts['waiting'] > (before.counts['waiting'] ?? 0))
    back.push('waiting')
  return back.map((state) => `${state} went back`)
}

function countEnded({ counts }: BulkSeen): number {
  return counts.total - (counts['waiting'] ?? 0) - (counts['running'] ?? 0)
}
