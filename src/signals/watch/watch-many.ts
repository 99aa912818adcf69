/** Many companies at once. Only those we have are found: a list of thousands must not spend the register's budget. */
import { type Act, recordAudit } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import { parseCompanyNumber } from '../../register/index.ts'
import { getListKey } from '../lists/lists.ts'
import { addToList, type ListKey, listOnList, listOnlyHere, removeFromList } from '../lists/membership.ts'
import { type NoteChange, setNotes } from '../lists/notes.ts'
import { FULL_TEST_NUMBER } from '../test-mode/test-companies.ts'
import {
  type CappedOwner,
  changeWatchlist,
  type LockedWatchlist,
  listWatchable,
  listWatched,
  refuseRateLimited,
  watchlistFull,
} from './watchlist.ts'

export const WATCH_OUTCOMES = ['watched', 'already_watched', 'limit_reached', 'not_found', 'invalid'] as const
export type WatchOutcome = (typeof WATCH_OUTCOMES)[number]

export interface WatchedMany {
  /** In the order of the question. */
  items: Array<{ companyNumber: string; outcome: WatchOutcome }>
  used: number
}

/** A company as a person or program names it, with what is to be written about it. */
export interface AskedCompany extends NoteChange {
  number: string
}

/** Puts as many of these on a list as there is room for, the first ones first, and writes the notes of those that are on it. */
export async function watchCompanies(
  app: App,
  owner: CappedOwner,
  companies: ReadonlyArray<string | AskedCompany>,
  listId = 'default',
): Promise<WatchedMany> {
  const asked = companies.map((company) => {
    const { number: text, ...words } = typeof company === 'string' ? { number: company } : company
    return { text, words, number: parseCompanyNumber(text) }
  })
  const numbers = new Set(asked.flatMap(({ number }) => number ?? []))
  if (owner.mode === 'test') refuseRateLimited([...numbers])
  return changeWatchlist(app, owner, async (tx, list) => {
    const key = await getListKey(tx, owner, listId)
    const outcomes = await decideOutcomes(tx, owner, { list, key }, numbers)
    const added = [...numbers].filter((number) => outcomes.get(number) === 'watched')
    const fresh = await addToList(app, tx, list, { list: key, numbers: added, priority: 0 })
    await setNotes(tx, list, collectNotes(asked, outcomes))
    const seen = new Set<string>()
    const items = asked.map(({ text, number }): WatchedMany['items'][number] => {
      if (number === null) return { companyNumber: text, outcome: 'invalid' }
      const outcome = outcomes.get(number) ?? 'not_found'
      const isRepeat = seen.has(number)
      seen.add(number)
      return { companyNumber: number, outcome: isRepeat && outcome === 'watched' ? 'already_watched' : outcome }
    })
    const used = list.used + fresh
    if (added.length > 0) await recordCount(app, tx, owner, 'watchlist_extended', [list.used, used])
    return { items, used }
  })
}

/** Returns the new notes of the companies on the list. The last ones count where a company is named twice. */
function collectNotes(
  asked: ReadonlyArray<{ number: string | null; words: NoteChange }>,
  outcomes: ReadonlyMap<string, WatchOutcome>,
): Map<string, NoteChange> {
  const notes = new Map<string, NoteChange>()
  for (const { number, words } of asked) {
    const outcome = number === null ? undefined : outcomes.get(number)
    const isOnList = outcome === 'watched' || outcome === 'already_watched'
    if (number === null || !isOnList || (words.note === undefined && words.tags === undefined)) continue
    const { note, tags } = notes.get(number) ?? {}
    notes.set(number, { note: words.note ?? note, tags: words.tags ?? tags })
  }
  return notes
}

async function decideOutcomes(
  tx: Tx,
  owner: CappedOwner,
  { list, key }: { list: LockedWatchlist; key: ListKey },
  numbers: ReadonlySet<string>,
): Promise<Map<string, WatchOutcome>> {
  const onList = await listOnList(tx, list, key, [...numbers])
  const watched = await listWatched(tx, list, [...numbers])
  const watchable = await listWatchable(tx, owner.mode, [...numbers])
  let room = owner.watchlistMax - list.used
  const outcomes = new Map<string, WatchOutcome>()
  for (const number of numbers) {
    if (onList.has(number)) outcomes.set(number, 'already_watched')
    // On another list: it is counted once.
    else if (watched.has(number)) outcomes.set(number, 'watched')
    else if (!watchable.has(number)) outcomes.set(number, 'not_found')
    else if (room <= 0 || isFullInTestMode(owner, number)) outcomes.set(number, 'limit_reached')
    else {
      outcomes.set(number, 'watched')
      room -= 1
    }
  }
  return outcomes
}

function isFullInTestMode({ mode }: CappedOwner, number: string): boolean {
  return mode === 'test' && number === FULL_TEST_NUMBER
}

export interface Replaced {
  added: string[]
  removed: string[]
  kept: number
  /** As they were typed. */
  notFound: string[]
  invalid: string[]
  used: number
}

/** Makes the default list exactly this. What stays keeps the time since when it is watched. */
export async function replaceWatchlist(app: App, owner: CappedOwner, typed: readonly string[]): Promise<Replaced> {
  const wanted = new Map<string, string>()
  const invalid: string[] = []
  for (const text of typed) {
    const number = parseCompanyNumber(text)
    if (number === null) invalid.push(text)
    else wanted.set(number, text)
  }
  if (owner.mode === 'test') refuseRateLimited([...wanted.keys()])
  return changeWatchlist(app, owner, async (tx, list) => {
    const onList = await listAllOnDefault(tx, list)
    const candidates = [...wanted.keys()].filter((number) => !onList.has(number))
    const watchable = await listWatchable(tx, owner.mode, candidates)
    const added = candidates.filter((number) => watchable.has(number))
    const removed = [...onList].filter((number) => !wanted.has(number))
    const watchedElsewhere = await listWatched(tx, list, added)
    const left = await listOnlyHere(tx, list, null, removed)
    const used = list.used - left.length + added.length - watchedElsewhere.size
    const isTooMuch = used > owner.watchlistMax || added.some((number) => isFullInTestMode(owner, number))
    // A list that grew on a larger plan may still be made shorter.
    if (added.length > watchedElsewhere.size && isTooMuch) throw watchlistFull(owner)
    await removeFromList(tx, list, null, removed)
    await addToList(app, tx, list, { list: null, numbers: added, priority: 0 })
    const notFound = candidates.flatMap((number) => (watchable.has(number) ? [] : (wanted.get(number) ?? number)))
    const isChanged = added.length + removed.length > 0
    if (isChanged) await recordCount(app, tx, owner, 'watchlist_replaced', [list.used, used])
    return { added, removed, kept: onList.size - removed.length, notFound, invalid, used }
  })
}

async function recordCount(
  app: App,
  tx: Tx,
  { accountId, mode, origin }: CappedOwner,
  action: Act,
  [before, after]: [number, number],
): Promise<void> {
  const changed = { before: { companies: before }, after: { companies: after } }
  await recordAudit(tx, { at: app.clock.now(), accountId, mode, action, origin: origin ?? null, ...changed })
}

/** Returns all numbers on the default list, in order; the plan's cap is their bound. */
async function listAllOnDefault(tx: Tx, list: LockedWatchlist): Promise<Set<string>> {
  const rows = await tx.query<{ company_number: string }>(
    'select company_number from watch where watchlist_id = $1 and in_default order by company_number',
    [list.id],
  )
  return new Set(rows.map((row) => row.company_number))
}
