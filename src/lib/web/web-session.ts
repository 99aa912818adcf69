import type { SecureContext } from 'node:tls'
import { Agent, type Dispatcher, errors } from 'undici'
import { orAborted, withinTime } from '../limits/deadline.ts'
import { checkHost, checkUrl, hostOf } from './address-guard.ts'
import { ACCEPTED_ENCODINGS, readBody } from './body-reader.ts'
import { describeFailure, GuardError } from './guard-error.ts'
import { type Connected, createGuardedConnector, type SimulatedWeb } from './guarded-connector.ts'
import { NameLookup, type NameServers } from './name-lookup.ts'
import { describeOpenFailure, passOn } from './passed-body.ts'
import { exchangeShort, SHORT_BYTES_MAX } from './short-exchange.ts'
import type { OpenAnswer, OpenRequest, WebAnswer, WebRequest } from './web-request.ts'

/** Where web sites are. Network policies and documents say the same; a house test compares them. */
export const SITE_PORTS = [80, 443, 8080, 8443]
const SCHEMES = ['http', 'https']
const CONNECTIONS_PER_ORIGIN_MAX = 2
const ORIGINS_MAX = 400
const HEADER_BYTES_MAX = 16_384
const KEEP_ALIVE_MS = 4_000
const KEEP_ALIVE_MAX_MS = 15_000
/** A rest as short as this is cheaper to read than a new connection. */
const DISCARDED_BYTES_MAX = 16_384
const DISCARD_TIMEOUT_MS = 1_000
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Headers that say nothing about whom they were meant for. */
const HEADERS_FOR_ANYONE = new Set(['accept', 'accept-language'])
/** These are ours to say: they decide where a request goes and where it ends. */
const HEADERS_OF_THE_CLIENT = new Set(['host', 'user-agent', 'accept-encoding', 'connection', 'transfer-encoding'])

export interface WebSessionOptions {
  userAgent: string
  /** Name servers, such as `9.9.9.9` or `127.0.0.1:4053`; none means those of the machine. */
  dnsServers: string[]
  simulated: SimulatedWeb | null
  /** Our own hosts: what others name must not make us call ourselves. */
  deniedHosts?: string[]
  /** 2 unless said, which is gentle enough for a site that did not ask to be read. */
  connectionsPerOriginMax?: number
}

/** One for all: to make an error with its stack takes longer than to close a connection. */
const SESSION_CLOSED = new errors.ClientDestroyedError('the session was closed')

/** One crawl, or the deliveries to one origin. */
export class WebSession {
  readonly #userAgent: string
  readonly #deniedHosts: ReadonlySet<string>
  readonly #nameServers: NameServers
  readonly #names: NameLookup
  readonly #agent: Agent
  readonly #pinned = new Map<string, string[]>()
  readonly #connected = new Map<string, Connected>()
  readonly #onClosed: () => void
  #lastChecked: (Required<Pick<WebRequest, 'schemes' | 'ports'>> & { url: string; target: URL }) | undefined
  #isClosed = false

