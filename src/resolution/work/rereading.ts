import { addSeconds } from '../../lib/clock.ts'

/** However fresh an answer is asked for, a stranger's site is read again no sooner than this, for everybody together. */
const REREAD_SECONDS = 15 * 60

/** The moment from which on an answer is new enough for a caller who takes nothing older than so many days. */
export function oldestAnswerFor(at: Date, maxAgeDays: number): Date {
  return addSeconds(at, -Math.max(maxAgeDays * 86_400, REREAD_SECONDS))
}
