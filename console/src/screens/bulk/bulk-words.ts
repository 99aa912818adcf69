import type { Bulk } from '../../api/bodies.ts'
import { type Tone, wordOfOutcome } from '../../ui/tones.ts'
import { plural } from '../../ui/words.ts'

export type RowState = Exclude<keyof Bulk['counts'], 'total'>

/** In display order: finished rows, skipped rows, rows still to do. */
export const STATES: readonly RowState[] = [
  'matched',
  'needs_review',
  'no_match',
  'non_uk_entity',
  'scrape_failed',
  'failed',
  'invalid',
  'duplicate',
  'cancelled',
  'running',
  'waiting',
]

const STATE_WORDS: Partial<Record<RowState, string>> = {
  invalid: 'Invalid rows',
  duplicate: 'Duplicates',
  cancelled: 'Cancelled',
  running: 'In progress',
  waiting: 'Queued',
}

export const wordOfState = (state: RowState): string => STATE_WORDS[state] ?? wordOfOutcome(state)

const STATUSES: Record<Bulk['status'], { word: string; tone: Tone }> = {
  running: { word: 'Running', tone: 'info' },
  paused: { word: 'Paused', tone: 'warn' },
  completed: { word: 'Finished', tone: 'good' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
}

export const statusOf = ({ status }: Bulk) => STATUSES[status]

/** Returns the number of finished rows. */
export function doneOf({ counts }: Bulk): number {
  return counts.total - counts.waiting - counts.running - counts.cancelled
}

/** Returns the number of rows that a resumed job would resolve. */
export function leftOf({ counts }: Bulk): number {
  return counts.waiting + counts.cancelled + counts.failed
}

export const nameOf = ({ name, id }: Bulk): string => name ?? id

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600

export function showEta(seconds: number | null): string {
  if (seconds === null) return 'Not known yet'
  if (seconds < MINUTE_SECONDS) return 'less than a minute'
  if (seconds < 2 * HOUR_SECONDS) return `about ${plural(Math.round(seconds / MINUTE_SECONDS), 'minute')}`
  return `about ${plural(Math.round(seconds / HOUR_SECONDS), 'hour')}`
}
