import { addSeconds } from '../../lib/clock.ts'

/** However fresh an answer must be, no site is read again sooner than this, for all accounts together. */
const REREAD_SECONDS = 15 * 60

/** Returns the time from which an answer is new enough for a caller who accepts so many days. */
export function oldestAnswerFor(at: Date, maxAgeDays: number): Date {
  return addSeconds(at, -Math.max(maxAgeDays * 86_400, REREAD_SECONDS))
}
