import type {
  Account,
  CompanyFilings,
  CompanyGroup,
  CompanyProfile,
  CompanyResolution,
  DisqualificationCheck,
  Enrichment,
  EvidenceBundle,
  EvidencePack,
  FlatAnswer,
  LedgerEntry,
  OfficerAppointments,
  Resolution,
  SearchCandidate,
  Signal,
  UnwatchedCompany,
  Usage,
  WatchedCompany,
  WatchlistEntry,
} from './bodies.ts'
import { BulkClient } from './bulk.ts'
import { DestinationClient } from './destinations.ts'
import { HistoryClient } from './history.ts'
import { ListenerClient } from './listeners.ts'
import { listItems } from './pages.ts'
import { askForDomain, findWebsite, type ResolveOptions, type WaitOptions } from './resolve.ts'
import { ReviewClient } from './reviews.ts'
import { type NameplateOptions, newIdempotencyKey, Transport } from './transport.ts'

type Items<Item> = AsyncGenerator<Item, void, undefined>

/** A company must fit every given criterion; at least one is needed. */
export interface SearchCriteria {
  /** As people type it. */
  name?: string | undefined
  /** Whole, or its outward part. */
  postcode?: string | undefined
  companyStatus?: string | undefined
  accountsType?: string | undefined
  /** `YYYY-MM-DD`, included. */
  incorporatedFrom?: string | undefined
  incorporatedTo?: string | undefined
  /** Completed years since the incorporation. */
  ageFromYears?: number | undefined
  ageToYears?: number | undefined
  /** A letter of SIC 2007, `A` to `U`. */
  sicSection?: string | undefined
  /** By the postcode of the registered office, such as `london` or `north-west`. */
  region?: string | undefined
  /** From the newest accounts with that figure; a company without it never fits. */
  employeesFrom?: number | undefined
  employeesTo?: number | undefined
  /** In whole pounds; below zero a company owes more than it has. */
  netAssetsFrom?: number | undefined
  netAssetsTo?: number | undefined
}

export interface FilingPage {
  /** Such as `incorporation`. */
  category?: string | undefined
  /** `next_cursor` of the page before. */
  cursor?: string | undefined
}

export interface GroupPage {
  /** Companies in each list; 50 unless said. */
  limit?: number | undefined
  /** `next_cursor` of the list on the page before. */
  childrenCursor?: string | undefined
  siblingsCursor?: string | undefined
}

const SEARCH_PAGES_MAX = 50
const LIMIT = 100
/** The service may take so long to fetch a document from the register. */
const DOCUMENT_SECONDS = 120

/** Calls the public API with one key. */
export class Nameplate {
  readonly bulk: BulkClient
  readonly destinations: DestinationClient
  readonly history: HistoryClient
  readonly listeners: ListenerClient
  readonly reviews: ReviewClient
  readonly #transport: Transport

