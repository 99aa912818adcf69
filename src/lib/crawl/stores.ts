/**
 * The databases that hold the readings no customer waits for. Each domain belongs to one of them, by a hash of its name and
 * the stores' names; without a setting there is one, the main database itself.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Database } from '../db/db.ts'
import type { Log } from '../log.ts'
import { SharedStatements } from './shared-statements.ts'

export interface CrawlStore {
  name: string
  db: Database
  /** For readings that begin or end at the same time. */
  shared: SharedStatements
}

interface StoreAddress {
  name: string
  /** Null for the main database. */
  url: string | null
}

interface CrawlStoresOptions {
  stores: readonly StoreAddress[]
  /** The former list, while domains move to their new stores. */
  previous: readonly StoreAddress[]
  connectionsMax: number
  log: Log
}

export const MAIN_STORE = 'main'
const CONNECT_TIMEOUT_MS = 2_000
/** Longer than the server allows a statement. */
const REPLY_TIMEOUT_MS = 35_000
/** The longest that the process waits for a store when it ends. */
const CLOSE_MS_MAX = 2_000
/** The longest that a customer's request waits for a store. */
const ASK_TIMEOUT_MS = 1_000
const PAUSE_MS = { first: 2_000, max: 60_000 }

export class CrawlStores {
  /** Where domains belong. */
  readonly current: readonly CrawlStore[]
  /** Where they belonged before; empty unless a move is under way. */
  readonly previous: readonly CrawlStore[]
  /** Each of both lists once, former ones first: a domain that moves meanwhile is met twice, and never missed. */
  readonly all: readonly CrawlStore[]
  readonly main: CrawlStore
  readonly #log: Log
  readonly #pauses = new Map<string, { untilMs: number; ms: number }>()

  constructor(db: Database, { stores, previous, connectionsMax, log }: CrawlStoresOptions) {
    this.#log = log
    this.main = toStore(MAIN_STORE, db)
    const opened = new Map<string, CrawlStore>([[MAIN_STORE, this.main]])
    const open = ({ name, url }: StoreAddress): CrawlStore => {
      const store = opened.get(name) ?? toStore(name, openStore(name, url ?? '', connectionsMax, log))
      opened.set(name, store)
      return store
    }
    this.current = stores.map(open)
    this.previous = previous.map(open)
    this.all = [...new Set([...this.previous, ...this.current])]
  }

  ownerOf(domain: string): CrawlStore {
    return chooseStore(this.current, domain)
  }

  /** Null where the domain need not move. */
  findPreviousOwner(domain: string): CrawlStore | null {
    if (this.previous.length === 0) return null
    const owner = chooseStore(this.previous, domain)
    return owner === this.ownerOf(domain) ? null : owner
  }

  /** The same text in every process with the same two lists. */
  get moveName(): string {
    const name = (stores: readonly CrawlStore[]) => stores.map((store) => store.name).sort()
    return `${name(this.previous).join()} to ${name(this.current).join()}`
  }

  /** Asks a store without relying on it: null when it does not answer in time, within a second by default, or failed a moment ago. */
  async ask<Result>(
    store: CrawlStore,
    query: (db: Database) => Promise<Result>,
    timeoutMs = ASK_TIMEOUT_MS,
  ): Promise<Result | null> {
    const pause = this.#pauses.get(store.name)
    if (pause && pause.untilMs > performance.now()) return null
    const timer = new AbortController()
    const late = sleep(timeoutMs, undefined, { signal: timer.signal, ref: false }).then(
      () => Promise.reject(new Error(`the crawl store ${store.name} did not answer in time`)),
      () => new Promise<never>(() => undefined),
    )
    try {
      const result = await Promise.race([query(store.db), late])
      this.#pauses.delete(store.name)
      return result
    } catch (error) {
      const ms = Math.min((pause?.ms ?? PAUSE_MS.first / 2) * 2, PAUSE_MS.max)
      this.#pauses.set(store.name, { untilMs: performance.now() + ms, ms })
      this.#log.warn({ event: 'crawl.store_failed', store: store.name, error })
      return null
    } finally {
      timer.abort()
    }
  }

  async close(): Promise<void> {
    const closed = Promise.all(this.all.filter((store) => store !== this.main).map(({ db }) => db.close()))
    await Promise.race([closed, sleep(CLOSE_MS_MAX, undefined, { ref: false })])
  }
}

function toStore(name: string, db: Database): CrawlStore {
  return { name, db, shared: new SharedStatements(db) }
}

function openStore(name: string, url: string, connectionsMax: number, log: Log): Database {
  return new Database({
    url,
    connectionsMax,
    applicationName: 'nameplate',
    connectMsMax: CONNECT_TIMEOUT_MS,
    replyMsMax: REPLY_TIMEOUT_MS,
    endsWithProcess: true,
    onIdleError: (error) => log.warn({ event: 'crawl.connection_lost', store: name, error }),
  })
}

/**
 * Rendezvous hashing: the store whose name gives the highest hash together with the domain. A store that is added takes its
 * share from all others, and no domain moves between those.
 */
export function chooseStore<Store extends { name: string }>(stores: readonly Store[], domain: string): Store {
  let chosen: { store: Store; weight: bigint } | undefined
  for (const store of stores) {
    const weight = weightOf(store.name, domain)
    if (!chosen || weight > chosen.weight) chosen = { store, weight }
  }
  if (!chosen) throw new Error('there is no crawl store')
  return chosen.store
}

/** The first eight bytes of the SHA-256 of the store's name, a line feed and the domain. */
function weightOf(name: string, domain: string): bigint {
  return createHash('sha256').update(`${name}\n${domain}`).digest().readBigUInt64BE()
}
