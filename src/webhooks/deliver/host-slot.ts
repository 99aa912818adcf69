/** When one request may be sent to a destination: at most so many go to one host and one address, whoever named them. */
import type { App } from '../../app.ts'
import { GuardError, type WebSession } from '../../lib/web/guarded-client.ts'
import { endTurn, takeTurn, toTurnKeys } from '../../lib/web/outgoing-slot.ts'
import { Pace } from '../../lib/web/pace.ts'
import { ProvenPace } from './proven-pace.ts'

export type Turn =
  /** `end` is called once the request has ended. It never fails: a turn that was not ended ends by itself. */
  | { kind: 'taken'; end: (isAccepted: boolean) => Promise<void> }
  /** Nothing may be sent before then. */
  | { kind: 'wait'; seconds: number }

export interface TurnWish {
  url: string
  /** The destination has answered 2xx before. */
  isProven: boolean
  /** Its last attempt failed: those that were never tried come first. */
  isFailing: boolean
  /** Whose turn it is, in a word that nobody else uses. */
  holder: string
}

/** Longer than a request and the looking up of its name. */
const HOLD_MARGIN_SECONDS = 10
const PACE_WAIT_MS = 2_000
const BUSY_SECONDS = 5
const WAIT_SPREAD = 0.2
const WAIT_SECONDS_MAX = 60

export async function findTurn(app: App, session: WebSession, wish: TurnWish): Promise<Turn> {
  const url = new URL(wish.url)
  const addresses = await findAddresses(session, url.hostname)
  const target = { host: url.host, address: addresses[0] ?? url.hostname }
  if (!wish.isProven) return findUnprovenTurn(app, wish, { url, addresses, target })
  const waitSeconds = await ProvenPace.of(app).take(target)
  return waitSeconds === null ? { kind: 'taken', end: async () => undefined } : waitFor(waitSeconds)
}

async function findUnprovenTurn(
  app: App,
  wish: TurnWish,
  at: { url: URL; addresses: readonly string[]; target: { host: string; address: string } },
): Promise<Turn> {
  const { unprovenPerMinute, timeoutSeconds } = app.config.webhooks
  const everySeconds = (60 / unprovenPerMinute) * (wish.isFailing ? 2 : 1)
  const keys = toTurnKeys(at.url.hostname, at.addresses, everySeconds)
  const { holder } = wish
  const waitSeconds = await takeTurn(app.db, { keys, holder, holdSeconds: timeoutSeconds + HOLD_MARGIN_SECONDS })
  if (waitSeconds !== null) return waitFor(waitSeconds)
  const end = async (isAccepted: boolean) => {
    const note = (error: unknown) => app.log.warn({ event: 'webhooks.turn_not_ended', error })
    await endTurn(app.db, { keys, holder, isAccepted }).catch(note)
  }
  // The same pace as crawls and documents of OAuth clients keep.
  if (await Pace.of(app.limiter).takeTurn(at.target, PACE_WAIT_MS)) return { kind: 'taken', end }
  await end(false)
  return waitFor(BUSY_SECONDS)
}

/** Not all at the same moment: of those that wait for one host, one goes first. */
function waitFor(seconds: number): Turn {
  return { kind: 'wait', seconds: Math.min(seconds, WAIT_SECONDS_MAX) * (1 + Math.random() * WAIT_SPREAD) }
}

/** A name that leads nowhere is found out again by the request, which notes it. */
async function findAddresses(session: WebSession, host: string): Promise<string[]> {
  try {
    return (await session.resolve(host)).toSorted()
  } catch (error) {
    if (error instanceof GuardError) return []
    throw error
  }
}
