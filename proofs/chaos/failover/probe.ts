import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { executeSql, querySql } from '../../../rig/postgres.ts'
import { openConnection } from '../../../src/lib/db/connection.ts'

const EVERY_MS = 100
const CONNECT_MS = 1_000
const WRITE_MS = 1_500

interface Acknowledged {
  id: number
  at: number
}

/** Writes a row ten times a second by the same way as the service, and records which writes were acknowledged, and when. */
export class Probe implements AsyncDisposable {
  readonly acknowledged: Acknowledged[] = []
  readonly #elsewhere: number[] = []
  readonly #url: string
  readonly #loop: Promise<void>
  #client: pg.Client | null = null
  #stopping = false

  private constructor(url: string) {
    this.#url = url
    this.#loop = this.#run()
  }

  static async start(url: string): Promise<Probe> {
    await executeSql(url, 'create table failover_probe (id bigint primary key)')
    return new Probe(url)
  }

  /** Adds a write that a node acknowledged past HAProxy: it must be there in the end, but is no sign of availability. */
  addElsewhere(id: number): void {
    this.#elsewhere.push(id)
  }

  /** The longest time between two acknowledged writes since `from`, in seconds. */
  longestGapSince(from: number): number {
    const before = this.acknowledged.findLast(({ at }) => at <= from)
    const times = [
      before?.at ?? from,
      ...this.acknowledged.filter(({ at }) => at > from).map(({ at }) => at),
      Date.now(),
    ]
    return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at))) / 1_000
  }

  async findMissing(): Promise<number[]> {
    const rows = await querySql<{ id: string }>(this.#url, 'select id from failover_probe')
    const present = new Set(rows.map(({ id }) => Number(id)))
    return [...this.acknowledged.map(({ id }) => id), ...this.#elsewhere].filter((id) => !present.has(id))
  }

  async #run(): Promise<void> {
    for (let id = 1; !this.#stopping; id += 1) {
      const due = Date.now() + EVERY_MS
      await this.#write(id).catch(() => this.#dropClient())
      await sleep(Math.max(0, due - Date.now()))
    }
  }

  async #write(id: number): Promise<void> {
    this.#client ??= await this.#connect()
    await this.#client.query({ text: 'insert into failover_probe (id) values ($1)', values: [id] })
    this.acknowledged.push({ id, at: Date.now() })
  }

  #connect(): Promise<pg.Client> {
    return openConnection(this.#url, { connectionTimeoutMillis: CONNECT_MS, query_timeout: WRITE_MS })
  }

  #dropClient(): void {
    const client = this.#client
    this.#client = null
    void client?.end().catch(() => undefined)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true
    await this.#loop
    await this.#client?.end().catch(() => undefined)
  }
}
