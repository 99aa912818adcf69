/**
 * Fetches client metadata documents. Any caller can name any address, without an account. So one address is fetched once
 * for many callers, a failure is cached too, and all fetches together are few.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { getDomain } from 'tldts'
import type { App } from '../app.ts'
import type { WebAnswer, WebSession } from '../lib/web/guarded-client.ts'
import { releaseSlot, type SlotKey, takeSlot, toSlotKeys } from '../lib/web/outgoing-slot.ts'
import { isAllowedRedirect } from './clients.ts'

const TIMEOUT_MS = 2_500
const BODY_BYTES_MAX = 65_536
const URL_LENGTH_MAX = 2_048
const KEPT_MAX = 500
const KEPT_MS = 60_000
const FAILURE_KEPT_MS = 600_000
const PER_MINUTE = 6
const SLOT_WAIT_MS = 3_000
const SLOT_POLL_MS = 250
const HOLD_SECONDS = 10
/** Limits documents of clients that no account has connected yet, for all callers together. */
const UNKNOWN_LIMIT = { name: 'oauth-documents', burst: 30, perSecond: 0.5 }

type Fetched = Pick<WebAnswer, 'status' | 'headers' | 'body'>
type Kept = { until: number; fetched: Fetched } | { until: number; failure: Error }

export class ClientDocuments {
  readonly #app: App
  readonly #kept = new Map<string, Kept>()
  readonly #exempt = new Set<string>()
  readonly #underway = new Map<string, Promise<Fetched>>()

  constructor(app: App) {
    this.#app = app
  }

  /** Throws when there is no document, or when it may not be fetched now. */
  async get(address: string): Promise<Fetched> {
    const known = this.#find(address)
    if (known) {
      if ('failure' in known) throw known.failure
      return known.fetched
    }
    const underway = this.#underway.get(address) ?? this.#fetchOnce(address)
    this.#underway.set(address, underway)
    return underway.finally(() => this.#underway.delete(address))
  }

  /** Exempts a client that an account has connected from the limit for unknown ones. */
  exempt(address: string): void {
    if (this.#exempt.size >= KEPT_MAX) this.#exempt.clear()
    this.#exempt.add(address)
  }

  #find(address: string): Kept | null {
    const known = this.#kept.get(address)
    return known && known.until > performance.now() ? known : null
  }

  async #fetchOnce(address: string): Promise<Fetched> {
    try {
      const fetched = await this.#fetchInSlot(address)
      const keptMs = fetched.status === 200 ? KEPT_MS : FAILURE_KEPT_MS
      this.#keep(address, { until: performance.now() + keptMs, fetched })
      return fetched
    } catch (error) {
      const failure = error instanceof Error ? error : new Error('a document was not fetched', { cause: error })
      // That its host has had enough for now says nothing about the document.
      if (!(failure instanceof HostHasEnough))
        this.#keep(address, { until: performance.now() + FAILURE_KEPT_MS, failure })
      throw failure
    }
  }

  #keep(address: string, kept: Kept): void {
    this.#kept.delete(address)
    const [oldest] = this.#kept.size >= KEPT_MAX ? this.#kept.keys() : []
    if (oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(address, kept)
  }

  async #fetchInSlot(address: string): Promise<Fetched> {
    const { db, web } = this.#app
    const url = new URL(address)
    const session = web.openSession()
    const holder = randomUUID()
    try {
      const addresses = await session.resolve(url.hostname)
      const keys = toSlotKeys(url.hostname, addresses, 60 / PER_MINUTE)
      await this.#waitForSlot(keys, holder)
      let isAccepted = false
      try {
        await this.#assertNotTooMany(address)
        const maySend = await this.#app.pace.waitToSend({ host: url.host, address: addresses[0] ?? '' }, SLOT_WAIT_MS)
        if (!maySend) throw new HostHasEnough()
        const fetched = await request(session, url)
        isAccepted = isDocument(fetched)
        return fetched
      } finally {
        await releaseSlot(db, { keys, holder, isAccepted })
      }
    } finally {
      await session.close()
    }
  }

  async #assertNotTooMany(address: string): Promise<void> {
    if (this.#exempt.has(address)) return
    if ((await this.#app.limiter.admit('all', UNKNOWN_LIMIT)).kind === 'refused') throw new HostHasEnough()
  }

  async #waitForSlot(keys: readonly SlotKey[], holder: string): Promise<void> {
    const endsAt = performance.now() + SLOT_WAIT_MS
    while (performance.now() < endsAt) {
      const waitSeconds = await takeSlot(this.#app.db, { keys, holder, holdSeconds: HOLD_SECONDS })
      if (waitSeconds === null) return
      if (performance.now() + waitSeconds * 1_000 > endsAt) break
      await sleep(SLOT_POLL_MS)
    }
    throw new HostHasEnough()
  }
}

class HostHasEnough extends Error {
  constructor() {
    super('many documents of clients were asked for in the last minute; try again in a minute')
    this.name = 'HostHasEnough'
  }
}

/** Checks an address without a request. */
function isDocumentAddress(address: string): boolean {
  const url = address.length <= URL_LENGTH_MAX ? URL.parse(address) : null
  return url !== null && url.protocol === 'https:' && url.port === '' && getDomain(url.hostname) !== null
}

function request(session: WebSession, url: URL): Promise<WebAnswer> {
  return session.send(url, {
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    bodyBytesMax: BODY_BYTES_MAX,
    whenTooLarge: 'refuse',
    schemes: ['https'],
    ports: [443],
  })
}

/** A host that answers every address with a page was not meant. */
function isDocument({ status, body }: Fetched): boolean {
  if (status !== 200) return false
  try {
    const document: unknown = JSON.parse(body.toString('utf8'))
    return typeof document === 'object' && document !== null
  } catch {
    return false
  }
}

/** Decides, before a client's document is fetched, by cheap checks that a flood of made-up clients does not pass. */
export async function mayFetchDocument(
  { db }: Pick<App, 'db'>,
  documents: ClientDocuments,
  ctx: KoaContextWithOIDC,
  clientId: string,
): Promise<boolean> {
  const [met] = await db.query('select from oauth_payload where client_id = $1 limit 1', [clientId])
  if (met) {
    documents.exempt(clientId)
    return true
  }
  // Codes and tokens are of clients that were met.
  if (ctx.path === '/oauth/token' || ctx.path === '/oauth/revoke') return false
  if (ctx.path === '/oauth/authorize' && !isPlausible(ctx.oidc.params ?? {})) return false
  return isDocumentAddress(clientId)
}

function isPlausible(params: Record<string, unknown>): boolean {
  const {
    response_type: type,
    redirect_uri: redirect,
    code_challenge: challenge,
    code_challenge_method: method,
  } = params
  const isComplete = type === 'code' && method === 'S256' && typeof challenge === 'string' && challenge.length === 43
  return isComplete && typeof redirect === 'string' && isAllowedRedirect(redirect)
}

/** `fetch` for documents that a stranger's client id points to: public https addresses only, small, soon, no redirects. */
export function createGuardedFetch(documents: ClientDocuments) {
  return async (input: string | URL | Request): Promise<Response> => {
    const address = input instanceof Request ? input.url : String(input)
    const answer = await documents.get(address)
    const { 'content-encoding': _, 'content-length': __, ...headers } = answer.headers
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers })
  }
}
