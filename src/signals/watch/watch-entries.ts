import type { KeyMode } from '../../accounts/index.ts'
import type { Db } from '../../lib/db/db.ts'
import { SIGNAL_COLUMNS, type Signal, type SignalRow, toSignal } from '../signals.ts'
import { TEST_COMPANY } from '../test-mode/test-companies.ts'

export interface WatchEntry {
  companyNumber: string
  companyName: string
  /** Null when the company's row has left the register. */
  companyStatus: string | null
  companyStatusDetail: string | null
  watchedAt: Date
  latestSignal: Signal | null
}

export interface WatchPage {
  entries: WatchEntry[]
  /** Continues after the last of these; null when there are no more. */
  nextCursor: string | null
}

/** The default list, the newest watch first. `cursor` is a page's `nextCursor`, and continues from it even when that company was unwatched. */
export async function listWatchlist(
  db: Db,
  query: { accountId: string; mode: KeyMode; limit: number; offset: number; cursor?: string | undefined },
): Promise<WatchPage> {
  const [beforeAt, beforeNumber] = parseCursor(query.cursor)
  const rows = await db.query<EntryRow>(PAGES[query.mode], [
    query.accountId,
    query.mode,
    beforeAt,
    beforeNumber,
    query.limit + 1,
    query.offset,
  ])
  const last = rows.length > query.limit ? rows[query.limit - 1] : undefined
  return {
    entries: rows.slice(0, query.limit).map((row) => toEntry(row, query.mode)),
    nextCursor: last ? `${last.watched_at.getTime()}-${last.company_number}` : null,
  }
}

export async function getWatchEntry(
  db: Db,
  { id, mode }: { id: number; mode: KeyMode },
  number: string,
): Promise<WatchEntry> {
  const [row] = await db.query<EntryRow>(SINGLES[mode], [id, number])
  if (!row) throw new Error(`company ${number} is not on watchlist ${id}`)
  return toEntry(row, mode)
}

/** Returns the entries that a statement picks: it returns `watchlist_id`, `company_number` and `watched_at`. */
export async function readEntries(
  db: Db,
  mode: KeyMode,
  picked: string,
  params: readonly unknown[],
): Promise<WatchEntry[]> {
  return (await db.query<EntryRow>(toStatement(mode, picked), [...params])).map((row) => toEntry(row, mode))
}

export const WATCH_CURSOR = /^\d{13}-[A-Z0-9]{8}$/

export function parseCursor(cursor: string | undefined): [watchedAt: Date | 'infinity', number: string] {
  if (cursor === undefined) return ['infinity', '']
  if (!WATCH_CURSOR.test(cursor)) throw new Error('not a cursor of a watchlist')
  const end = cursor.indexOf('-')
  return [new Date(Number(cursor.slice(0, end))), cursor.slice(end + 1)]
}

interface EntryRow {
  company_number: string
  watched_at: Date
  name: string | null
  status: string | null
  status_detail: string | null
  latest_signal: (Omit<SignalRow, 'detectedAt'> & { detectedAt: string }) | null
}

const PAGE = `select watchlist_id, company_number, watched_at from watch
  where watchlist_id = (select id from watchlist where account_id = $1 and mode = $2)
    and in_default and (watched_at, company_number) < ($3, $4)
  order by watched_at desc, company_number desc limit $5 offset $6`
const SINGLE = `select watchlist_id, company_number, watched_at from watch
  where watchlist_id = $1 and company_number = $2`

/** All accounts share the signals of a real company; an account sees only its own signals of a test company. */
const LATEST: Record<KeyMode, string> = {
  live: `select ${SIGNAL_COLUMNS} from signal where signal.company_number = entry.company_number
    order by signal.detected_at desc, signal.id desc limit 1`,
  test: `select ${SIGNAL_COLUMNS} from signal where signal.id = (
    select made.id from watched_signal fed join signal made on made.id = fed.signal_id
    where fed.watchlist_id = entry.watchlist_id and made.company_number = entry.company_number
    order by fed.detected_at desc, fed.signal_id desc limit 1)`,
}

const PAGES = { live: toStatement('live', PAGE), test: toStatement('test', PAGE) }
const SINGLES = { live: toStatement('live', SINGLE), test: toStatement('test', SINGLE) }

function toStatement(mode: KeyMode, picked: string): string {
  return `select entry.company_number, entry.watched_at, company.name, company.status, company.status_detail,
      (select to_jsonb(latest) from (${LATEST[mode]}) latest) as latest_signal
    from (${picked}) entry left join company on company.number = entry.company_number
    order by entry.watched_at desc, entry.company_number desc`
}

function toEntry(row: EntryRow, mode: KeyMode): WatchEntry {
  const { company_number: companyNumber, watched_at: watchedAt, latest_signal: latest } = row
  const latestSignal = latest && toSignal({ ...latest, detectedAt: new Date(latest.detectedAt) })
  const { name, status } = mode === 'test' ? TEST_COMPANY : row
  return {
    companyNumber,
    companyName: name ?? latestSignal?.companyName ?? companyNumber,
    companyStatus: status,
    companyStatusDetail: mode === 'test' ? null : row.status_detail,
    watchedAt,
    latestSignal,
  }
}
