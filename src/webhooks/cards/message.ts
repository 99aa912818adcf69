/** Destinations that people read: several events go in one message, in the form that the service takes. */
import type { App } from '../../app.ts'
import type { CardKind } from './address.ts'
import { type CardSignal, readCardSignal, TEST_SIGNAL } from './card-signal.ts'
import { formatSlackMessage, SLACK_SIGNALS_MAX } from './slack-message.ts'
import { formatTeamsMessage, TEAMS_BYTES_MAX, TEAMS_SIGNALS_MAX } from './teams-message.ts'

interface CardEvent {
  body: string
}

export interface CardMessage<Event extends CardEvent> {
  /** The first of those that were offered. */
  events: Event[]
  body: string
}

const SIGNALS_MAX: Record<CardKind, number> = { slack: SLACK_SIGNALS_MAX, teams: TEAMS_SIGNALS_MAX }
/** Slack has no limit for the whole message. */
const BYTES_MAX: Record<CardKind, number> = { slack: Number.POSITIVE_INFINITY, teams: TEAMS_BYTES_MAX }
const FORMATS = { slack: formatSlackMessage, teams: formatTeamsMessage }

/** Returns as many of the events in one message as fit, at least one. */
export function composeMessage<Event extends CardEvent>(
  { config }: { config: Pick<App['config'], 'siteUrl'> },
  kind: CardKind,
  offered: readonly Event[],
): CardMessage<Event> {
  const console = new URL('/console/', config.siteUrl)
  for (let count = Math.min(offered.length, SIGNALS_MAX[kind]); ; count = Math.ceil(count / 2)) {
    const events = offered.slice(0, count)
    const body = FORMATS[kind](events.map(toSignal), { console })
    if (count <= 1 || Buffer.byteLength(body) <= BYTES_MAX[kind]) return { events, body }
  }
}

function toSignal({ body }: CardEvent): CardSignal {
  return readCardSignal(body) ?? TEST_SIGNAL
}

/** Slack's words for a webhook that will never take a message again, unless a person changes something there. */
const GONE_IN_SLACK = new Set([
  'no_service',
  'no_service_id',
  'no_active_hooks',
  'no_team',
  'team_disabled',
  'invalid_token',
  'channel_is_archived',
  'channel_not_found',
])

/** Whether a response says that the address was removed: both services answer 404 then, which others do in passing. */
export function isGone(kind: CardKind, { status, response }: { status: number | null; response: string }): boolean {
  if (status === null || status < 400 || status >= 500) return false
  return status === 404 || (kind === 'slack' && GONE_IN_SLACK.has(response.trim()))
}
