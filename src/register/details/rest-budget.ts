/**
 * The requests that all processes together may send to the register's REST API, and to its document host: never more than the key's limit in any
 * five minutes, wherever they begin. The register counts in fixed windows that open whenever it likes, so only a bound
 * on every window is safe. Callers come first: background work leaves a share of every window to them. No account can
 * spend all of it: beyond its own share, it leaves half of every window to the others.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App, KnownBudget } from '../../app.ts'
import { addSeconds } from '../../lib/clock.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import type { BucketPolicy } from '../../lib/limits/leased-limiter.ts'

export type Priority = 'user' | 'background'
/** `excess`: a caller whose account has spent its share of these minutes. */
type Demand = Priority | 'excess'

export type Grant =
  /** At least one and perhaps fewer than requested; each is to be sent before `useBy` or not at all. */
  { kind: 'granted'; count: number; useBy: Date } | { kind: 'spent'; retryAt: Date }

export interface BudgetRequest {
  priority: Priority
  count: number
  maxWaitMs: number
  /** The account whose share it comes from; null for work of no account. */
  accountId: string | null
}

const WINDOW_MS = 300_000
const SLOT_MS = 5_000
const USE_WITHIN_MS = 10_000
/** Between the sending and the counting of a request: the longest that an answer is waited for. */
const ARRIVE_WITHIN_MS = 10_000
/** A request counts until even the last of its slot, sent and arrived as late as can be, left the window. */
const SLOTS = (WINDOW_MS + USE_WITHIN_MS + ARRIVE_WITHIN_MS) / SLOT_MS + 1

const LIMIT_DEFAULT = 600
/**
 * Shares of the limit: 30 of 600 are never sent, and 150 more are for callers. Beyond its own share an account gets what
 * is left of half the window, so that all others and the background go on.
 */
const SHARES: Record<Demand, number> = { user: 0.95, background: 0.7, excess: 0.5 }

/** A limit that the register counts by itself: that of the REST API, or that of the document host. */
export interface BudgetKind {
  table: 'register_rest_budget' | 'register_document_budget'
  /** The member of `App` with what this process knows. */
  known: 'registerBudget' | 'documentBudget'
  /** A fifth of the window. */
  accountShare: BucketPolicy
}

const REST: BudgetKind = {
  table: 'register_rest_budget',
  known: 'registerBudget',
  accountShare: { name: 'register-rest', burst: 120, perSecond: 120 / 300 },
}
export const DOCUMENTS: BudgetKind = {
  table: 'register_document_budget',
  known: 'documentBudget',
  accountShare: { name: 'register-documents', burst: 120, perSecond: 120 / 300 },
}

const POLL_MS = 250
/** The register gives the time of its reset in whole seconds. */
const RESET_MARGIN_MS = 1_000

interface BudgetRow {
  taken: number
  slot: number
  granted: number[]
  request_limit: number
  paused_until_ms: number
}

type BudgetApp = Pick<App, 'db' | 'clock' | 'limiter' | 'registerBudget' | 'documentBudget'>

export class RestBudget {
  readonly #app: BudgetApp
  readonly #kind: BudgetKind
  readonly #known: KnownBudget

  constructor(app: BudgetApp, kind: BudgetKind = REST) {
    this.#app = app
    this.#kind = kind
    this.#known = app[kind.known]
  }

  now(): Date {
    return this.#app.clock.now()
  }

  /** Takes up to `count` requests, waiting for the first of them no longer than `maxWaitMs`. */
  async take(request: BudgetRequest): Promise<Grant> {
    const startedMs = performance.now()
    for (;;) {
      const grant = await this.#tryTake(request)
      if (grant.kind === 'granted') return grant
      const leftMs = request.maxWaitMs - (performance.now() - startedMs)
      const waitMs = grant.retryAt.getTime() - this.now().getTime()
      if (waitMs > leftMs || leftMs <= 0) return grant
      await sleep(Math.min(Math.max(waitMs, 1), POLL_MS, leftMs))
    }
  }

  async #tryTake({ priority, count, accountId }: BudgetRequest): Promise<Grant> {
    // Nothing is drawn from a share while there is nothing to be had.
    if (priority === 'background' || accountId === null || this.#findSpent('user'))
      return this.#tryGrant(priority, count)
    const own = await this.#drawShare(accountId, count)
    return own > 0 ? this.#tryGrant('user', own) : this.#tryGrant('excess', count)
  }

