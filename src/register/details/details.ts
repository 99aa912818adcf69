/**
 * Everything known of one company: from our own tables where the streams keep it fresh, else fetched on demand and
 * stored. A part that cannot be fetched now is `missing` with its reason; it is never guessed.
 */
import { DomainError } from '../../errors.ts'
import { type Db, onlyRow } from '../../lib/db/db.ts'
import { toText } from '../../lib/text/loose-json.ts'
import { applyCompanies } from '../apply-companies.ts'
import { type Company, type CompanyRow, findCompany } from '../company.ts'
import type { Figures } from '../figures/concepts.ts'
import { FIGURES_AS_OF } from '../figures/figures-as-of.ts'
import { findOwners } from '../owners/find-owners.ts'
import { withholdInParts } from '../people/withhold-items.ts'
import { isPerson } from '../pscs/psc-row.ts'
import { ALL_PSCS_CURRENT_UNTIL } from '../pscs/psc-streams.ts'
import { listPscRecords } from '../pscs/stored-pscs.ts'
import { parseCompanies, selectCompanies } from '../search/find-companies.ts'
import { type Charge, parseCharge } from './charge.ts'
import { parseProfile } from './company-from-profile.ts'
import {
  type Filing,
  type Insolvency,
  type Officer,
  type OwnerStatement,
  PART_KINDS,
  type PartKind,
  type Psc,
  parseFiling,
  parseInsolvency,
  parseOfficer,
  parsePsc,
  parseStatements,
} from './part-items.ts'
import { readRemarks } from './remarks.ts'
import type { LeaseOptions } from './rest-budget.ts'
import {
  type FetchedPart,
  findRestClient,
  type Missing,
  type MissingReason,
  type RegisterApp,
  type RestClient,
} from './rest-client.ts'
import { storeParts } from './store-parts.ts'

export interface Part<Item> {
  /** Null when missing. */
  items: Item[] | null
  asOf: Date | null
  /** How many the register has, when that is more than we hold. */
  total: number | null
  missing: { reason: MissingReason; retryAt: Date | null } | null
}

/** A person or company with significant control. */
export interface Owner extends Psc {
  /** The owner itself, where it is a company that the register has under this number and name. */
  company: Company | null
}

export interface CompanyParts {
  officers: Part<Officer>
  charges: Part<Charge>
  /** At most one. */
  insolvency: Part<Insolvency>
  pscs: Part<Owner>
  filings: Part<Filing>
}

export const PARTS = ['officers', 'charges', 'insolvency', 'pscs', 'filings'] as const satisfies Array<
  keyof CompanyParts
>

export interface CompanyDetails extends CompanyParts {
  /** Statements of the company about its owners, beside naming them; null when missing. In force first. */
  ownerStatements: OwnerStatement[] | null
  company: Company
  /** Why the registrar's remarks could not be fetched; null where they were not wanted. */
  missingRemarks: Missing | null
  companyAsOf: Date
  /** Periods for which accounts with figures were in our files, newest first. */
  figures: PeriodFigures[]
  /** The newest day of the files; null where none was loaded. */
  figuresAsOf: string | null
}

/** `source_on` is the day of the file that had the accounts. */
export type PeriodFigures = { period_end: string; source_on: string } & Figures

/** The wait is for everything together: what has not arrived by then is missing. No account may use up the budget of all. */
export interface DetailsOptions extends LeaseOptions {
  /** The company itself, where the caller has just read it. */
  company?: Company | null
}

const NOT_CONFIGURED: Missing = { kind: 'missing', reason: 'not_configured', retryAt: null }

