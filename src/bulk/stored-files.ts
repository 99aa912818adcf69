/** A customer's file before its bulk job starts: stored for a day, read as often as the customer tries another mapping. */
import type { App } from '../app.ts'
import { DomainError } from '../errors.ts'
import { addSeconds } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { TableShape } from '../lib/sheets/table-shape.ts'
import type { BulkOwner } from './bulk.ts'
import type { Holds } from './column-kinds.ts'
import { type GuessedColumn, guessColumns, keyOfHeader, withHeaderRows } from './columns.ts'
import { findMapping, findSavedHeader, type Mapping } from './mapping.ts'
import { getRowsMax, needsLiveKey } from './preflight.ts'
import { inspectOrRefuse, readInTurn } from './read-in-turn.ts'

export const FILE_BYTES_MAX = 25 * 1_024 * 1_024
const KEPT_SECONDS = 86_400
/** The files of an account that are stored at once; an older one makes room. */
const FILES_MAX = 3

/** A file as it was read with this sheet and header. */
export interface BulkFile {
  id: string
  name: string | null
  bytes: number
  shape: TableShape
  headerRows: number
  /** Rows of data. */
  rowCount: number
  columns: GuessedColumn[]
  /** The columns are those of an earlier file with this header. */
  isSaved: boolean
  rowsMax: number
  expiresAt: Date
}

export async function addFile(app: App, file: BulkOwner & { name: string | null; content: Buffer }): Promise<BulkFile> {
  if (file.mode === 'test') throw needsLiveKey()
  // Nothing that cannot be read is stored.
  const shape = await readInTurn(file.accountId, () => inspectOrRefuse(file.content))
  const [id, at] = [newId('fil'), app.clock.now()]
  const expiresAt = addSeconds(at, KEPT_SECONDS)
  await app.db.transaction(async (tx) => {
    await tx.query(
      `delete from bulk_file where id in (
         select id from bulk_file where account_id = $1 order by created_at desc, id desc offset ${FILES_MAX - 1})`,
      [file.accountId],
    )
    await tx.query(
      'insert into bulk_file (id, account_id, name, content, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)',
      [id, file.accountId, file.name, file.content, at, expiresAt],
    )
  })
  return describeFile(app, { ...file, id, expiresAt }, shape)
}

/** Reads a stored file, with another sheet or other header rows where they are given. */
export async function readFile(
  app: App,
  ask: BulkOwner & { id: string; sheet?: string | undefined; headerRows?: number | undefined },
): Promise<BulkFile> {
  return readInTurn(ask.accountId, async () => {
    const stored = await findFile(app, ask)
    const shape = await inspectOrRefuse(stored.content, ask.sheet)
    return describeFile(app, { ...stored, accountId: ask.accountId }, shape, ask.headerRows)
  })
}

interface StoredFile {
  id: string
  name: string | null
  content: Buffer
  expiresAt: Date
}

const OWN_FILE = 'from bulk_file where id = $1 and account_id = $2 and expires_at > $3'

/** Throws `not_found` where the account has no such file. It loads the whole content: call it within `readInTurn`. */
export async function findFile(app: App, { accountId, mode, id }: BulkOwner & { id: string }): Promise<StoredFile> {
  if (mode === 'test') throw fileNotFound()
  const [file] = await app.db.query<StoredFile>(`select id, name, content, expires_at as "expiresAt" ${OWN_FILE}`, [
    id,
    accountId,
    app.clock.now(),
  ])
  if (!file) throw fileNotFound()
  return file
}

/** Throws `not_found` as `findFile` does, and reads no content. */
export async function assertFile(app: App, { accountId, mode, id }: BulkOwner & { id: string }): Promise<void> {
  if (mode === 'test') throw fileNotFound()
  const found = await app.db.query(`select ${OWN_FILE}`, [id, accountId, app.clock.now()])
  if (found.length === 0) throw fileNotFound()
}

function fileNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'There is no such file, or it is not yours. Files are stored for a day: send it again.',
  )
}

async function describeFile(
  app: App,
  { id, accountId, name, content, expiresAt }: StoredFile & { accountId: string },
  shape: TableShape,
  headerRows?: number,
): Promise<BulkFile> {
  const guessed = guessColumns(shape.rows)
  const found = headerRows === undefined ? await findSavedHeader(app.db, { accountId, rows: shape.rows }) : null
  const wanted = headerRows ?? found?.headerRows ?? guessed.headerRows
  const guess = wanted === guessed.headerRows ? guessed : withHeaderRows(guessed, shape.rows, wanted)
  const key = keyOfHeader(shape.rows.slice(0, guess.headerRows))
  const saved = found?.mapping ?? (await findMapping(app.db, { accountId, key }))
  const { rows = 0 } = shape.sheets.find((sheet) => sheet.name === shape.sheet) ?? {}
  return {
    id,
    name,
    bytes: content.byteLength,
    shape,
    headerRows: guess.headerRows,
    rowCount: Math.max(0, rows - guess.headerRows),
    columns: saved ? applyMapping(guess.columns, saved) : guess.columns,
    isSaved: saved !== null,
    rowsMax: await getRowsMax(app, accountId),
    expiresAt,
  }
}

function applyMapping(columns: readonly GuessedColumn[], mapping: Mapping): GuessedColumn[] {
  const kinds = Object.entries(mapping) as Array<[Holds, number]>
  return columns.map((column) => {
    const [holds = null] = kinds.find(([, position]) => position === column.index + 1) ?? []
    return { ...column, holds, isSure: true }
  })
}

/** Deletes files whose day is over. Returns nothing: another minute deletes the next ones. */
export async function deleteExpiredFiles({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  await db.query(
    'delete from bulk_file where id in (select id from bulk_file where expires_at <= $1 order by expires_at limit 100)',
    [clock.now()],
  )
}
