/** The results of a bulk job as a table for people: the customer's own columns first, then the columns they choose. */
import type { App } from '../app.ts'
import { OUTCOME_LOOKS } from '../lib/design/outcomes.ts'
import { type Cell, cellText } from '../lib/sheets/cell.ts'
import { formatPercent } from '../lib/text/wording.ts'
import {
  describeSector,
  describeStatus,
  formatAddress,
  listEmployees,
  listParents,
  type NameCandidate,
} from '../register/index.ts'
import { type ChargeReason, type KnownResolution, listResolutions } from '../resolution/index.ts'
import type { BulkJob, RowState } from './bulk.ts'
import { nameColumn } from './columns.ts'
import { type BulkResult, fillDuplicates, type ResultsAsk, streamResults } from './results.ts'

/** A row with everything that a column can show. */
interface SheetRow extends BulkResult {
  resolution: KnownResolution | null
  employees: number | null
  parent: string | null
  /** Where this instance is reached. */
  siteUrl: URL
}

interface SheetColumn {
  header: string
  width: number
  read: (row: SheetRow) => Cell
}

const CANDIDATES_SHOWN_MAX = 5
const NAME_CHARS_MAX = 300

/** Every column that can be chosen, in the order in which they are offered. */
export const SHEET_COLUMNS = {
  company_name: { header: 'Company', width: 36, read: ({ company }) => company?.name ?? null },
  company_number: { header: 'Company number', width: 15, read: ({ company }) => company?.number ?? null },
  company_status: { header: 'Company status', width: 22, read: ({ company }) => company?.statusText ?? null },
  registered_office: {
    header: 'Registered office',
    width: 44,
    read: ({ company }) => (company?.record ? formatAddress(company.record.address) : null),
  },
  sic: { header: 'Sectors (SIC)', width: 40, read: ({ company }) => describeSectors(company?.record?.sicCodes ?? []) },
  incorporated_on: {
    header: 'Incorporated',
    width: 13,
    read: ({ company }) => (company?.record?.incorporatedOn ? { date: company.record.incorporatedOn } : null),
  },
  employees: { header: 'Employees', width: 11, read: ({ employees }) => employees },
  parent: { header: 'Parent company', width: 30, read: ({ parent }) => parent },
  outcome: { header: 'Outcome', width: 24, read: describeOutcome },
  confidence: {
    header: 'Confidence',
    width: 11,
    read: ({ confidence }) => (confidence === null ? null : { number: floorShare(confidence), format: '0.0%' }),
  },
  quote: { header: 'Quote', width: 50, read: (row) => findProof(row)?.quote ?? null },
  page: { header: 'Page', width: 34, read: (row) => toLink(findProof(row)?.url ?? null) },
  evidence_url: {
    header: 'Evidence',
    width: 34,
    read: ({ resolutionId, siteUrl }) =>
      toLink(resolutionId && new URL(`/console/resolutions/${resolutionId}`, siteUrl).href),
  },
  candidates: { header: 'Candidates', width: 50, read: describeCandidates },
  cost: { header: 'Cost', width: 30, read: describeCost },
  reason: { header: 'Reason', width: 50, read: ({ reason }) => reason },
  decided_by: { header: 'Decided by', width: 26, read: ({ decision }) => decision?.by ?? null },
  input: { header: 'Input', width: 30, read: ({ input }) => input },
  domain: { header: 'Domain', width: 26, read: ({ domain }) => domain },
  row: { header: 'Row', width: 8, read: ({ row }) => row },
} satisfies Record<string, SheetColumn>

export type SheetColumnId = keyof typeof SHEET_COLUMNS
export const SHEET_COLUMN_IDS = Object.keys(SHEET_COLUMNS) as [SheetColumnId, ...SheetColumnId[]]
const EXTRA: ReadonlySet<SheetColumnId> = new Set(['decided_by', 'input', 'domain', 'row'])
export const SHEET_DEFAULT = SHEET_COLUMN_IDS.filter((id) => !EXTRA.has(id))

/** Yields the rows of the table without its header, a page at a time. */
export async function* streamSheet(
  app: App,
  ask: ResultsAsk & {
    columns: readonly SheetColumnId[]
    columnCount: number
    count?: (result: BulkResult) => void
  },
): AsyncGenerator<Cell[][]> {
  for await (const page of streamResults(app, { ...ask, hasCells: true, isFilled: true })) {
    const rows = await addFacts(app, await fillDuplicates(app.db, ask.bulkId, page))
    for (const row of rows) ask.count?.(row)
    yield rows.map((row) => [
      ...padCells(row.cells ?? [], ask.columnCount),
      ...ask.columns.map((id) => SHEET_COLUMNS[id].read(row)),
    ])
  }
}

/** A row of the file may be shorter than others: what we add begins in the same column everywhere. */
export function padCells(cells: readonly Cell[], count: number): Cell[] {
  return Array.from({ length: count }, (_, index) => cells[index] ?? null)
}