  /** Returns how many of `count` the account's share has. */
  async #drawShare(accountId: string, count: number): Promise<number> {
    for (let drawn = 0; drawn < count; drawn += 1) {
      if ((await this.#app.limiter.admit(accountId, this.#kind.accountShare)).kind === 'refused') return drawn
    }
    return count
  }

  #findSpent(demand: Demand): Grant | null {
    const { spentUntilMs: known, pausedUntilMs } = this.#known
    const spentUntilMs = Math.max(known.get(demand) ?? 0, pausedUntilMs)
    return this.now().getTime() < spentUntilMs ? { kind: 'spent', retryAt: new Date(spentUntilMs) } : null
  }

  async #tryGrant(demand: Demand, count: number): Promise<Grant> {
    const spent = this.#findSpent(demand)
    if (spent) return spent
    const now = this.now()
    const row = await takeRequests(this.#app.db, this.#kind, { now, count, share: SHARES[demand] })
    if (row.taken > 0) return { kind: 'granted', count: row.taken, useBy: addSeconds(now, USE_WITHIN_MS / 1_000) }
    const retryAtMs = Math.max(freesAtMs(row, SHARES[demand]), row.paused_until_ms, now.getTime() + 1)
    this.#known.spentUntilMs.set(demand, retryAtMs)
    return { kind: 'spent', retryAt: new Date(retryAtMs) }
  }

  /** Reads the limit from every response, and pauses all processes when the register asks for it. */
  async learn({ status, headers }: { status: number; headers: Headers }): Promise<void> {
    const limit = readCount(headers, 'x-ratelimit-limit')
    if (limit !== null && limit > 0 && limit !== this.#known.statedLimit) await this.#storeLimit(limit)
    // The document API spells it in full.
    const remaining = readCount(headers, 'x-ratelimit-remain') ?? readCount(headers, 'x-ratelimit-remaining')
    // Less than we leave over ourselves: someone else spends the same key.
    const isRunningOut = remaining !== null && remaining < Math.floor((limit ?? LIMIT_DEFAULT) * (1 - SHARES.user))
    // 403 is how the register limits an address; hammering on after either leads to a ban.
    if (status === 429 || status === 403 || isRunningOut) await this.#pause(readCount(headers, 'x-ratelimit-reset'))
  }

  /** Returns until when no process sends, after a refusal. */
  pausedUntil(): Date {
    return new Date(this.#known.pausedUntilMs)
  }

  async #storeLimit(limit: number): Promise<void> {
    await this.#app.db.query(
      `update ${this.#kind.table} set limit_told = $1 where limit_told is distinct from $1::integer`,
      [limit],
    )
    this.#known.statedLimit = limit
    this.#known.spentUntilMs.clear()
  }

  async #pause(resetSeconds: number | null): Promise<void> {
    const nowMs = this.now().getTime()
    const latestMs = nowMs + WINDOW_MS + RESET_MARGIN_MS
    const statedMs = resetSeconds === null ? latestMs : resetSeconds * 1_000 + RESET_MARGIN_MS
    // A reset in the past or far ahead is a wrong clock, theirs or ours; neither may stop us for ever.
    const untilMs = statedMs > nowMs && statedMs < latestMs ? statedMs : latestMs
    if (untilMs <= this.#known.pausedUntilMs) return
    this.#known.pausedUntilMs = untilMs
    await this.#app.db.query(`update ${this.#kind.table} set paused_until = greatest(paused_until, $1)`, [
      new Date(untilMs),
    ])
  }
}

