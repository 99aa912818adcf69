/**
 * The requests that all processes together may send to the register's REST API: never more than the key's limit in any
 * five minutes, wherever they begin. The register counts in fixed windows that open whenever it likes, so only a bound
 * on every window is safe. Someone waiting comes first: background work leaves a share of every window alone. Of those who wait,
 * no account can draw all: beyond its share it leaves half of every window to the others.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import { type BucketPolicy, LeasedLimiter } from '../../lib/limits/leased-limiter.ts'

export type Priority = 'user' | 'background'
/** `excess`: somebody waits, who has had more than a fair share of these minutes. */
type Claim = Priority | 'excess'

export type Grant =
  /** At least one and perhaps fewer than asked; each is to be sent before `useBy` or not at all. */
  { kind: 'granted'; count: number; useBy: Date } | { kind: 'spent'; retryAt: Date }

export interface Asked {
  priority: Priority
  count: number
  maxWaitMs: number
  /** Whose share it comes from; null where nobody in particular waits. */
  accountId: string | null
}

export const WINDOW_MS = 300_000
export const SLOT_MS = 5_000
const USE_WITHIN_MS = 10_000
/** Between the sending and the counting of a request: the longest that an answer is waited for. */
const ARRIVE_WITHIN_MS = 10_000
/** A request counts until even the last of its slot, sent and arrived as late as can be, left the window. */
const SLOTS = (WINDOW_MS + USE_WITHIN_MS + ARRIVE_WITHIN_MS) / SLOT_MS + 1

export const LIMIT_DEFAULT = 600
/**
 * Of the limit: 30 of 600 are never sent, and 150 more are for those who wait. Beyond its own share an account gets what is
 * left of half the window, so that all others and the background go on.
 */
const SHARES: Record<Claim, number> = { user: 0.95, background: 0.7, excess: 0.5 }
/** A fifth of the window. */
const ACCOUNT_SHARE: BucketPolicy = { name: 'register-rest', burst: 120, perSecond: 120 / 300 }
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