async function addFacts(app: App, results: readonly BulkResult[]): Promise<SheetRow[]> {
  const numbers = [...new Set(results.flatMap(({ company }) => company?.number ?? []))]
  const ids = [...new Set(results.flatMap(({ resolutionId }) => resolutionId ?? []))]
  const resolutions = new Map((await listResolutions(app.db, ids)).map((known) => [known.id, known]))
  const employees = await listEmployees(app.db, numbers)
  const parents = await listParents(app.db, numbers)
  return results.map((result) => {
    const number = result.company?.number ?? ''
    const parent = parents.get(number)
    return {
      ...result,
      resolution: resolutions.get(result.resolutionId ?? '') ?? null,
      employees: employees.get(number) ?? null,
      parent: parent ? [parent.name, parent.companyNumber].filter(Boolean).join(', ') : null,
      siteUrl: app.config.siteUrl,
    }
  })
}

/** The words of the site that name the company; without a match, the first words that were found. */
function findProof({ resolution, company }: SheetRow): { quote: string; url: string } | null {
  const evidence = resolution?.findings.evidence ?? []
  const proof = evidence.filter(({ strength }) => strength !== 'against')
  return proof.find(({ supports }) => supports === company?.number) ?? (company ? null : (proof[0] ?? null))
}

function describeCandidates({ state, resolution, candidates, company }: SheetRow): string | null {
  if (state !== 'needs_review' && company !== null) return null
  const ofSite = (resolution?.findings.candidates ?? []).map(
    ({ companyNumber, companyName, confidence }) => `${companyName} (${companyNumber}), ${formatPercent(confidence)}`,
  )
  const ofRegister = candidates.map(describeRegistered)
  const all = [...ofSite, ...ofRegister].slice(0, CANDIDATES_SHOWN_MAX)
  return all.length === 0 ? null : all.join('; ')
}

/** With what distinguishes companies of one name. */
function describeRegistered({ number, name, status, postcode, why }: NameCandidate): string {
  return `${name} (${[number, describeStatus({ status, statusDetail: null }), postcode].filter(Boolean).join(', ')}): ${why}`
}

/** Rounded down: 99.96 % is not certain. */
function floorShare(confidence: number): number {
  return Math.floor(confidence * 1_000) / 1_000
}

function describeSectors(codes: readonly string[]): string | null {
  const words = codes.map((code) => [code, describeSector(code)].filter(Boolean).join(' '))
  return words.length === 0 ? null : words.join('; ')
}

function toLink(href: string | null): Cell {
  return href === null ? null : { text: href, href }
}

const STATE_WORDS: Partial<Record<RowState, string>> = {
  waiting: 'Waiting',
  running: 'Running',
  failed: 'Failed',
  invalid: 'Invalid row',
  duplicate: 'Duplicate',
  cancelled: 'Cancelled',
}

export function describeState(state: RowState): string {
  const looks: Partial<Record<string, { word: string }>> = OUTCOME_LOOKS
  return looks[state]?.word ?? STATE_WORDS[state] ?? state
}

/** A duplicate has the outcome of the row that it repeats, and says so. */
function describeOutcome({ state, repeatedState, duplicateOf }: BulkResult): string {
  return repeatedState === null ? describeState(state) : `${describeState(repeatedState)} (repeats row ${duplicateOf})`
}

const COSTS: Record<ChargeReason, string> = {
  matched: '1 credit: a match',
  verified: '1 credit: a web site',
  already_paid: 'Free: already paid',
  needs_review_free: 'Free: needs review',
  no_match_free: 'Free: no match',
  non_uk_entity_free: 'Free: not a UK company',
  scrape_failed_free: 'Free: the site could not be read',
  own_decision_free: 'Free: your own decision',
  register_free: 'Free: matched with the register',
  refunded: 'Refunded',
  failed_free: 'Free: it failed on our side',
  no_credits_free: 'Free: no credits were left',
  pending: 'Not known yet',
  test_mode: 'Free: test mode',
}

/** A row without an answer may still cost a credit; a cancelled one does when the job is resumed. */
function describeCost({ state, chargeReason }: Pick<BulkResult, 'state' | 'chargeReason'>): string {
  if (state === 'waiting' || state === 'running') return COSTS.pending
  if (state === 'cancelled') return '–'
  return Object.hasOwn(COSTS, chargeReason ?? '') ? COSTS[chargeReason as ChargeReason] : 'Free'
}

/** The name of each of the customer's own columns, for screens and programs: from the last header row, and never without end. */
export function nameOwnColumns({ source }: Pick<BulkJob, 'source'>): string[] {
  if (!source) return []
  const names = padCells(source.header.at(-1) ?? [], source.columnCount)
  return names.map((cell, index) => nameColumn(cellText(cell).slice(0, NAME_CHARS_MAX).toWellFormed(), index))
}
