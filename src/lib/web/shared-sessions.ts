import type { WebSession } from './web-session.ts'

/** For so long after a session was opened, new requests may begin in it. Then the name is looked up and checked again. */
const JOIN_MS_MAX = 10_000
const IDLE_MS_MAX = 2_000
const SWEEP_MS = 500
/** Each keeps a connection. Beyond this the ones that are idle longest are closed. */
const IDLE_MAX = 500

interface Shared {
  origin: string
  session: WebSession
  joinUntilMs: number
  users: number
  idleSinceMs: number
}

/** The session for one request. Both ends are called once; `retire` is for a request whose failure may be the session's. */
export interface SessionUse {
  session: WebSession
  leave(): void
  retire(): void
}

/**
 * Sessions for requests to one origin at a time, with the connections that earlier requests left open. A session is in use
 * for at most ten seconds and the time of one request. It has nothing of those who use it: every header and body belongs to
 * one request. `docs/decisions/0008-webhook-sessions.md` says why that is safe.
 */
export class SharedSessions {
  readonly #joinable = new Map<string, Shared>()
  /** The ones that were left last are at the end. */
  readonly #idle = new Set<Shared>()
  #sweep: NodeJS.Timeout | undefined
  #isClosed = false

  /** All callers pass the same `open`. */
  take(origin: string, open: () => WebSession): SessionUse {
    if (this.#isClosed) throw new Error('the sessions are closed')
    const shared = this.#find(origin) ?? this.#open(origin, open)
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

  /** Closes all that are idle, and lets nothing begin. Sessions in use end with their client. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#sweep)
    this.#joinable.clear()
    await Promise.all([...this.#idle].map(({ session }) => session.close()))
    this.#idle.clear()
  }

  #find(origin: string): Shared | undefined {
    const shared = this.#joinable.get(origin)
    if (!shared || performance.now() < shared.joinUntilMs) return shared
    this.#retire(shared)
    return undefined
  }

  #open(origin: string, open: () => WebSession): Shared {
    const shared = { origin, session: open(), joinUntilMs: performance.now() + JOIN_MS_MAX, users: 0, idleSinceMs: 0 }
    this.#joinable.set(origin, shared)
    this.#sweep ??= setInterval(() => this.#closeIdle(), SWEEP_MS).unref()
    return shared
  }

  /** Takes no more requests. Those under way end as if nothing had happened. */
  #retire(shared: Shared): void {
    if (this.#joinable.get(shared.origin) === shared) this.#joinable.delete(shared.origin)
    if (shared.users === 0) this.#closeNow(shared)
  }

  #leave(shared: Shared): void {
    shared.users -= 1
    if (shared.users > 0) return
    if (this.#joinable.get(shared.origin) !== shared) return this.#closeNow(shared)
    shared.idleSinceMs = performance.now()
    this.#idle.add(shared)
    const [oldest] = this.#idle.size > IDLE_MAX ? this.#idle : []
    if (oldest) this.#retire(oldest)
  }

  #closeIdle(): void {
    const nowMs = performance.now()
    for (const shared of this.#idle) {
      if (nowMs < shared.idleSinceMs + IDLE_MS_MAX) break
      this.#retire(shared)
    }
    if (this.#joinable.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  #closeNow(shared: Shared): void {
    this.#idle.delete(shared)
    // Ending connections that no request uses cannot fail in a way that concerns a caller.
    void shared.session.close()
  }
}