  constructor(options: NameplateOptions = {}) {
    this.#transport = new Transport(options)
    this.bulk = new BulkClient(this.#transport)
    this.destinations = new DestinationClient(this.#transport)
    this.history = new HistoryClient(this.#transport)
    this.listeners = new ListenerClient(this.#transport)
    this.reviews = new ReviewClient(this.#transport)
  }

  /** Returns the company behind a domain, with the proof. A match costs one credit; everything else is free. */
  async resolve(domain: string, options: ResolveOptions = {}): Promise<Resolution> {
    return askForDomain(this.#transport, '/v1/resolve/domain', domain, options)
  }

  /** Returns the same with the register's facts about the company, its profile and its newest signals. */
  async enrich(domain: string, options: ResolveOptions = {}): Promise<Enrichment> {
    return askForDomain(this.#transport, '/v1/enrich', domain, options)
  }

  /** Returns one row for a table: the company behind a domain as a flat object, without the proof. */
  async enrichRow(domain: string, options: ResolveOptions = {}): Promise<FlatAnswer> {
    return askForDomain(this.#transport, '/v1/partner/enrich-company', domain, options)
  }

  /** Returns a company and its own site, verified in both directions. A verified site costs one credit. */
  async findWebsite(
    companyNumber: string,
    options: WaitOptions & { refresh?: boolean } = {},
  ): Promise<CompanyResolution> {
    return findWebsite(this.#transport, companyNumber, options)
  }

  /** Returns the evidence pack of an answer. With `whyNot` it explains why the answer is not that company. */
  async evidence(resolutionId: string, { whyNot }: { whyNot?: string } = {}): Promise<EvidencePack> {
    const path = `/v1/resolutions/${encodeURIComponent(resolutionId)}/evidence`
    return this.#transport.json({ method: 'GET', path, query: { company_number: whyNot, format: 'json' } })
  }

  /** Makes the sealed evidence record of an answer, or returns the one there is. Store the whole bundle. */
  async evidenceRecord(resolutionId: string): Promise<EvidenceBundle> {
    return this.#transport.json({ method: 'POST', path: recordPath(resolutionId) })
  }

  /** Returns the evidence record of an answer as a signed document (PDF) for people. */
  async evidenceDocument(resolutionId: string): Promise<Uint8Array> {
    const accept = 'application/pdf'
    return this.#transport.bytes({
      method: 'POST',
      path: recordPath(resolutionId),
      accept,
      waitSeconds: DOCUMENT_SECONDS,
    })
  }

  /** Returns everything the register has about a company. */
  async company(companyNumber: string): Promise<CompanyProfile> {
    return this.#transport.json({ method: 'GET', path: companyPath(companyNumber) })
  }

  /** Returns the owners of a company up to the top, and the companies that it and its parent own. */
  async companyGroup(companyNumber: string, page: GroupPage = {}): Promise<CompanyGroup> {
    const query = { limit: page.limit, children_cursor: page.childrenCursor, siblings_cursor: page.siblingsCursor }
    return this.#transport.json({ method: 'GET', path: `${companyPath(companyNumber)}/group`, query })
  }

  /** Returns a page of all filings, or of one category, newest first; `next_cursor` leads to older ones. */
  async filings(companyNumber: string, page: FilingPage = {}): Promise<CompanyFilings> {
    return this.#transport.json({ method: 'GET', path: `${companyPath(companyNumber)}/filings`, query: { ...page } })
  }

  /** Returns the document of a filing as a PDF. `transaction_id` is that of a filing in the company's profile. */
  async filingDocument(companyNumber: string, transactionId: string): Promise<Uint8Array> {
    const path = `${companyPath(companyNumber)}/filings/${encodeURIComponent(transactionId)}/document`
    return this.#transport.bytes({ method: 'GET', path, waitSeconds: DOCUMENT_SECONDS })
  }

  /** Returns the appointments of an officer. One record may be several people: read `identity_note`. */
  async officer(officerId: string): Promise<OfficerAppointments> {
    return this.#transport.json({ method: 'GET', path: officerPath(officerId) })
  }

  /** Compares an officer with the register of disqualified directors, by name and month of birth. */
  async checkDisqualifications(officerId: string): Promise<DisqualificationCheck> {
    return this.#transport.json({ method: 'GET', path: `${officerPath(officerId)}/disqualifications` })
  }

  /** Yields companies, best first; without a name, by the alphabet. */
  searchCompanies(criteria: SearchCriteria): Items<SearchCandidate> {
    const query = Object.fromEntries(Object.entries(criteria).map(([name, value]) => [toParameter(name), value]))
    return listItems(this.#transport, { path: '/v1/companies/search', query }, SEARCH_PAGES_MAX)
  }

  /** Yields the changes of the companies you watch, or of one company, newest first. */
  signals(options: { signalType?: Signal['signal_type']; companyNumber?: string } = {}): Items<Signal> {
    const { signalType, companyNumber } = options
    if (companyNumber === undefined) {
      return listItems(this.#transport, { path: '/v1/signals', query: { signal_type: signalType, limit: LIMIT } })
    }
    return this.#signalsOf(companyNumber, signalType)
  }

  async *#signalsOf(companyNumber: string, signalType: Signal['signal_type'] | undefined): Items<Signal> {
    const request = { path: `${companyPath(companyNumber)}/signals`, query: { limit: LIMIT } }
    for await (const signal of listItems<Signal>(this.#transport, request)) {
      if (signalType === undefined || signal.signal_type === signalType) yield signal
    }
  }

  watchlist(): Items<WatchlistEntry> {
    return listItems(this.#transport, { path: '/v1/watchlist', query: { limit: LIMIT } })
  }

  async watch(companyNumber: string): Promise<WatchedCompany> {
    const body = { company_number: companyNumber }
    return this.#transport.json({ method: 'POST', path: '/v1/watchlist', body, idempotencyKey: newIdempotencyKey() })
  }

  async unwatch(companyNumber: string): Promise<UnwatchedCompany> {
    return this.#transport.json({ method: 'DELETE', path: `/v1/watchlist/${encodeURIComponent(companyNumber)}` })
  }

  async account(): Promise<Account> {
    return this.#transport.json({ method: 'GET', path: '/v1/auth/me' })
  }

  /** Yields every movement of credits, newest first. */
  ledger(): Items<LedgerEntry> {
    return listItems(this.#transport, { path: '/v1/account/ledger', query: { limit: LIMIT } })
  }

  /** Returns answers and credits by day and outcome. Dates are `YYYY-MM-DD`. */
  async usage({ from, to }: { from?: string; to?: string } = {}): Promise<Usage> {
    return this.#transport.json({ method: 'GET', path: '/v1/account/usage', query: { from, to } })
  }

  /** Makes a signal on a test company, to try your receiver. Needs the test key. */
  async raiseTestSignal(options: { signalType?: Signal['signal_type']; companyNumber?: string } = {}): Promise<Signal> {
    const body = { signal_type: options.signalType, company_number: options.companyNumber }
    return this.#transport.json({ method: 'POST', path: '/v1/test/signals', body, idempotencyKey: newIdempotencyKey() })
  }
}

const recordPath = (resolutionId: string) => `/v1/resolutions/${encodeURIComponent(resolutionId)}/evidence/record`
const companyPath = (companyNumber: string) => `/v1/companies/${encodeURIComponent(companyNumber)}`
const officerPath = (officerId: string) => `/v1/officers/${encodeURIComponent(officerId)}`

/** `employeesFrom` is `employees_from` in an address. */
const toParameter = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
