/** Permission to send one request to a destination. One host and one address get a limited number, from all accounts. */
import type { App } from '../../app.ts'
import type { BucketPolicy, LeasedLimiter } from '../../lib/limits/leased-limiter.ts'
import { toAddressBlock } from '../../lib/web/address-block.ts'
import { GuardError, type WebSession } from '../../lib/web/guarded-client.ts'
import { releaseSlot, takeSlot, toSlotKeys } from '../../lib/web/outgoing-slot.ts'
import { Pace } from '../../lib/web/pace.ts'
import type { Attempt } from './attempt.ts'

interface TakenSlot {
  kind: 'taken'
  /** Never fails: a slot that is not released ends by itself. */
  release: (isAccepted: boolean) => Promise<void>
}

export type HostSlot =
  | TakenSlot
  /** Nothing may be sent for so long. */
  | { kind: 'wait'; seconds: number }

export interface HostSlotRequest {
  url: string
  /** The destination has accepted an event before. */
  isProven: boolean
  /** Its last attempt failed, so it waits longer: destinations that were never tried go first. */
  isFailing: boolean
  /** A unique name for the holder of the slot. */
  holder: string
}

/** More than the lookup of a name takes, on top of the request. */
const HOLD_MARGIN_SECONDS = 10
const PACE_WAIT_MS = 2_000
const BUSY_SECONDS = 5
const WAIT_SPREAD = 0.2
const WAIT_SECONDS_MAX = 60

export async function takeHostSlot(app: App, session: WebSession, request: HostSlotRequest): Promise<HostSlot> {
  const url = new URL(request.url)
  const addresses = await findAddresses(session, url.hostname)
  const target = { host: url.host, address: addresses[0] ?? url.hostname }
  if (!request.isProven) return takeUnprovenSlot(app, request, { url, addresses, target })
  const waitSeconds = await ProvenPace.of(app).take(target)
  return waitSeconds === null ? { kind: 'taken', release: async () => undefined } : waitFor(waitSeconds)
}

async function takeUnprovenSlot(
  app: App,
  request: HostSlotRequest,
  at: { url: URL; addresses: readonly string[]; target: { host: string; address: string } },
): Promise<HostSlot> {
  const { unprovenPerMinute, timeoutSeconds } = app.config.webhooks
  const everySeconds = (60 / unprovenPerMinute) * (request.isFailing ? 2 : 1)
  const keys = toSlotKeys(at.url.hostname, at.addresses, everySeconds)
  const { holder } = request
  const waitSeconds = await takeSlot(app.db, { keys, holder, holdSeconds: timeoutSeconds + HOLD_MARGIN_SECONDS })
  if (waitSeconds !== null) return waitFor(waitSeconds)
  const release = async (isAccepted: boolean) => {
    const warn = (error: unknown) => app.log.warn({ event: 'webhooks.turn_not_ended', error })
    await releaseSlot(app.db, { keys, holder, isAccepted }).catch(warn)
  }
  // Shared with crawls and documents of OAuth clients.
  if (await Pace.of(app.limiter).waitToSend(at.target, PACE_WAIT_MS)) return { kind: 'taken', release }
  await release(false)
  return waitFor(BUSY_SECONDS)
}

/** Makes the attempt and then releases the slot. */
export async function attemptInSlot(slot: TakenSlot, makeAttempt: () => Promise<Attempt>): Promise<Attempt> {
  let isAccepted = false
  try {
    const attempt = await makeAttempt()
    isAccepted = attempt.result === 'delivered'
    return attempt
  } finally {
    await slot.release(isAccepted)
  }
}

/** Spreads the waits, so that not all destinations of one host return at the same moment. */
function waitFor(seconds: number): HostSlot {
  return { kind: 'wait', seconds: Math.min(seconds, WAIT_SECONDS_MAX) * (1 + Math.random() * WAIT_SPREAD) }
}

/** Returns nothing for a name without an address: the request finds that out again, and its attempt is recorded. */
async function findAddresses(session: WebSession, host: string): Promise<string[]> {
  try {
    return (await session.resolve(host)).toSorted()
  } catch (error) {
    if (error instanceof GuardError) return []
    throw error
  }
}

/** Generous: one host may receive for thousands of customers. */
const PER_HOST: BucketPolicy = { name: 'webhook-host', burst: 6_000, perSecond: 500 }
/** Thousands of hosts share the address of one hosting company. */
const PER_ADDRESS: BucketPolicy = { name: 'webhook-address', burst: 24_000, perSecond: 2_000 }

/** The first requests of this process to a host within the window are not counted: counting each would cost two writes. */
const UNCOUNTED_MAX = 10
const WINDOW_MS = 5_000
const HOSTS_MAX = 20_000

/** Limits what all processes together send to one host, and to one address, of destinations that accept events. */
class ProvenPace {
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
