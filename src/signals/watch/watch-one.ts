import type { App } from '../../app.ts'
import { getListKey } from '../lists/lists.ts'
import { addToList, listOnList, removeFromList } from '../lists/membership.ts'
import { findNote, type Note, type NoteChange, setNote } from '../lists/notes.ts'
import { getWatchEntry, type WatchEntry } from './watch-entries.ts'
import {
  assertWatchable,
  type CappedOwner,
  changeWatchlist,
  listWatched,
  removeWatches,
  type WatchlistOwner,
  watchlistFull,
} from './watchlist.ts'

interface Added {
  entry: WatchEntry
  /** It was on no list before. */
  isNew: boolean
  /** It was not on this list before. */
  isAdded: boolean
}

/** Puts a company on a list, by default the default one. Throws `plan_limit_reached`, or `company_not_found`. */
export async function watchCompany(
  app: App,
  owner: CappedOwner,
  number: string,
  { list = 'default', note }: { list?: string; note?: NoteChange } = {},
): Promise<Added> {
  await assertWatchable(app, { accountId: owner.accountId, mode: owner.mode, number })
  return changeWatchlist(app, owner, async (tx, watchlist) => {
    const key = await getListKey(tx, owner, list)
    const isNew = !(await listWatched(tx, watchlist, [number])).has(number)
    if (isNew && watchlist.used >= owner.watchlistMax) throw watchlistFull(owner)
    const isAdded = isNew || !(await listOnList(tx, watchlist, key, [number])).has(number)
    if (isAdded) await addToList(app, tx, watchlist, { list: key, numbers: [number], priority: 1 })
    if (note) await setNote(tx, watchlist, number, note)
    return { entry: await getWatchEntry(tx, watchlist, number), isNew, isAdded }
  })
}

/** Stops watching a company: it leaves all lists, and its rows leave the feed. Returns whether it was watched. */
export async function unwatchCompany(app: App, owner: WatchlistOwner, number: string): Promise<boolean> {
  return changeWatchlist(app, owner, async (tx, watchlist) => {
    const wasWatched = (await listWatched(tx, watchlist, [number])).has(number)
    if (wasWatched) await removeWatches(tx, watchlist, [number])
    return wasWatched
  })
}

export interface Removed extends Note {
  wasOnList: boolean
  /** It is on another list. */
  isWatched: boolean
}

/** Takes a company off one list. Returns its note and tags, with which it can be added again. */
export async function removeCompany(
  app: App,
  owner: WatchlistOwner & { id: string },
  number: string,
): Promise<Removed> {
  return changeWatchlist(app, owner, async (tx, watchlist) => {
    const key = await getListKey(tx, owner, owner.id)
    const note = await findNote(tx, watchlist, number)
    const wasOnList = (await listOnList(tx, watchlist, key, [number])).has(number)
    if (wasOnList) await removeFromList(tx, watchlist, key, [number])
    return { ...note, wasOnList, isWatched: (await listWatched(tx, watchlist, [number])).has(number) }
  })
}
