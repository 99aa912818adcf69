import type { WebSession } from './web-session.ts'

interface SharedSessionsOptions {
  /** For so long after a name was looked up and checked, requests may begin. Then it is looked up and checked again. */
  checkedMs: number
  /** A session that lasts longer takes no more requests, whatever its name says. */
  lifeMsMax: number
  idleMsMax: number
}

const DEFAULTS: SharedSessionsOptions = { checkedMs: 10_000, lifeMsMax: 40_000, idleMsMax: 2_000 }
const SWEEPS_PER_IDLE = 4
/** Each keeps connections. Beyond this the one that is idle longest is closed. */
const IDLE_MAX = 500

type Origin = Pick<URL, 'origin' | 'hostname'>

interface Shared {
  at: Origin
  session: WebSession
  openedAtMs: number
  checkedUntilMs: number
  /** Under way; all who come meanwhile wait for it. */
  checking: Promise<boolean> | undefined
  users: number
  idleSinceMs: number
}

/** The session for one request, which calls one of both at its end: `retire` when its failure may be the session's. */
export interface SessionUse {
  session: WebSession
  leave: () => void
  retire: () => void
}

/**
 * Sessions for requests to one origin, with the connections that earlier requests left open. A session has nothing of those
 * who use it: every header and every body belongs to one request. `docs/decisions/0008-webhook-sessions.md` says why that is
 * safe.
 */
export class SharedSessions {
  readonly #options: SharedSessionsOptions
  readonly #joinable = new Map<string, Shared>()
  /** The one that was left last is at the end. */
  readonly #idle = new Set<Shared>()
  #sweep: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: Partial<SharedSessionsOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options }
  }

  /** All callers pass the same `open`. */
  async take(at: Origin, open: () => WebSession): Promise<SessionUse> {
    if (this.#isClosed) throw new Error('the sessions are closed')
    const known = this.#joinable.get(at.origin)
    if (known && performance.now() < known.checkedUntilMs) return this.#use(known)
    if (known) {
      // In use while it is checked, so that it is not closed as idle.
      const use = this.#use(known)
      known.checking ??= this.#check(known).finally(() => (known.checking = undefined))
      let isCurrent = false
      try {
        isCurrent = await known.checking
      } finally {
        if (!isCurrent) use.retire()
      }
      return isCurrent ? use : this.take(at, open)
    }
    return this.#use(this.#open(at, open))
  }

  /** Closes all that are idle, and lets nothing begin. Sessions in use end with their client. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#sweep)
    this.#joinable.clear()
    await Promise.all([...this.#idle].map(({ session }) => session.close()))
    this.#idle.clear()
  }

  #use(shared: Shared): SessionUse {
    shared.users += 1
    this.#idle.delete(shared)
    return {
      session: shared.session,
      leave: () => this.#leave(shared),
      retire: () => {
        this.#retire(shared)
        this.#leave(shared)
      },
    }
  }

  #open(at: Origin, open: () => WebSession): Shared {
    const openedAtMs = performance.now()
    const checkedUntilMs = openedAtMs + this.#options.checkedMs
    const shared = { at, session: open(), openedAtMs, checkedUntilMs, checking: undefined, users: 0, idleSinceMs: 0 }
    this.#joinable.set(at.origin, shared)
    this.#sweep ??= setInterval(() => this.#closeIdle(), this.#options.idleMsMax / SWEEPS_PER_IDLE).unref()
    return shared
  }

  /** Returns whether the session may be used on. The time counts from when the name servers were asked. */
  async #check(shared: Shared): Promise<boolean> {
    const askedAtMs = performance.now()
    if (askedAtMs >= shared.openedAtMs + this.#options.lifeMsMax) return false
    if (!(await shared.session.isStillAt(shared.at.hostname))) return false
    shared.checkedUntilMs = askedAtMs + this.#options.checkedMs
    return this.#joinable.get(shared.at.origin) === shared
  }

  /** Takes no more requests. Those under way end as if nothing had happened. */
  #retire(shared: Shared): void {
    if (this.#joinable.get(shared.at.origin) === shared) this.#joinable.delete(shared.at.origin)
    if (shared.users === 0) this.#closeNow(shared)
  }

  #leave(shared: Shared): void {
    shared.users -= 1
    if (shared.users > 0) return
    if (this.#joinable.get(shared.at.origin) !== shared) return this.#closeNow(shared)
    shared.idleSinceMs = performance.now()
    this.#idle.add(shared)
    const [oldest] = this.#idle.size > IDLE_MAX ? this.#idle : []
    if (oldest) this.#retire(oldest)
  }

  #closeIdle(): void {
    const nowMs = performance.now()
    for (const shared of this.#idle) {
      if (nowMs < shared.idleSinceMs + this.#options.idleMsMax) break
      this.#retire(shared)
    }
    if (this.#joinable.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  #closeNow(shared: Shared): void {
    this.#idle.delete(shared)
    // No request uses its connections any more.
    void shared.session.close()
  }
}