export class RestBudget {
  readonly #db: Db
  readonly clock: Clock
  /** What this process knows without asking: a window does not empty sooner than it was computed to. */
  readonly #spentUntilMs: Record<Claim, number> = { user: 0, background: 0, excess: 0 }
  readonly #shares: LeasedLimiter
  #pausedUntilMs = 0
  #limitTold = 0

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.clock = clock
    this.#shares = new LeasedLimiter(db)
  }

  /** Takes up to `count` requests, waiting for the first of them no longer than `maxWaitMs`. */
  async take(asked: Asked): Promise<Grant> {
    const startedMs = performance.now()
    for (;;) {
      const grant = await this.#tryTake(asked)
      if (grant.kind === 'granted') return grant
      const leftMs = asked.maxWaitMs - (performance.now() - startedMs)
      const waitMs = grant.retryAt.getTime() - this.clock.now().getTime()
      if (waitMs > leftMs || leftMs <= 0) return grant
      await sleep(Math.min(Math.max(waitMs, 1), POLL_MS, leftMs))
    }
  }

  async #tryTake({ priority, count, accountId }: Asked): Promise<Grant> {
    // Nothing is drawn from a share while there is nothing to be had.
    if (priority === 'background' || accountId === null || this.#findSpent('user'))
      return this.#tryClaim(priority, count)
    const own = await this.#drawShare(accountId, count)
    return own > 0 ? this.#tryClaim('user', own) : this.#tryClaim('excess', count)
  }

  /** How many of `count` the account's share has. */
  async #drawShare(accountId: string, count: number): Promise<number> {
    for (let drawn = 0; drawn < count; drawn += 1) {
      if ((await this.#shares.admit(accountId, ACCOUNT_SHARE)).kind === 'refused') return drawn
    }
    return count
  }

  #findSpent(claim: Claim): Grant | null {
    const spentUntilMs = Math.max(this.#spentUntilMs[claim], this.#pausedUntilMs)
    return this.clock.now().getTime() < spentUntilMs ? { kind: 'spent', retryAt: new Date(spentUntilMs) } : null
  }

  async #tryClaim(claim: Claim, count: number): Promise<Grant> {
    const spent = this.#findSpent(claim)
    if (spent) return spent
    const now = this.clock.now()
    const row = await takeRequests(this.#db, { now, count, share: SHARES[claim] })
    if (row.taken > 0) return { kind: 'granted', count: row.taken, useBy: addSeconds(now, USE_WITHIN_MS / 1_000) }
    const retryAtMs = Math.max(freesAtMs(row, SHARES[claim]), row.paused_until_ms, now.getTime() + 1)
    this.#spentUntilMs[claim] = retryAtMs
    return { kind: 'spent', retryAt: new Date(retryAtMs) }
  }

  /** Every answer goes through here: it says what the key may do, and whether all processes must stop for a while. */
  async learn({ status, headers }: { status: number; headers: Headers }): Promise<void> {
    const limit = readCount(headers, 'x-ratelimit-limit')
    if (limit !== null && limit > 0 && limit !== this.#limitTold) await this.#rememberLimit(limit)
    // The document API spells it in full.
    const remaining = readCount(headers, 'x-ratelimit-remain') ?? readCount(headers, 'x-ratelimit-remaining')
    // Less than we leave over ourselves: someone else spends the same key.
    const isRunningOut = remaining !== null && remaining < Math.floor((limit ?? LIMIT_DEFAULT) * (1 - SHARES.user))
    // 403 is how the register limits an address; hammering on after either leads to a ban.
    if (status === 429 || status === 403 || isRunningOut) await this.#pause(readCount(headers, 'x-ratelimit-reset'))
  }

  /** After a refusal: until when nobody sends. */
  pausedUntil(): Date {
    return new Date(this.#pausedUntilMs)
  }

  async #rememberLimit(limit: number): Promise<void> {
    await this.#db.query(
      'update register_rest_budget set limit_told = $1 where limit_told is distinct from $1::integer',
      [limit],
    )
    this.#limitTold = limit
    this.#spentUntilMs.user = 0
    this.#spentUntilMs.background = 0
    this.#spentUntilMs.excess = 0
  }

  async #pause(resetSeconds: number | null): Promise<void> {
    const nowMs = this.clock.now().getTime()
    const latestMs = nowMs + WINDOW_MS + RESET_MARGIN_MS
    const toldMs = resetSeconds === null ? latestMs : resetSeconds * 1_000 + RESET_MARGIN_MS
    // A reset in the past or far ahead is a wrong clock, theirs or ours; neither may stop us for ever.
    const untilMs = toldMs > nowMs && toldMs < latestMs ? toldMs : latestMs
    if (untilMs <= this.#pausedUntilMs) return
    this.#pausedUntilMs = untilMs
    await this.#db.query('update register_rest_budget set paused_until = greatest(paused_until, $1)', [
      new Date(untilMs),
    ])
  }
}

/** One statement forgets what left the window, adds up the rest and takes; the row's lock puts processes in line. */
async function takeRequests(db: Db, take: { now: Date; count: number; share: number }): Promise<BudgetRow> {
  return onlyRow(
    await db.query<BudgetRow>(
      // A clock that is behind counts in the newest slot: too early for its own good, never too late.
      `update register_rest_budget as budget set (slot, granted, taken) = (
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
             from (select greatest(budget.slot, $2::bigint) as newest) as turned
           ) as window_now
         ) as decided
       )
       returning taken, slot, granted, coalesce(limit_told, $5)::integer as request_limit,
         extract(epoch from greatest(paused_until, $1))::float8 * 1000 as paused_until_ms`,
      [take.now, Math.floor(take.now.getTime() / SLOT_MS), take.count, take.share, LIMIT_DEFAULT],
    ),
  )
}

/** When enough of the oldest slots have left the window for one more request. */
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
