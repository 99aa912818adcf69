/** Texts for the stable codes of the API. */
import type { WebhookAttempt, WebhookDestination } from '../../api/bodies.ts'
import { showWord } from '../../ui/words.ts'
import { SIGNAL_WORDS } from '../../watching/signal-words.ts'

export type SubscriptionType = WebhookDestination['signal_type']
export type DestinationKind = WebhookDestination['kind']
export type SeverityMin = NonNullable<WebhookDestination['severity_min']>

export const KIND_WORDS: Record<DestinationKind, string> = { webhook: 'Your server', slack: 'Slack', teams: 'Teams' }

export const SEVERITY_WORDS: Record<Exclude<SeverityMin, 'info'>, string> = {
  notice: 'Notices and warnings',
  warning: 'Warnings only',
}

/** Lists and severities are those of signals; finished jobs and acts have none. */
export const isSignals = (type: SubscriptionType): boolean => type !== 'resolution_completed' && type !== 'audit_entry'

/** Says which signals a destination gets; empty where it gets those of all companies. */
export function showFilter(destination: WebhookDestination, nameOfList: (id: string) => string): string[] {
  const { list, severity_min: least } = destination
  const severity = least === null || least === 'info' ? [] : [SEVERITY_WORDS[least]]
  return [...(list === null ? [] : [`list “${nameOfList(list)}”`]), ...severity.map((word) => word.toLowerCase())]
}

const SUBSCRIPTION_WORDS: Record<SubscriptionType, string> = {
  all: 'All signals',
  ...SIGNAL_WORDS,
  resolution_completed: 'Finished jobs',
  audit_entry: 'Audit log',
}

const TYPES = Object.keys(SUBSCRIPTION_WORDS) as SubscriptionType[]
export const ONE_SIGNAL_TYPES = TYPES.filter(
  (type) => type !== 'all' && type !== 'resolution_completed' && type !== 'audit_entry',
)

export function showType(type: string): string {
  if (type === 'test') return 'Test event'
  return SUBSCRIPTION_WORDS[type as SubscriptionType] ?? showWord(type)
}

const GONE_CHANNEL: Partial<Record<DestinationKind, string>> = {
  slack: 'Slack says that this webhook was removed or its channel archived, so we stopped.',
  teams: 'Teams says that this workflow was removed, so we stopped.',
}

const DISABLED_WORDS: Record<string, string> = {
  gone: 'It responded with 410 (gone), so we stopped.',
  blocked_address: 'Its host name points to an address that is not on the public internet.',
  no_success: 'It has accepted no event for five days.',
}

export function whyDisabled({ kind, disabled_reason: reason }: WebhookDestination): string {
  if (reason === 'gone' && GONE_CHANNEL[kind]) return GONE_CHANNEL[kind]
  return DISABLED_WORDS[reason ?? ''] ?? 'We send nothing to it.'
}

const ERROR_WORDS: Record<string, string> = {
  timeout: 'It did not respond within 15 seconds.',
  refused: 'The connection was refused.',
  reset: 'It closed the connection before it responded.',
  certificate: 'Its certificate is not trusted.',
  tls: 'We could not make a secure connection (TLS).',
  name_not_found: 'Its host name does not exist.',
  name_timeout: 'Looking up its host name took too long.',
  name_failed: 'We could not look up its host name.',
  blocked: 'Its host name points to an address that is not on the public internet.',
  headers: 'The headers of its response are too large.',
  encoding: 'We could not decode its response.',
  too_large: 'Its response is too large.',
  network: 'The network failed.',
}

/** Describes why an attempt failed; null when it succeeded. */
export function whyFailed({ status, error }: { status: number | null; error: string | null }): string | null {
  if (error !== null) return ERROR_WORDS[error] ?? `There was no usable response (${showWord(error).toLowerCase()}).`
  if (status === null) return 'There was no usable response.'
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400)
    return `It responded with ${status}. We do not follow redirects: enter the final address.`
  return `It responded with ${status}. Only a 2xx status counts as received.`
}

const AFTER_FAILURE: Record<WebhookAttempt['state'], string> = {
  delivered: 'A later attempt succeeded.',
  pending: 'We will try again.',
  failed: 'We have stopped trying.',
  missed: 'We stopped because the destination was disabled.',
}

/** Describes the current state of a delivery after a failed attempt. */
export function whatNow({ state, next_attempt_at: next, signal_type: type }: WebhookAttempt): string {
  if (type === 'test') return 'We send a test event only once.'
  if (state === 'pending' && next !== null) return `Next attempt: ${showSecond(next)}.`
  return AFTER_FAILURE[state]
}

const SECOND = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** Formats a time of the last 30 days with seconds and without the year. */
export const showSecond = (time: string): string => SECOND.format(new Date(time))