/** Throws `not_found` when the register has no such company, and `unavailable` when that cannot be found out now. */
export async function getCompanyDetails(
  app: RegisterApp,
  number: string,
  options: DetailsOptions,
): Promise<CompanyDetails> {
  const startedMs = performance.now()
  const found = await findStored(app.db, number, options.company ?? null)
  const known = found.company ?? (await lookUpCompany(app, number, options))
  const { parts: stored, currentUntil } = found
  const lacking = PART_KINDS.filter((kind) => !stored.has(kind))
  const maxWaitMs = Math.max(0, options.maxWaitMs - (performance.now() - startedMs))
  const left = { ...options, maxWaitMs }
  // A reader waits for them only where it waits for other parts.
  const wantsRemarks = known.remarks === null && (lacking.length > 0 || options.priority === 'background')
  const client = wantsRemarks ? findRestClient(app) : null
  const [fetched, remarks] = await Promise.all([
    lacking.length > 0 ? fetchOnce(app, number, lacking, left) : new Map<PartKind, never>(),
    client ? readRemarks(app, client, number, left) : known.remarks,
  ])
  const company = Array.isArray(remarks) ? { ...known, remarks } : known
  const parts = new Map<PartKind, StoredPart | Missing>([...fetched, ...stored])
  const shown = parts.size > 0 ? await withholdInParts(app.db, number, parts) : parts
  const part = (kind: PartKind) => shown.get(kind) ?? NOT_CONFIGURED
  const { people, statements } = splitPscs(part('psc'))
  const pscs = toPart(people, parsePsc, ({ is_ceased, ceased_on, notified_on }) => [
    is_ceased ? (ceased_on ?? '0') : '9999',
    notified_on,
  ])
  return {
    company,
    missingRemarks: remarks === null || Array.isArray(remarks) ? null : remarks,
    companyAsOf: later(company.changedAt, currentUntil),
    figures: found.figures,
    figuresAsOf: found.figuresAsOf,
    officers: toPart(part('officer'), parseOfficer, ({ resigned_on, appointed_on }) => [
      resigned_on ?? '9999',
      appointed_on,
    ]),
    charges: toPart(part('charge'), parseCharge, ({ created_on, delivered_on }) => [created_on ?? delivered_on]),
    insolvency: toPart(part('insolvency'), parseInsolvency, () => []),
    pscs: { ...pscs, items: pscs.items && (await withCompanies(app.db, pscs.items, number)) },
    ownerStatements: statements && sortByRank(statements, (each) => [each.ceased_on ?? '9999', each.notified_on]),
    filings: toPart(part('filing'), parseFiling, ({ date }) => [date]),
  }
}

/** The register has people and statements in one list. */
function splitPscs(part: StoredPart | Missing): { people: StoredPart | Missing; statements: OwnerStatement[] | null } {
  if (isMissing(part)) return { people: part, statements: null }
  const isAboutPerson = (data: Record<string, unknown>) => isPerson(toText(data['kind']) ?? '')
  const people = part.items.filter(isAboutPerson)
  const statements = part.items.filter((data) => !isAboutPerson(data)).flatMap(parseStatements)
  // REST has them elsewhere, so only the file of all records can say that there is none.
  const areKnown = part.isFromFile || statements.length > 0
  return { people: { ...part, items: people }, statements: areKnown ? statements : null }
}

async function withCompanies(db: Db, owners: readonly Psc[], number: string): Promise<Owner[]> {
  const companies = await findOwners(db, owners, number)
  return owners.map((owner) => ({ ...owner, company: companies.get(owner) ?? null }))
}

function later(at: Date, other: Date | null): Date {
  return other && other > at ? other : at
}

/** Newest first by the dates of `rank`, with those still in force on top. */
function toPart<Item>(
  part: StoredPart | Missing,
  parse: (data: Record<string, unknown>) => Item,
  rank: (item: Item) => Array<string | null>,
): Part<Item> {
  if (isMissing(part)) {
    return { items: null, asOf: null, total: null, missing: { reason: part.reason, retryAt: part.retryAt } }
  }
  return { items: sortByRank(part.items.map(parse), rank), asOf: part.asOf, total: part.total, missing: null }
}

function sortByRank<Item>(items: readonly Item[], rank: (item: Item) => Array<string | null>): Item[] {
  const ranked = items.map((item) => ({ item, key: rank(item).join(' ') }))
  ranked.sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0))
  return ranked.map(({ item }) => item)
}