  constructor(options: WebSessionOptions & { trust: SecureContext; nameServers: NameServers }, onClosed: () => void) {
    this.#userAgent = options.userAgent
    this.#deniedHosts = new Set((options.deniedHosts ?? []).map(plainHost))
    this.#nameServers = options.nameServers
    this.#names = new NameLookup(options.nameServers)
    this.#onClosed = onClosed
    this.#agent = new Agent({
      connect: createGuardedConnector({
        simulated: options.simulated,
        trust: options.trust,
        pinnedAddresses: (host) => this.#pinned.get(host),
        onConnected: (origin, connected) => this.#connected.set(origin, connected),
      }),
      connections: options.connectionsPerOriginMax ?? CONNECTIONS_PER_ORIGIN_MAX,
      maxOrigins: ORIGINS_MAX,
      maxHeaderSize: HEADER_BYTES_MAX,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      allowH2: false,
    })
  }

  /** The public addresses of a name, the same ones for the life of the session. */
  async resolve(host: string): Promise<string[]> {
    const known = this.#pinned.get(host)
    if (known) return known
    const checked = checkHost(plainHost(host), this.#deniedHosts)
    const addresses = await this.#names.addressesOf(checked)
    this.#pinned.set(checked, addresses)
    return addresses
  }

  /** Asks for the addresses of a name again, and checks them. Returns whether they are the ones that the session has. */
  async isStillAt(host: string): Promise<boolean> {
    const before = this.#pinned.get(host) ?? []
    try {
      const now = new Set(await new NameLookup(this.#nameServers).addressesOf(host))
      return now.size === before.length && before.every((address) => now.has(address))
    } catch (error) {
      if (error instanceof GuardError) return false
      throw error
    }
  }

  /** All that can be said against an address without dialling it. */
  async check(url: string | URL, rules: Pick<WebRequest, 'schemes' | 'ports'>): Promise<void> {
    await this.resolve(hostOf(this.#check(url, rules)))
  }

  /** One request. Any status is an answer, redirects included; everything else is a `GuardError`. */
  async send(url: string | URL, request: WebRequest): Promise<WebAnswer> {
    const target = this.#check(url, request)
    const isShort = request.bodyBytesMax <= SHORT_BYTES_MAX && !request.accepts && request.method !== 'HEAD'
    if (isShort && this.#pinned.has(hostOf(target))) return this.#exchangeShort(target, request)
    return this.#bounded(request, (signal) => this.#exchange(target, request, { signal, readsRedirects: true }))
  }

  /**
   * Follows redirects, each checked like the first address. `hops` are the redirects that were passed, without the
   * answer itself. A POST is never repeated elsewhere: its redirect is the answer.
   */
  async follow(
    url: string | URL,
    request: WebRequest & { hopsMax: number },
  ): Promise<{ answer: WebAnswer; hops: Array<{ url: string; status: number }> }> {
    return this.#bounded(request, async (signal) => {
      const readsRedirects = request.method === 'POST'
      const hops: Array<{ url: string; status: number }> = []
      let asked: WebRequest = request
      let target = this.#check(url, request)
      while (hops.length <= request.hopsMax) {
        const answer = await this.#exchange(target, asked, { signal, readsRedirects })
        const location = readsRedirects ? undefined : findLocation(answer)
        if (location === undefined) return { answer, hops }
        hops.push({ url: target.href, status: answer.status })
        const next = this.#check(location, request, target)
        if (next.origin !== target.origin) asked = { ...asked, headers: headersForAnyone(asked.headers) }
        target = next
      }
      throw new GuardError('too_many_redirects')
    })
  }

  /**
   * Sends one GET and returns before its body has come: `body` yields it as it comes and throws when a bound is exceeded.
   * The caller reads it to its end or closes the session.
   */
  async open(url: string | URL, request: OpenRequest): Promise<OpenAnswer> {
    const target = this.#check(url, request)
    const signal = AbortSignal.timeout(request.timeoutMs)
    try {
      const host = hostOf(target)
      if (!this.#pinned.has(host)) await orAborted(this.resolve(host), signal)
      const dispatched = this.#toDispatched(target, { ...request, whenTooLarge: 'refuse' })
      // Bytes are passed on as they are, so an encoding would have to be passed on too.
      const plain = { ...dispatched.headers, 'accept-encoding': 'identity' }
      const { statusCode, headers, body } = await this.#agent.request({ ...dispatched, headers: plain, signal })
      this.#getConnected(target)
      return { status: statusCode, headers: joinHeaders(headers), body: passOn(body, request.bodyBytesMax, signal) }
    } catch (error) {
      throw describeOpenFailure(error, signal)
    }
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#onClosed()
    await this.#agent.destroy(SESSION_CLOSED)
  }

  /** Checking reads only its arguments, so the result for the last address is kept. */
  #check(url: string | URL, request: Pick<WebRequest, 'schemes' | 'ports'>, base?: URL): URL {
    const { schemes = SCHEMES, ports = SITE_PORTS } = request
    const last = this.#lastChecked
    if (last && last.url === url && last.schemes === schemes && last.ports === ports && !base) return last.target
    const target = checkUrl(url, { schemes, ports, deniedHosts: this.#deniedHosts }, base)
    if (typeof url === 'string' && !base) this.#lastChecked = { url, schemes, ports, target }
    return target
  }

  async #bounded<T>(request: WebRequest, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withinTime(request, async (signal) => {
      try {
        return await work(signal)
      } catch (error) {
        if (error instanceof GuardError || !signal.aborted) throw describeFailure(error)
        throw new GuardError('timeout', null, error)
      }
    })
  }

  async #exchangeShort(url: URL, request: WebRequest): Promise<WebAnswer> {
    const { status, headers, body, cut } = await exchangeShort(this.#agent, this.#toDispatched(url, request), request)
    return {
      url,
      status,
      headers: joinHeaders(headers),
      body,
      cut,
      skipped: false,
      heads: null,
      ...this.#getConnected(url),
    }
  }

  #toDispatched(url: URL, request: WebRequest) {
    const { method = 'GET', body = null } = request
    return { origin: url.origin, path: `${url.pathname}${url.search}`, method, headers: this.#headersOf(request), body }
  }

  #getConnected({ origin }: URL): Connected {
    const connected = this.#connected.get(origin)
    if (!connected) throw new Error('an answer came from a connection that was never checked')
    return connected
  }

  async #exchange(
    url: URL,
    request: WebRequest,
    { signal, readsRedirects }: { signal: AbortSignal; readsRedirects: boolean },
  ): Promise<WebAnswer> {
    const host = hostOf(url)
    // Known names are checked and pinned for the life of the session.
    if (!this.#pinned.has(host)) await orAborted(this.resolve(host), signal)
    const dispatched = this.#toDispatched(url, request)
    const { method } = dispatched
    const response = await this.#agent.request({ ...dispatched, signal, responseHeaders: 'raw' })
    const { statusCode, statusText, body } = response
    // So it is with `raw`; the types do not know it.
    const received = response.headers as unknown as string[]
    const answer: WebAnswer = {
      url,
      status: statusCode,
      headers: joinRaw(received),
      body: Buffer.alloc(0),
      cut: false,
      skipped: false,
      heads: { method, sent: dispatched.headers, statusText, received },
      ...this.#getConnected(url),
    }
    const isPassed = !readsRedirects && findLocation(answer) !== undefined
    if (isPassed || request.accepts?.(answer.headers['content-type'] ?? null) === false) {
      await discard(body, answer)
      return { ...answer, skipped: true }
    }
    return { ...answer, ...(await receive(body, answer, { ...request, method, signal })) }
  }

  #headersOf(request: WebRequest): Record<string, string> {
    const headers: Record<string, string> = { accept: '*/*' }
    for (const [given, value] of Object.entries(request.headers ?? {})) {
      const name = given.toLowerCase()
      if (HEADERS_OF_THE_CLIENT.has(name)) throw new Error(`the header ${name} is the client's own`)
      headers[name] = value
    }
    headers['user-agent'] = this.#userAgent
    headers['accept-encoding'] = ACCEPTED_ENCODINGS
    return headers
  }
}

