import type { App } from '../../app.ts'
import type { BucketPolicy, LeasedLimiter } from '../../lib/limits/leased-limiter.ts'
import { toAddressBlock } from '../../lib/web/address-block.ts'

/** Generous: one host may receive for thousands of customers. */
const PER_HOST: BucketPolicy = { name: 'webhook-host', burst: 6_000, perSecond: 500 }
/** Thousands of hosts share the address of one hosting company. */
const PER_ADDRESS: BucketPolicy = { name: 'webhook-address', burst: 24_000, perSecond: 2_000 }

/** The first requests of this process to a host within the window are not counted: counting each would cost two writes. */
const UNCOUNTED_MAX = 10
const WINDOW_MS = 5_000
const HOSTS_MAX = 20_000

/** Limits what all processes together send to one host, and to one address, of destinations that accept events. */
export class ProvenPace {
  static readonly #paces = new WeakMap<App, ProvenPace>()
  readonly #limiter: LeasedLimiter
  readonly #uncounted = new Map<string, { count: number; endsAtMs: number }>()

  private constructor({ limiter }: Pick<App, 'limiter'>) {
    this.#limiter = limiter
  }

  /** Returns the pace of this process. */
  static of(app: App): ProvenPace {
    const pace = ProvenPace.#paces.get(app) ?? new ProvenPace(app)
    ProvenPace.#paces.set(app, pace)
    return pace
  }

  /** Returns null when one request may be sent now, else the seconds until then. */
  async take({ host, address }: { host: string; address: string }): Promise<number | null> {
    if (this.#isUncounted(host)) return null
    const byHost = await this.#limiter.admit(host, PER_HOST)
    if (byHost.kind === 'refused') return byHost.retryAfterSeconds
    const byAddress = await this.#limiter.admit(toAddressBlock(address), PER_ADDRESS)
    return byAddress.kind === 'refused' ? byAddress.retryAfterSeconds : null
  }

  #isUncounted(host: string): boolean {
    const nowMs = performance.now()
    let window = this.#uncounted.get(host)
    if (!window || window.endsAtMs < nowMs) {
      this.#uncounted.delete(host)
      const [oldest] = this.#uncounted.size >= HOSTS_MAX ? this.#uncounted.keys() : []
      if (oldest !== undefined) this.#uncounted.delete(oldest)
      window = { count: 0, endsAtMs: nowMs + WINDOW_MS }
      this.#uncounted.set(host, window)
    }
    window.count += 1
    return window.count <= UNCOUNTED_MAX
  }
}
