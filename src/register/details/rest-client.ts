/** Asks the register's REST API and its document host: within the budget of each, within bounds of time and size, and never twice for a refusal. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import type { Log } from '../../lib/log.ts'
import { toInteger, toList, toRecord } from '../../lib/text/loose-json.ts'
import { type IncomingAnswer, NetError, sendRequest } from '../../lib/web/net.ts'
import { type FetchedItem, identifyItem, type PartKind } from './part-items.ts'
import { type BudgetKind, DOCUMENTS, type LeaseOptions, RestBudget, RestLease } from './rest-budget.ts'

/** The part of `App` that fetching needs. */
export type RegisterApp = Pick<
  App,
  'config' | 'db' | 'clock' | 'log' | 'limiter' | 'registerBudget' | 'documentBudget' | 'registerFetches'
>

export type MissingReason =
  /** No key is configured, so REST is never asked. */
  | 'not_configured'
  /** The requests of these minutes are used up; worth asking again at `retryAt`. */
  | 'budget_spent'
  /** The register did not answer usefully in time. */
  | 'register_unavailable'
  /** The register refused the request. */
  | 'register_refused'

export interface Missing {
  kind: 'missing'
  reason: MissingReason
  retryAt: Date | null
}

export type RestAnswer<Value> = { kind: 'found'; value: Value } | { kind: 'absent' } | Missing

export interface FetchedPart {
  items: FetchedItem[]
  /** How many there are, when that is more than were fetched. */
  total: number | null
}

interface ListRules {
  path: string
  pageSize: number
  pagesMax: number
}

export const FILINGS_PAGE = 100
/** Officers have no cap on a page in practice; the others take 100. Of filings the newest hundred are stored. */
const LISTS: Record<Exclude<PartKind, 'insolvency'>, ListRules> = {
  officer: { path: 'officers', pageSize: 500, pagesMax: 4 },
  charge: { path: 'charges', pageSize: 100, pagesMax: 5 },
  psc: { path: 'persons-with-significant-control', pageSize: 100, pagesMax: 3 },
  filing: { path: 'filing-history', pageSize: FILINGS_PAGE, pagesMax: 1 },
}

/** The register's own cap. */
const APPOINTMENTS_PAGE = 50
const REQUEST_TIMEOUT_MS = 10_000
const BODY_BYTES_MAX = 8 * 1024 * 1024
const TRIES_MAX = 3
const BACKOFF_MS = 200
const COUNT_MAX = 1_000_000

export class RestClient {
  readonly #url: URL
  readonly #authorization: string
  readonly #log: Log
  readonly #budget: RestBudget

  constructor(app: RegisterApp, { url, key, budget }: { url: URL; key: string; budget?: BudgetKind }) {
    this.#url = url
    // The key is the user name; the password stays empty.
    this.#authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
    this.#log = app.log
    this.#budget = new RestBudget(app, budget)
  }

