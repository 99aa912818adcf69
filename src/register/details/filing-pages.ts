/**
 * Filings beyond the newest hundred that we hold: pages of the whole list, or of one category, and single ones. Fetched from
 * the register when someone asks, and never stored.
 */
import { toInteger, toList, toRecord } from '../../lib/text/loose-json.ts'
import { withholdInParts } from '../people/withhold-items.ts'
import { type Filing, parseFiling } from './part-items.ts'
import type { LeaseOptions } from './rest-budget.ts'
import { FILINGS_PAGE, findRestClient, type Missing, type RegisterApp, type RestClient } from './rest-client.ts'

export interface FilingPage {
  kind: 'page'
  /** Newest first. */
  filings: Filing[]
  /** How many the register has of the category, or of all. */
  total: number
  /** Where the next page begins; null on the last. */
  next: number | null
  asOf: Date
}

export interface WantedFilings {
  companyNumber: string
  /** The register's word; null for all. */
  category: string | null
  /** How many newer ones to leave out. */
  start: number
}

const COUNT_MAX = 1_000_000
const NOT_CONFIGURED: Missing = { kind: 'missing', reason: 'not_configured', retryAt: null }

/** Readers of the same page at the same time share one fetch. */
export async function readFilings(
  app: RegisterApp,
  wanted: WantedFilings,
  options: LeaseOptions,
): Promise<FilingPage | Missing> {
  const client = findRestClient(app)
  if (!client) return NOT_CONFIGURED
  const fetches = app.registerFetches as Map<string, Promise<FilingPage | Missing>>
  const key = `${options.priority} filings ${wanted.companyNumber} ${wanted.category ?? ''} ${wanted.start}`
  const fetching = fetches.get(key) ?? fetchPage(app, client, wanted, options).finally(() => fetches.delete(key))
  fetches.set(key, fetching)
  return fetching
}

async function fetchPage(
  app: RegisterApp,
  client: RestClient,
  wanted: WantedFilings,
  options: LeaseOptions,
): Promise<FilingPage | Missing> {
  const asOf = app.clock.now()
  const answer = await client.fetchFilings(wanted, client.openLease(options))
  if (answer.kind === 'missing') return answer
  const list = toRecord(answer.kind === 'found' ? answer.value : null)
  const items = toList(list['items']).slice(0, FILINGS_PAGE).map(toRecord)
  // By what came and not by what was asked for: the register may shorten a page.
  const seen = wanted.start + items.length
  const total = toInteger(list['total_count'], { max: COUNT_MAX }) ?? seen
  const shown = await withholdInParts(app.db, wanted.companyNumber, new Map([['filing', { items }]]))
  const filings = (shown.get('filing')?.items ?? []).map(parseFiling)
  return { kind: 'page', filings, total, next: items.length > 0 && seen < total ? seen : null, asOf }
}

const TRANSACTION_ID = /^[A-Za-z0-9_-]{1,64}$/

/** Returns one filing; null where the company has none of this id. */
export async function readFiling(
  app: RegisterApp,
  { companyNumber, transactionId }: { companyNumber: string; transactionId: string },
  options: LeaseOptions,
): Promise<Filing | null | Missing> {
  if (!TRANSACTION_ID.test(transactionId)) return null
  const client = findRestClient(app)
  if (!client) return NOT_CONFIGURED
  const answer = await client.fetchFiling(companyNumber, transactionId, client.openLease(options))
  if (answer.kind === 'missing') return answer
  const filing = answer.kind === 'found' ? parseFiling(toRecord(answer.value)) : null
  return filing?.transaction_id === transactionId ? filing : null
}
