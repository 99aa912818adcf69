import type { WebhookConfig } from '../../config.ts'
import { addSeconds } from '../../lib/clock.ts'

/** The health of a destination decides whether we send to it, how many events at a time, and when again. */
export interface Health {
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  consecutiveFailures: number
  /** The latest failures in a row that were caused by a blocked address. */
  consecutiveBlocked: number
  /** The first failure since the last success. */
  failingSince: Date | null
  /** Nothing is sent before then. */
  pausedUntil: Date | null
  /** Pauses in a row that did not help. */
  pauses: number
  disabledReason: DisabledReason | null
}

/** `gone`: it returned 410. `blocked_address`: its name leads to an address we never dial. `no_success`: it failed for days. */
export type DisabledReason = 'gone' | 'blocked_address' | 'no_success'

export const HEALTHY: Health = {
  lastSuccessAt: null,
  lastFailureAt: null,
  consecutiveFailures: 0,
  consecutiveBlocked: 0,
  failingSince: null,
  pausedUntil: null,
  pauses: 0,
  disabledReason: null,
}

/** The meaning of a receiver's response. */
export type AttemptResult = 'delivered' | 'gone' | 'blocked' | 'failed'

const FAILURES_BEFORE_PAUSE = 5
const BLOCKED_BEFORE_DISABLED = 3
const PAUSE_SECONDS_MAX = 1_800

/** Returns the health after one more attempt. Pure. */
export function afterAttempt(
  health: Health,
  attempt: { result: AttemptResult; retryAfterSeconds: number | null; at: Date },
  policy: Pick<WebhookConfig, 'disableAfterSeconds' | 'pauseSeconds'>,
): Health {
  const { result, at } = attempt
  if (result === 'delivered') return { ...HEALTHY, lastSuccessAt: at, lastFailureAt: health.lastFailureAt }
  const failing: Health = {
    ...health,
    lastFailureAt: at,
    consecutiveFailures: health.consecutiveFailures + 1,
    consecutiveBlocked: result === 'blocked' ? health.consecutiveBlocked + 1 : 0,
    failingSince: health.failingSince ?? at,
  }
  const disabledReason = reasonToDisable(failing, result, policy.disableAfterSeconds)
  if (disabledReason !== null) return { ...failing, disabledReason }
  return pause(failing, attempt, policy.pauseSeconds)
}

function reasonToDisable(failing: Health, result: AttemptResult, disableAfterSeconds: number): DisabledReason | null {
  const { consecutiveBlocked, failingSince, lastFailureAt } = failing
  if (result === 'gone') return 'gone'
  if (consecutiveBlocked >= BLOCKED_BEFORE_DISABLED) return 'blocked_address'
  const failingMs = (lastFailureAt?.getTime() ?? 0) - (failingSince?.getTime() ?? 0)
  return failingMs >= disableAfterSeconds * 1_000 ? 'no_success' : null
}

/** Pauses after five failures in a row and after each one that follows, or as long as the receiver requests. */
function pause(
  failing: Health,
  { retryAfterSeconds, at }: { retryAfterSeconds: number | null; at: Date },
  pauseSeconds: number,
): Health {
  const isPaused = failing.pausedUntil !== null && failing.pausedUntil > at
  if (failing.consecutiveFailures >= FAILURES_BEFORE_PAUSE && !isPaused) {
    const seconds = Math.min(Math.max(pauseSeconds * 2 ** failing.pauses, retryAfterSeconds ?? 0), PAUSE_SECONDS_MAX)
    return { ...failing, pausedUntil: addSeconds(at, seconds), pauses: failing.pauses + 1 }
  }
  if (retryAfterSeconds === null) return failing
  const requested = addSeconds(at, Math.min(retryAfterSeconds, PAUSE_SECONDS_MAX))
  return { ...failing, pausedUntil: latest(requested, failing.pausedUntil) }
}

function latest(a: Date, b: Date | null): Date {
  return b !== null && b > a ? b : a
}

/** True when another success would change nothing but its time. */
export function isWell({ consecutiveFailures, pausedUntil, disabledReason }: Health): boolean {
  return consecutiveFailures === 0 && pausedUntil === null && disabledReason === null
}

export const IN_FLIGHT_MAX = 5

/** Returns 1 until the receiver has accepted an event and while it fails, so that a dead receiver costs one attempt. */
export function inFlightMax(health: Health, accepted: number): number {
  return health.consecutiveFailures > 0 ? 1 : Math.min(1 + accepted, IN_FLIGHT_MAX)
}
