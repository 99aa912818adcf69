/** An event goes to one address once: two destinations of one owner at one address must want different events. */

interface Wanted {
  webhookUrl: string
  signalType: string
}

const ALL = 'all'
/** Not a signal, so `all` does not include it. */
const FINISHED_JOBS = 'resolution_completed'

/** The first of these that would get an event which the new one would get too, at the same address. */
export function findOverlap<Existing extends Wanted>(existing: readonly Existing[], wanted: Wanted): Existing | null {
  const address = toAddress(wanted.webhookUrl)
  const overlapping = existing.find(
    (one) => hasCommonEvents(one.signalType, wanted.signalType) && toAddress(one.webhookUrl) === address,
  )
  return overlapping ?? null
}

function hasCommonEvents(one: string, other: string): boolean {
  if (one === other) return true
  return (one === ALL && other !== FINISHED_JOBS) || (other === ALL && one !== FINISHED_JOBS)
}

/** As it is sent to: a fragment never leaves us, and a name with a final dot is the same name. */
function toAddress(webhookUrl: string): string {
  const url = new URL(webhookUrl)
  url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  return url.href
}