type ResponseBody = Dispatcher.ResponseData['body']

async function receive(
  body: ResponseBody,
  answer: WebAnswer,
  request: WebRequest & { signal: AbortSignal },
): Promise<{ body: Buffer; cut: boolean }> {
  const { bodyBytesMax: bytesMax, whenTooLarge, signal } = request
  // Failing leaves the body unread, and with it the connection.
  body.on('error', () => {})
  try {
    const isTooLarge = request.method !== 'HEAD' && (lengthOf(answer) ?? 0) > bytesMax
    if (isTooLarge && whenTooLarge === 'refuse') throw new GuardError('too_large')
    return await readBody(body, answer.headers['content-encoding'], { bytesMax, whenTooLarge, signal })
  } catch (error) {
    body.destroy()
    throw error
  }
}

async function discard(body: ResponseBody, answer: WebAnswer): Promise<void> {
  body.on('error', () => {})
  if ((lengthOf(answer) ?? Number.POSITIVE_INFINITY) > DISCARDED_BYTES_MAX) body.destroy()
  else await body.dump({ limit: DISCARDED_BYTES_MAX, signal: AbortSignal.timeout(DISCARD_TIMEOUT_MS) }).catch(() => {})
}

function lengthOf(answer: WebAnswer): number | null {
  const length = answer.headers['content-length']
  return length === undefined ? null : Number(length)
}

/** Headers are read byte by byte; servers write letters beyond ASCII in UTF-8, and browsers read them so. */
function findLocation(answer: WebAnswer): string | undefined {
  const location = REDIRECTS.has(answer.status) ? answer.headers['location'] : undefined
  return location === undefined ? undefined : Buffer.from(location, 'latin1').toString('utf8')
}

function headersForAnyone(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HEADERS_FOR_ANYONE.has(name.toLowerCase())))
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    joined[name] = typeof value === 'string' ? value : (value ?? []).join(', ')
  }
  return joined
}

function joinRaw(received: readonly string[]): Record<string, string> {
  const joined: Record<string, string> = {}
  for (let index = 0; index < received.length; index += 2) {
    const name = (received[index] ?? '').toLowerCase()
    const value = received[index + 1] ?? ''
    joined[name] = Object.hasOwn(joined, name) ? `${joined[name]}, ${value}` : value
  }
  return joined
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
}
