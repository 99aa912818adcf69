/** The note and the tags of a company that is watched. They belong to the company, whichever lists it is on. */
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { changeWatchlist, type LockedWatchlist, listWatched, type WatchlistOwner } from '../watch/watchlist.ts'

export interface Note {
  note: string
  tags: string[]
}

/** Absent members stay as they are. */
export interface NoteChange {
  note?: string | undefined
  tags?: string[] | undefined
}

export const NOTE_MAX = 2_000
export const TAGS_MAX = 20
export const TAG_MAX = 40

/** Changes what is given. Throws `not_found` for a company that is not watched. */
export async function changeNote(app: App, owner: WatchlistOwner, number: string, change: NoteChange): Promise<Note> {
  return changeWatchlist(app, owner, async (tx, watchlist) => {
    if (!(await listWatched(tx, watchlist, [number])).has(number)) throw notWatched()
    await setNote(tx, watchlist, number, change)
    return findNote(tx, watchlist, number)
  })
}

export function notWatched(): DomainError {
  return new DomainError('not_found', 'You do not watch this company. Add it to a list first.')
}

/** Absent members stay as they are. An empty note without tags has no row. */
export async function setNote(
  tx: Tx,
  watchlist: LockedWatchlist,
  number: string,
  { note, tags }: NoteChange,
): Promise<void> {
  await tx.query(
    `insert into watch_note as old (watchlist_id, company_number, note, tags)
     values ($1, $2, coalesce($3, ''), coalesce($4::text[], '{}'))
     on conflict (watchlist_id, company_number) do update set note = coalesce($3, old.note), tags = coalesce($4, old.tags)`,
    [watchlist.id, number, note ?? null, tags ? toTags(tags) : null],
  )
  await tx.query(
    `delete from watch_note where watchlist_id = $1 and company_number = $2 and note = '' and tags = '{}'`,
    [watchlist.id, number],
  )
}

/** Like `setNote`, for many companies, each of them once. */
export async function setNotes(
  tx: Tx,
  watchlist: LockedWatchlist,
  changes: ReadonlyMap<string, NoteChange>,
): Promise<void> {
  if (changes.size === 0) return
  const sent = [...changes].map(([number, { note, tags }]) => ({
    number,
    note: note === undefined ? null : toStorable(note),
    tags: tags === undefined ? null : toTags(tags.map(toStorable)),
  }))
  await tx.query(
    `insert into watch_note (watchlist_id, company_number, note, tags)
     select $1, sent.number, coalesce(sent.note, old.note, ''), coalesce(sent.tags, old.tags, '{}')
     from jsonb_to_recordset($2::jsonb) as sent (number text, note text, tags text[])
     left join watch_note old on old.watchlist_id = $1 and old.company_number = sent.number
     on conflict (watchlist_id, company_number) do update set note = excluded.note, tags = excluded.tags`,
    [watchlist.id, JSON.stringify(sent)],
  )
  await tx.query(
    `delete from watch_note where watchlist_id = $1 and company_number = any ($2) and note = '' and tags = '{}'`,
    [watchlist.id, [...changes.keys()]],
  )
}

/** JSON of the database takes neither zeros nor halves of characters. */
const toStorable = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** Each tag once, whatever its capitals: the first spelling stays. */
function toTags(tags: readonly string[]): string[] {
  const byKey = new Map(tags.toReversed().map((tag) => [tag.toLowerCase(), tag]))
  return [...new Set(tags.flatMap((tag) => byKey.get(tag.toLowerCase()) ?? []))]
}

const NO_NOTE: Note = { note: '', tags: [] }

export async function findNote(db: Db, watchlist: { id: number }, number: string): Promise<Note> {
  return (await findNotes(db, watchlist.id, [number])).get(number) ?? NO_NOTE
}

export async function findNotes(db: Db, watchlistId: number, numbers: readonly string[]): Promise<Map<string, Note>> {
  const rows = await db.query<Note & { company_number: string }>(
    'select company_number, note, tags from watch_note where watchlist_id = $1 and company_number = any ($2)',
    [watchlistId, numbers],
  )
  return new Map(rows.map(({ company_number: number, note, tags }) => [number, { note, tags }]))
}

const TAGS_LISTED_MAX = 500

/** Returns the tags in use with the number of their companies, in the order of the alphabet. */
export async function listTags(
  db: Db,
  { accountId, mode }: WatchlistOwner,
): Promise<Array<{ tag: string; companies: number }>> {
  return db.query(
    `select tag, count(*)::integer as companies
     from watch_note join watchlist on watchlist.id = watchlist_id cross join unnest(tags) as tag
     where account_id = $1 and mode = $2 group by tag order by lower(tag), tag limit ${TAGS_LISTED_MAX}`,
    [accountId, mode],
  )
}