  openLease(options: LeaseOptions): RestLease {
    return new RestLease(this.#budget, options)
  }

  /** Fetches the profile as the register writes it; see `parseProfile`. */
  fetchProfile(number: string, lease: RestLease): Promise<RestAnswer<unknown>> {
    return this.#get(`/company/${encodeURIComponent(number)}`, lease)
  }

  /** Fetches what the document host says about a document. */
  fetchDocumentFacts(id: string, lease: RestLease): Promise<RestAnswer<unknown>> {
    return this.#get(`/document/${id}`, lease)
  }

  /** Fetches the address where the document is for a minute. The key opens nothing there and must not be sent to it. */
  fetchDocumentAddress(id: string, lease: RestLease): Promise<RestAnswer<string>> {
    return this.#get(`/document/${id}/content`, lease, REDIRECT_TO_PDF)
  }

  async fetchPart(kind: PartKind, number: string, lease: RestLease): Promise<FetchedPart | Missing> {
    return kind === 'insolvency' ? this.#fetchInsolvency(number, lease) : this.#fetchList(kind, number, lease)
  }

  /** Fetches a page of a company's filings, of one category or of all; empty for a company that the register does not have. */
  fetchFilings(
    wanted: { companyNumber: string; category: string | null; start: number },
    lease: RestLease,
  ): Promise<RestAnswer<unknown>> {
    const query = new URLSearchParams({ items_per_page: String(FILINGS_PAGE), start_index: String(wanted.start) })
    if (wanted.category !== null) query.set('category', wanted.category)
    return this.#get(`/company/${encodeURIComponent(wanted.companyNumber)}/filing-history?${query.toString()}`, lease)
  }

  fetchFiling(number: string, transactionId: string, lease: RestLease): Promise<RestAnswer<unknown>> {
    return this.#get(`/company/${encodeURIComponent(number)}/filing-history/${transactionId}`, lease)
  }

  /** Fetches a page of an officer's appointments; absent for an id that the register does not have. */
  fetchAppointments(officerId: string, startIndex: number, lease: RestLease): Promise<RestAnswer<unknown>> {
    const query = `items_per_page=${APPOINTMENTS_PAGE}&start_index=${startIndex}`
    return this.#get(`/officers/${encodeURIComponent(officerId)}/appointments?${query}`, lease)
  }

  /** Fetches a page of the disqualified people whose names resemble this one, the most alike first. */
  searchDisqualified(
    name: string,
    { from, limit }: { from: number; limit: number },
    lease: RestLease,
  ): Promise<RestAnswer<unknown>> {
    const query = new URLSearchParams({ q: name, items_per_page: String(limit), start_index: String(from) })
    return this.#get(`/search/disqualified-officers?${query.toString()}`, lease)
  }

  fetchDisqualification(id: string, lease: RestLease): Promise<RestAnswer<unknown>> {
    return this.#get(`/disqualified-officers/natural/${encodeURIComponent(id)}`, lease)
  }

  /** A company without a record answers 404: then there is nothing, and that is known. */
  async #fetchInsolvency(number: string, lease: RestLease): Promise<FetchedPart | Missing> {
    const answer = await this.#get(`/company/${encodeURIComponent(number)}/insolvency`, lease)
    if (answer.kind === 'missing') return answer
    if (answer.kind === 'absent') return { items: [], total: null }
    return { items: [{ id: number, data: toRecord(answer.value) }], total: null }
  }

