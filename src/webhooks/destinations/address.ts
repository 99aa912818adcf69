/** The address of a destination: which ones we send to, and when two are the same. */
import { isIP } from 'node:net'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { GuardError } from '../../lib/web/guarded-client.ts'
import { WEBHOOK_PORTS } from '../deliver/attempt.ts'

/** Makes the same check as every send, and says what is wrong with the address. */
export async function assertReachable(app: App, webhookUrl: string): Promise<void> {
  const session = app.web.openSession()
  try {
    await session.check(webhookUrl, { schemes: ['https'], ports: WEBHOOK_PORTS })
    // The owner of an IP address can change overnight; a name stays with its owner.
    if (isIP(new URL(webhookUrl).hostname.replace(/^\[|\]$/g, '')) !== 0) throw new GuardError('blocked', 'address')
  } catch (error) {
    if (!(error instanceof GuardError)) throw error
    const message = describeProblem(error)
    throw new DomainError('invalid_request', `webhook_url: ${message}`, { errors: [{ field: 'webhook_url', message }] })
  } finally {
    await session.close()
  }
}

function describeProblem({ reason, detail }: GuardError): string {
  if (reason !== 'blocked') return 'its name could not be looked up. Check it, or try again once the name exists.'
  if (detail === 'scheme' || detail === 'syntax')
    return 'must be an https address, such as https://example.co.uk/hooks.'
  if (detail === 'port') return `must use port ${WEBHOOK_PORTS.join(' or ')}.`
  return 'must be a name that leads to a public address, without user name and password. For development use `nameplate listen`.'
}

interface Subscription {
  webhookUrl: string
  signalType: string
}

const ALL = 'all'
/** Not a signal, so `all` does not include it. */
const FINISHED_JOBS = 'resolution_completed'

/**
 * An event goes to one address once, so two destinations of one owner at one address must subscribe to different events.
 * Returns the first that would get an event at the same address which the added one would get as well.
 */
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
