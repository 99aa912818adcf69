/** Permission to send one request to a destination. One host and one address get a limited number, from all accounts. */
import type { App } from '../../app.ts'
import { GuardError, type WebSession } from '../../lib/web/guarded-client.ts'
import { releaseSlot, takeSlot, toSlotKeys } from '../../lib/web/outgoing-slot.ts'
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
  const waitSeconds = await app.pace.admitToReceiver(target)
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
  if (await app.pace.waitToSend(at.target, PACE_WAIT_MS)) return { kind: 'taken', release }
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
