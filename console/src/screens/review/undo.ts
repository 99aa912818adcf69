/** The last decision of this window, which one key or one click takes back. */
import type { ReviewsDone } from '../../api/bodies.ts'
import type { Seen } from '../../reviewing/replaced.ts'

type Done = ReviewsDone['data'][number]

/** A review that the decision changed, with the decision that it had before and the one that it got. */
export interface Changed extends Pick<Done, 'id'> {
  replaced: NonNullable<Done['replaced']> | null
  made: Seen
}

export interface LastDecision {
  changed: Changed[]
  /** Opened again after it is taken back. */
  id: string
  domain: string
}

/** Returns the words for a decision that stays because another person or a program made it meanwhile. */
export function describeLeft(domain: string): string {
  return `The decision on ${domain} was changed since then, and stays as it is now.`
}

let last: LastDecision | null = null

/** Keeps what one click takes back of a decision, and returns false where there is nothing: a dispute is made again only by itself. */
export function keepChanges(changed: readonly Changed[], of: Pick<LastDecision, 'id' | 'domain'>): boolean {
  // The decision before stays the last one.
  if (changed.length === 0) return false
  const undoable = changed.filter(({ replaced }) => replaced?.action !== 'dispute')
  last = undoable.length === 0 ? null : { ...of, changed: undoable }
  return last !== null
}

export function keepLast(decision: LastDecision): void {
  last = decision
}

/** Returns it once. */
export function takeLast(): LastDecision | null {
  const taken = last
  last = null
  return taken
}