/** Drops what left the window, adds up the rest and takes, in one statement; the row's lock serialises processes. */
async function takeRequests(
  db: Db,
  { table }: BudgetKind,
  take: { now: Date; count: number; share: number },
): Promise<BudgetRow> {
  return onlyRow(
    await db.query<BudgetRow>(
      // A clock that is behind counts in the newest slot: too early for its own good, never too late.
      `update ${table} as budget set (slot, granted, taken) = (
         select newest, kept[1:${SLOTS - 1}] || (kept[${SLOTS}] + free), free
         from (
           select newest, kept, case when $1 < budget.paused_until then 0 else
             greatest(0, least($3::integer, floor(coalesce(budget.limit_told, $5) * $4::float8)
               - (select sum(requests) from unnest(kept) as requests)))::integer
           end as free
           from (
             select newest, case when newest - budget.slot >= ${SLOTS} then array_fill(0, array[${SLOTS}])
               else budget.granted[(newest - budget.slot + 1)::integer:${SLOTS}]
                 || array_fill(0, array[(newest - budget.slot)::integer]) end as kept
             from (select greatest(budget.slot, $2::bigint) as newest) as shifted
           ) as window_now
         ) as decided
       )
       returning taken, slot, granted, coalesce(limit_told, $5)::integer as request_limit,
         extract(epoch from greatest(paused_until, $1))::float8 * 1000 as paused_until_ms`,
      [take.now, Math.floor(take.now.getTime() / SLOT_MS), take.count, take.share, LIMIT_DEFAULT],
    ),
  )
}

/** Returns when enough of the oldest slots have left the window for one more request. */
function freesAtMs({ slot, granted, request_limit }: BudgetRow, share: number): number {
  const usable = Math.floor(request_limit * share)
  let used = granted.reduce((sum, requests) => sum + requests, 0)
  if (used < usable) return 0
  for (const [index, requests] of granted.entries()) {
    used -= requests
    if (used < usable) return (slot + index + 1) * SLOT_MS
  }
  return (slot + SLOTS) * SLOT_MS
}

function readCount(headers: Headers, name: string): number | null {
  const text = headers.get(name)
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null
}

export interface LeaseOptions {
  priority: Priority
  maxWaitMs: number
  accountId: string | null
}

/**
 * The requests that one piece of work may send, taken from the budget several at once, and the time it has. Taking all
 * of them together costs one write instead of one per request.
 */
export class RestLease {
  readonly #budget: RestBudget
  readonly #requester: Pick<LeaseOptions, 'priority' | 'accountId'>
  readonly #endsAtMs: number
  #left = 0
  #useBy = new Date(0)

  constructor(budget: RestBudget, options: LeaseOptions) {
    this.#budget = budget
    this.#requester = { priority: options.priority, accountId: options.accountId }
    this.#endsAtMs = performance.now() + options.maxWaitMs
  }

  /** Takes up to `count` requests that are free now. None is no failure yet: `spend` tries again. */
  async fill(count: number): Promise<void> {
    const grant = await this.#budget.take({ ...this.#requester, count, maxWaitMs: 0 })
    if (grant.kind === 'spent') return
    this.#left = grant.count
    this.#useBy = grant.useBy
  }

  /** Spends one request: null when it may be sent now, else when to try again. */
  async spend(): Promise<{ retryAt: Date } | null> {
    if (this.#left > 0 && this.#budget.now() < this.#useBy) {
      this.#left -= 1
      return null
    }
    const grant = await this.#budget.take({ ...this.#requester, count: 1, maxWaitMs: this.remainingMs() })
    return grant.kind === 'spent' ? { retryAt: grant.retryAt } : null
  }

  remainingMs(): number {
    return Math.max(0, Math.floor(this.#endsAtMs - performance.now()))
  }
}

export interface RestBudgetLeft {
  limit: number
  left: number
  window_seconds: number
}

/** Returns what is left of the budget now, for monitoring; takes nothing. */
export async function readRestBudget({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<RestBudgetLeft> {
  const [row] = await db.query<{ slot: number; granted: number[]; stated_limit: number | null; paused_until: Date }>(
    `select slot, granted, limit_told as stated_limit, greatest(paused_until, '1970-01-01') as paused_until from register_rest_budget`,
  )
  const limit = row?.stated_limit ?? LIMIT_DEFAULT
  const now = clock.now()
  const oldestSlot = Math.floor(now.getTime() / SLOT_MS) - WINDOW_MS / SLOT_MS
  const granted = row?.granted ?? []
  const used = granted
    .filter((_, index) => (row?.slot ?? 0) - granted.length + 1 + index > oldestSlot)
    .reduce((sum, count) => sum + count, 0)
  const left = row && row.paused_until > now ? 0 : Math.max(0, limit - used)
  return { limit, left, window_seconds: WINDOW_MS / 1_000 }
}
