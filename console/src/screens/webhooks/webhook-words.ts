/** What the stable words of the API mean to a person. */
import type { WebhookAttempt, WebhookDestination } from '../../api/bodies.ts'
import type { Tone } from '../../ui/tones.ts'
import { showWord } from '../../ui/words.ts'

export type SubscriptionType = WebhookDestination['signal_type']

const SUBSCRIPTION_WORDS: Record<SubscriptionType, string> = {
  all: 'All signals',
  status_changed: 'Status changed',
  name_changed: 'Name changed',
  registered_office_changed: 'Registered office changed',
  sic_codes_changed: 'SIC codes changed',
  accounts_filed: 'Accounts filed',
  accounts_overdue: 'Accounts overdue',
  accounts_type_changed: 'Type of accounts changed',
  confirmation_filed: 'Confirmation statement filed',
  confirmation_overdue: 'Confirmation statement overdue',
  director_appointed: 'Director appointed',
  director_resigned: 'Director resigned',
  charge_registered: 'Charge registered',
  charge_satisfied: 'Charge satisfied',
  insolvency_started: 'Insolvency started',
  insolvency_updated: 'Insolvency updated',
  strike_off_proposed: 'Strike-off proposed',
  strike_off_discontinued: 'Strike-off discontinued',
  psc_changed: 'Person with significant control changed',
  website_changed: 'Web site changed',
  resolution_completed: 'Jobs that have ended',
}

const TYPES = Object.keys(SUBSCRIPTION_WORDS) as SubscriptionType[]
export const ONE_SIGNAL_TYPES = TYPES.filter((type) => type !== 'all' && type !== 'resolution_completed')

export function showType(type: string): string {
  if (type === 'test') return 'Test event'
  return SUBSCRIPTION_WORDS[type as SubscriptionType] ?? showWord(type)
}

const DISABLED_WORDS: Record<string, string> = {
  gone: 'It returned 410 (gone), which asks us to stop.',
  blocked_address: 'Its name leads to an address that is not on the public internet.',
  no_success: 'It has not accepted a single event for five days.',
}

export function whyDisabled(reason: string | null): string {
  return DISABLED_WORDS[reason ?? ''] ?? 'Nothing is sent to it.'
}

const ERROR_WORDS: Record<string, string> = {
  timeout: 'It did not answer in time (15 s).',
  refused: 'Nobody listens there: the connection was refused.',
  reset: 'It closed the connection before it answered.',
  certificate: 'Its certificate is not one that browsers accept.',
  tls: 'No secure connection could be made (TLS).',
  name_not_found: 'Its name does not exist.',
  name_timeout: 'Its name could not be looked up in time.',
  name_failed: 'Its name could not be looked up.',
  blocked: 'Its name leads to an address that is not on the public internet.',
  headers: 'The headers of its answer are too large.',
  encoding: 'Its answer could not be decoded.',
  too_large: 'Its answer is too large.',
  network: 'The network failed on the way there.',
}

/** Why an attempt was no success; null when it was one. */
export function whyFailed({ status, error }: { status: number | null; error: string | null }): string | null {
  if (error !== null) return ERROR_WORDS[error] ?? `Nothing usable came back (${showWord(error).toLowerCase()}).`
  if (status === null) return 'Nothing usable came back.'
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `It answered ${status}. Redirects are not followed: give the final address.`
  return `It answered ${status}; only a 2xx status counts as received.`
}

const STATES: Record<WebhookAttempt['state'], { word: string; tone: Tone }> = {
  delivered: { word: 'Delivered', tone: 'good' },
  pending: { word: 'On its way', tone: 'info' },
  failed: { word: 'Given up', tone: 'bad' },
  missed: { word: 'Missed', tone: 'warn' },
}

export const stateOf = (state: WebhookAttempt['state']) => STATES[state]

const SECOND = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** Of the last 30 days, so without a year: what happened in one minute is told apart. */
export const showSecond = (time: string): string => SECOND.format(new Date(time))
