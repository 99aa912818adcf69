/** An event goes to one address once: two destinations of one owner at one address must subscribe to different events. */

interface Subscription {
  webhookUrl: string
  signalType: string
}

const ALL = 'all'
/** Not a signal, so `all` does not include it. */
const FINISHED_JOBS = 'resolution_completed'

/** Returns the first that would get an event at the same address which the added one would get as well. */
export function findOverlap<Existing extends Subscription>(
  existing: readonly Existing[],
  added: Subscription,
): Existing | null {
  const address = toAddress(added.webhookUrl)
  const overlapping = existing.find(
    (one) => hasCommonEvents(one.signalType, added.signalType) && toAddress(one.webhookUrl) === address,
  )
  return overlapping ?? null
}

function hasCommonEvents(one: string, other: string): boolean {
  if (one === other) return true
  return (one === ALL && other !== FINISHED_JOBS) || (other === ALL && one !== FINISHED_JOBS)
}

/** Returns the address that requests go to: without a fragment, which is never sent, and without the final dot of a name. */
function toAddress(webhookUrl: string): string {
  const url = new URL(webhookUrl)
  url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  return url.href
}