function isMissing(part: StoredPart | FetchedPart | Missing): part is Missing {
  return 'kind' in part
}

type FetchedParts = Map<PartKind, StoredPart | Missing>

/** Readers of the same company in this process share one fetch; in two processes they fetch twice and store the same. */
async function fetchOnce(
  app: RegisterApp,
  number: string,
  kinds: readonly PartKind[],
  options: DetailsOptions,
): Promise<FetchedParts> {
  const client = findRestClient(app)
  if (!client) return new Map()
  const fetches = app.registerFetches as Map<string, Promise<FetchedParts>>
  const key = `${options.priority} ${number} ${kinds.join()}`
  const fetching =
    fetches.get(key) ?? fetchParts(app, client, { number, kinds }, options).finally(() => fetches.delete(key))
  fetches.set(key, fetching)
  return fetching
}

async function fetchParts(
  app: RegisterApp,
  client: RestClient,
  wanted: { number: string; kinds: readonly PartKind[] },
  options: DetailsOptions,
): Promise<FetchedParts> {
  const { number, kinds } = wanted
  // Another fetch may have been stored since the caller looked.
  const { parts: stored } = await findStored(app.db, number, null)
  if (kinds.every((kind) => stored.has(kind))) return stored
  const askedAt = app.clock.now()
  const lease = client.openLease(options)
  await lease.fill(kinds.length)
  const fetched = await Promise.all(kinds.map((kind) => client.fetchPart(kind, number, lease)))
  const parts: FetchedParts = new Map()
  const toStore: Array<{ kind: PartKind; part: FetchedPart }> = []
  for (const [index, kind] of kinds.entries()) {
    const part = fetched[index] ?? NOT_CONFIGURED
    if (isMissing(part)) parts.set(kind, part)
    else {
      parts.set(kind, { items: part.items.map(({ data }) => data), asOf: askedAt, total: part.total })
      toStore.push({ kind, part })
    }
  }
  await storeParts(app, number, toStore, askedAt)
  return parts
}

/** The snapshot has only live companies, and new ones come with the streams: the rest is looked up when asked for. */
async function lookUpCompany(app: RegisterApp, number: string, options: DetailsOptions): Promise<Company> {
  const notFound = () => new DomainError('not_found', `The register has no company ${number}. Check the number.`)
  const client = findRestClient(app)
  if (!client) throw notFound()
  const answer = await client.fetchProfile(number, client.openLease(options))
  if (answer.kind === 'missing') throw unavailable(answer, app)
  const facts = answer.kind === 'found' ? parseProfile(answer.value) : null
  if (facts?.number !== number) throw notFound()
  const at = app.clock.now()
  await app.db.transaction((tx) =>
    // The first row stays: a lookup must not replace a stream's row.
    applyCompanies(tx, [{ facts, rowHash: null, timepoint: 0 }], {
      source: 'rest',
      reference: `/company/${number}`,
      at,
      isStale: () => true,
    }),
  )
  const company = await findCompany(app.db, number)
  if (!company) throw new Error(`company ${number} is not there after it was stored`)
  return company
}

function unavailable({ retryAt }: Missing, { clock }: RegisterApp): DomainError {
  const message = 'We do not know this company yet and cannot ask the register at this moment. Try again later.'
  const waitMs = retryAt ? retryAt.getTime() - clock.now().getTime() : 0
  return new DomainError('unavailable', message, waitMs > 0 ? { retryAfterSeconds: Math.ceil(waitMs / 1_000) } : {})
}

// How parts are stored: a row for each part that was fetched whole, and one for each item.

interface StoredPart {
  items: Array<Record<string, unknown>>
  /** The register said this then: when it was fetched, or up to when the streams have kept it fresh. */
  asOf: Date
  total: number | null
  /** The file of all controlling persons has it. */
  isFromFile?: boolean
}

