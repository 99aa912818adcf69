/**
 * The only way out to addresses that others name: crawling, webhooks, OAuth documents.
 *
 * Promises: nothing but public addresses is ever dialled, however the address is written, whatever a name server or a
 * redirect says; every request has an end in time, in bytes and in hops.
 * Never does: follow a redirect unasked, send credentials to another origin, accept a bad certificate, use a proxy.
 */
import type { SecureContext } from 'node:tls'
import { createTrust } from './guarded-connector.ts'
import { NameServers } from './name-lookup.ts'
import { WebSession, type WebSessionOptions } from './web-session.ts'

export type { CertificateIdentity } from './certificate-identity.ts'
export { GuardError, type GuardReason } from './guard-error.ts'
export type { SimulatedWeb } from './guarded-connector.ts'
export type { ExchangeHeads, OpenAnswer, WebAnswer, WebRequest } from './web-request.ts'
export { WebSession } from './web-session.ts'

export class GuardedClient {
  readonly #options: WebSessionOptions
  readonly #open = new Set<WebSession>()
  readonly #nameServers: NameServers
  #trust: SecureContext | undefined

  constructor(options: WebSessionOptions) {
    this.#options = options
    const { simulated, dnsServers } = options
    this.#nameServers = new NameServers(simulated ? [simulated.dnsServer] : dnsServers)
  }

  /** One for each crawl, or for deliveries to one origin: names mean the same addresses for its whole life, and sockets are kept within it. */
  openSession(own: Partial<Pick<WebSessionOptions, 'userAgent' | 'connectionsPerOriginMax'>> = {}): WebSession {
    this.#trust ??= createTrust(this.#options.simulated)
    const options = { ...this.#options, ...own, trust: this.#trust, nameServers: this.#nameServers }
    const session = new WebSession(options, () => this.#open.delete(session))
    this.#open.add(session)
    return session
  }

  async close(): Promise<void> {
    this.#nameServers.close()
    await Promise.all([...this.#open].map((session) => session.close()))
  }
}
