/** Which destinations would get the same event at the same address. Pure. */
import { AUDIT_ENTRY } from '../publish/audit-stream.ts'

/** The part of a destination that decides which events go where. */
export interface Subscription {
  webhookUrl: string
  signalType: string
  listKey?: number | null
}

const ALL = 'all'
/** Not signals, so `all` does not include them. */
export const NO_SIGNALS: readonly string[] = ['resolution_completed', AUDIT_ENTRY]

/**
 * Two destinations of one owner at one address must subscribe to different events, or to the signals of different lists.
 * Returns the first that would get an event at the same address which the added one would get as well.
 */
export function findOverlap<Existing extends Subscription>(
  existing: readonly Existing[],
  added: Subscription,
): Existing | null {
  const address = toAddress(added.webhookUrl)
  const overlapping = existing.find(
    (one) =>
      hasCommonEvents(one.signalType, added.signalType) &&
      hasCommonCompanies(one, added) &&
      toAddress(one.webhookUrl) === address,
  )
  return overlapping ?? null
}

/** Without a list it gets the signals of all. Two lists may share companies, whose signals then come by both destinations. */
function hasCommonCompanies({ listKey: one = null }: Subscription, { listKey: other = null }: Subscription): boolean {
  return one === null || other === null || one === other
}

function hasCommonEvents(one: string, other: string): boolean {
  if (one === other) return true
  return (one === ALL && !NO_SIGNALS.includes(other)) || (other === ALL && !NO_SIGNALS.includes(one))
}

/** Returns the address that requests go to: without a fragment, which is never sent, and without the final dot of a name. */
function toAddress(webhookUrl: string): string {
  const url = new URL(webhookUrl)
  url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  return url.href
}
