import type { Bulk } from '../../api/bodies.ts'
import { colourOfOutcome, type Tone, wordOfOutcome } from '../../ui/tones.ts'
import { plural } from '../../ui/words.ts'

export type RowState = Exclude<keyof Bulk['counts'], 'total'>

const stripes = (angle: string, one: string, other: string, [firstPx, bothPx] = [3, 6]) =>
  `repeating-linear-gradient(${angle}, var(${one}) 0 ${firstPx}px, var(${other}) ${firstPx}px ${bothPx}px)`

/** In display order: finished rows, skipped rows, rows still to do. Outcomes have their usual word and colour. */
const LOOKS: Record<RowState, { background?: string; word?: string }> = {
  matched: {},
  needs_review: {},
  no_match: {},
  non_uk_entity: {},
  scrape_failed: {},
  failed: { background: stripes('45deg', '--bad', '--bad-soft') },
  invalid: { background: stripes('45deg', '--line-strong', '--card'), word: 'Invalid rows' },
  duplicate: { background: 'var(--line-strong)', word: 'Duplicates' },
  cancelled: { background: stripes('-45deg', '--line-strong', '--sunken', [2, 6]), word: 'Cancelled' },
  running: { background: stripes('-45deg', '--brand', '--brand-soft', [4, 8]), word: 'In progress' },
  waiting: { background: 'var(--line)', word: 'Queued' },
}

export const STATES = Object.keys(LOOKS) as RowState[]

export const wordOfState = (state: RowState): string => LOOKS[state].word ?? wordOfOutcome(state)

export const backgroundOfState = (state: RowState): string => LOOKS[state].background ?? colourOfOutcome(state)

const STATUSES: Record<Bulk['status'], { word: string; tone: Tone }> = {
  running: { word: 'Running', tone: 'info' },
  paused: { word: 'Paused', tone: 'warn' },
  completed: { word: 'Finished', tone: 'good' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
}

export const statusOf = ({ status }: Bulk) => STATUSES[status]

/** Says why a paused job stopped; `next` is what helps before it is resumed. */
export function describePause({ paused_reason: reason }: Bulk): { why: string; next: string } {
  if (reason === 'insufficient_credits') return { why: 'you ran out of credits', next: 'Get more credits, then resume' }
  if (reason === 'account_disabled') return { why: 'your account was disabled', next: 'When it is enabled, resume' }
  return { why: 'we stopped this job', next: 'Resume' }
}

/** Returns the number of finished rows. */
export function doneOf({ counts }: Bulk): number {
  return counts.total - counts.waiting - counts.running - counts.cancelled
}

/** Returns the number of rows that a resumed job would resolve. */
export function leftOf({ counts }: Bulk): number {
  return counts.waiting + counts.cancelled + counts.failed
}

export const nameOf = ({ name, id }: Bulk): string => name ?? id

/** The name of a results file, without its ending. */
export function fileNameOf({ name, id }: Bulk): string {
  const plain = (name ?? '').replaceAll(/[^\p{L}\p{N} _.-]/gu, '').trim()
  return `${plain === '' ? id : plain}-results`
}

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600

export function showEta(seconds: number | null): string {
  if (seconds === null) return 'Not known yet'
  if (seconds < MINUTE_SECONDS) return 'less than a minute'
  if (seconds < 2 * HOUR_SECONDS) return `about ${plural(Math.round(seconds / MINUTE_SECONDS), 'minute')}`
  return `about ${plural(Math.round(seconds / HOUR_SECONDS), 'hour')}`
}
