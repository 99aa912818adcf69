import type { ComparedReadings, HistoryEntry, HistoryItem, NewShareLink, ShareLink } from './bodies.ts'
import { listItems } from './pages.ts'
import type { Transport } from './transport.ts'

/** Every given condition must hold. */
export interface HistoryFilter {
  /** The beginning of a domain. */
  domain?: string | undefined
  /** The beginning of a company's name, or of its number. */
  company?: string | undefined
  outcome?: HistoryEntry['outcome'] | undefined
  origin?: HistoryEntry['origin'] | undefined
  /** London days, `YYYY-MM-DD`, both included. */
  from?: string | undefined
  to?: string | undefined
}

/** The history: every answer that the account got, and links that show one to people without an account. */
export class HistoryClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Yields the answers, newest first; a search by domain or company is sorted by what it searches. */
  list(filter: HistoryFilter = {}): AsyncGenerator<HistoryEntry, void, undefined> {
    return listItems(this.#transport, { path: '/v1/resolutions', query: { ...filter, limit: 100 } })
  }

  /** Returns one answer with the others about its domain. */
  async get(resolutionId: string): Promise<HistoryItem> {
    return this.#transport.json({ method: 'GET', path: pathOf(resolutionId) })
  }

  /** Returns what changed since an earlier answer about the domain; by default since the one before. */
  async changes(resolutionId: string, { since }: { since?: string | undefined } = {}): Promise<ComparedReadings> {
    return this.#transport.json({ method: 'GET', path: `${pathOf(resolutionId)}/changes`, query: { since } })
  }

  /** Makes a link to the evidence for people without an account. Its `url` is shown once. */
  async share(resolutionId: string, { days }: { days?: number | undefined } = {}): Promise<NewShareLink> {
    const path = `${pathOf(resolutionId)}/share-links`
    return this.#transport.json({ method: 'POST', path, body: { days }, isRepeatable: false })
  }

  async shareLinks(resolutionId: string): Promise<ShareLink[]> {
    const path = `${pathOf(resolutionId)}/share-links`
    const { data } = await this.#transport.json<{ data: ShareLink[] }>({ method: 'GET', path })
    return data
  }

  async revokeShareLink(id: string): Promise<ShareLink> {
    return this.#transport.json({ method: 'DELETE', path: `/v1/share-links/${encodeURIComponent(id)}` })
  }
}

const pathOf = (resolutionId: string) => `/v1/resolutions/${encodeURIComponent(resolutionId)}`