  async #fetchList(
    kind: Exclude<PartKind, 'insolvency'>,
    number: string,
    lease: RestLease,
  ): Promise<FetchedPart | Missing> {
    const { path, pageSize, pagesMax } = LISTS[kind]
    const items = new Map<string, FetchedItem>()
    let seen = 0
    let total = 0
    for (let page = 0; page < pagesMax; page += 1) {
      const query = `items_per_page=${pageSize}&start_index=${seen}`
      const answer = await this.#get(`/company/${encodeURIComponent(number)}/${path}?${query}`, lease)
      if (answer.kind === 'missing') return answer
      const list = toRecord(answer.kind === 'found' ? answer.value : null)
      const received = toList(list['items'])
      for (const raw of received) {
        const item = identifyItem(kind, raw)
        items.set(item.id, item)
      }
      // By what came and not by what was asked for: the register may shorten a page.
      seen += received.length
      total = toInteger(list['total_results'] ?? list['total_count'], { max: COUNT_MAX }) ?? seen
      if (received.length === 0 || seen >= total) break
    }
    return { items: [...items.values()], total: total > seen ? total : null }
  }

  #get(path: string, lease: RestLease): Promise<RestAnswer<unknown>>
  #get<Value>(path: string, lease: RestLease, wanted: Wanted<Value>): Promise<RestAnswer<Value>>
  async #get(path: string, lease: RestLease, wanted: Wanted<unknown> = JSON_BODY): Promise<RestAnswer<unknown>> {
    let lastTrouble: unknown
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      const refusal = await lease.spend()
      if (refusal) return { kind: 'missing', reason: 'budget_spent', retryAt: refusal.retryAt }
      const timeoutMs = Math.min(REQUEST_TIMEOUT_MS, lease.remainingMs())
      if (timeoutMs === 0) break
      const outcome = await this.#try(path, timeoutMs, wanted)
      if (outcome.kind !== 'trouble') return outcome
      lastTrouble = outcome.cause
      const waitMs = BACKOFF_MS * 2 ** tries * (0.5 + Math.random())
      if (tries >= outcome.triesMax || waitMs >= lease.remainingMs()) break
      await sleep(waitMs)
    }
    this.#log.warn({ event: 'register.rest_failed', path: withoutQuery(path), error: lastTrouble })
    return { kind: 'missing', reason: 'register_unavailable', retryAt: null }
  }

  async #try<Value>(path: string, timeoutMs: number, wanted: Wanted<Value>): Promise<RestAnswer<Value> | Trouble> {
    let answer: IncomingAnswer
    try {
      const headers = { authorization: this.#authorization, accept: wanted.accept }
      answer = await sendRequest(new URL(path, this.#url), { headers, timeoutMs, bodyBytesMax: BODY_BYTES_MAX })
    } catch (error) {
      if (!(error instanceof NetError)) throw error
      return { kind: 'trouble', cause: error, triesMax: error.reason === 'too_large' ? 1 : TRIES_MAX }
    }
    await this.#budget.learn(answer)
    return this.#classify(path, answer, wanted)
  }

  #classify<Value>(path: string, answer: IncomingAnswer, wanted: Wanted<Value>): RestAnswer<Value> | Trouble {
    const { status } = answer
    if (status === wanted.status) return wanted.read(answer)
    if (status === 404) return { kind: 'absent' }
    const cause = new Error(`the register answered ${status}`)
    // Another try finds the same fault behind a 500; a gateway's trouble passes.
    if (status >= 500) return { kind: 'trouble', cause, triesMax: status === 500 ? 2 : TRIES_MAX }
    this.#log.error({ event: 'register.rest_refused', path: withoutQuery(path), status })
    if (status === 429 || status === 403) {
      return { kind: 'missing', reason: 'budget_spent', retryAt: this.#budget.pausedUntil() }
    }
    return { kind: 'missing', reason: 'register_refused', retryAt: null }
  }
}

/** The response that a request is for: how it is asked for, its status, and how it is read. */
interface Wanted<Value> {
  accept: string
  status: number
  read: (answer: IncomingAnswer) => RestAnswer<Value> | Trouble
}

const JSON_BODY: Wanted<unknown> = { accept: 'application/json', status: 200, read: readJson }
const REDIRECT_TO_PDF: Wanted<string> = { accept: 'application/pdf', status: 302, read: readLocation }
/** A query may have the name of a person, which is no matter of the log. */
const withoutQuery = (path: string) => path.replace(/\?.*/s, '')

interface Trouble {
  kind: 'trouble'
  cause: Error
  triesMax: number
}

/** During incidents the register answers 200 with a page of HTML, or with half a document. */
function readJson({ headers, text }: IncomingAnswer): RestAnswer<unknown> | Trouble {
  const contentType = headers.get('content-type') ?? ''
  try {
    if (!/[/+]json\b/i.test(contentType)) throw new Error(`the register answered with ${contentType || 'no type'}`)
    return { kind: 'found', value: JSON.parse(text, keepStorable) as unknown }
  } catch (error) {
    return { kind: 'trouble', cause: error as Error, triesMax: TRIES_MAX }
  }
}

function readLocation({ headers }: IncomingAnswer): RestAnswer<string> | Trouble {
  const location = headers.get('location')
  if (location) return { kind: 'found', value: location }
  return { kind: 'trouble', cause: new Error('the register redirects without an address'), triesMax: 1 }
}

/** PostgreSQL's jsonb takes neither NUL nor half a character. */
function keepStorable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}

/** Returns null when no key is configured. */
export function findRestClient(app: RegisterApp): RestClient | null {
  const { restUrl, restKey } = app.config.register
  return restKey === null ? null : new RestClient(app, { url: restUrl, key: restKey })
}

/** The same for the document host. */
export function findDocumentClient(app: RegisterApp): RestClient | null {
  const { documentUrl, restKey } = app.config.register
  return restKey === null ? null : new RestClient(app, { url: documentUrl, key: restKey, budget: DOCUMENTS })
}