/** More than a company of the register has ever had; the bound is for the day that is no longer true. */
const ITEMS_MAX = 10_000

interface Stored {
  company: Company | null
  /** Parts that were fetched whole. Others are absent, even where a stream sent single items. */
  parts: Map<PartKind, StoredPart>
  /** When the companies stream was last at the register's head; null when it is not followed or missed something. */
  currentUntil: Date | null
  figures: PeriodFigures[]
  figuresAsOf: string | null
}

interface StoredRow {
  companies: CompanyRow[] | null
  parts: Array<{ kind: PartKind; as_of: string; total: number | null; is_from_file: boolean }> | null
  currentUntil: Date | null
  figures: PeriodFigures[] | null
  figuresAsOf: string | null
}

// Only what the streams missed makes a part old, and a stream that missed something forgets the parts it kept. Controlling
// persons are known for every company once their file was imported; those of one company may have come by REST.
const PARTS_AND_FIGURES = `(select jsonb_agg(jsonb_build_object('kind', known.kind, 'total', known.total,
      'as_of', greatest(known.at, case when known.is_from_file then ${ALL_PSCS_CURRENT_UNTIL} else stream.current_until end),
      'is_from_file', known.is_from_file) order by known.at)
    from (
      select case kind when 'owner' then 'psc' else kind end as kind, total, fetched_at as at, false as is_from_file
      from company_part where company_number = $1 and kind <> 'psc'
      union all
      (select 'psc', null, as_of::timestamptz, true from register_snapshot
       where product = 'pscs' and state = 'finished' order by id desc limit 1)
    ) as known
    left join register_stream as stream on stream.name = case known.kind
      when 'officer' then 'officers' when 'charge' then 'charges' when 'insolvency' then 'insolvency-cases'
      when 'psc' then 'persons-with-significant-control' when 'filing' then 'filings' end
    where known.kind <> 'psc' or stream.gap_since is null or known.at > coalesce(stream.gap_until, stream.gap_since)) as parts,
  (select current_until from register_stream where name = 'companies' and gap_since is null) as "currentUntil",
  (select jsonb_agg(to_jsonb(stated) order by stated.period_end desc) from (
    select period_end, employees, net_assets, current_assets, creditors, cash, turnover, is_dormant, source_on
    from company_figures where company_number = $1 order by period_end desc limit 10) as stated) as figures,
  ${FIGURES_AS_OF} as "figuresAsOf"`
const STORED = `select ${PARTS_AND_FIGURES}, ${selectCompanies('array[$1]')} as companies`
const STORED_OF_KNOWN = `select ${PARTS_AND_FIGURES}, null as companies`

/** Reads all in one statement; the items of parts, which few companies have, in another. */
async function findStored(db: Db, number: string, known: Company | null): Promise<Stored> {
  const row = onlyRow(await db.query<StoredRow>(known ? STORED_OF_KNOWN : STORED, [number]))
  const [company = null] = known ? [known] : parseCompanies(row.companies)
  const parts = new Map<PartKind, StoredPart>(
    row.parts?.map(({ kind, as_of: asOf, total }) => [kind, { items: [], asOf: new Date(asOf), total }]),
  )
  const pscs = parts.get('psc')
  if (pscs) pscs.isFromFile = row.parts?.some((part) => part.is_from_file) ?? false
  const { currentUntil, figuresAsOf } = row
  const stored = { company, parts, currentUntil, figures: row.figures ?? [], figuresAsOf }
  if (parts.size === 0) return stored
  const items = await db.query<{ kind: PartKind; data: Record<string, unknown> }>(
    `select kind, data from company_item where company_number = $1 and kind = any($2) limit ${ITEMS_MAX}`,
    [number, [...parts.keys()].filter((kind) => kind !== 'psc')],
  )
  for (const { kind, data } of items) parts.get(kind)?.items.push(data)
  if (pscs) pscs.items.push(...(await listPscRecords(db, number)))
  return stored
}
