/**
 * Old answers in files: JSON lines in the order of their ids, compressed by zstd. The table `archived_file` says which ids
 * each file has. All processes see the directory. A file is never changed.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { findResolution, type KnownResolution } from '../answers/known.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const FILE_BYTES_MAX = 64 * 1024 * 1024
const TEXT_BYTES_MAX = 256 * 1024 * 1024

type Archiving = Pick<App, 'config' | 'db'>

/** Returns an answer, wherever it is; null where there is none. */
export async function findAnswer(app: Archiving, id: string): Promise<KnownResolution | null> {
  return (await findResolution(app.db, id)) ?? (await findArchived(app, id))
}

/** Stores an answer of the archive in the table again, before another row refers to it. */
export async function restoreAnswer(app: Archiving, tx: Tx, id: string): Promise<void> {
  if (await findResolution(tx, id)) return
  const line = await findLine(app, id)
  if (line === null) return
  await tx.query(
    'insert into resolution select * from jsonb_populate_record(null::resolution, $1::jsonb) on conflict do nothing',
    [line],
  )
}

async function findArchived(app: Archiving, id: string): Promise<KnownResolution | null> {
  const line = await findLine(app, id)
  if (line === null) return null
  const { company_number: companyNumber, model_version: modelVersion, resolved_at, ...same } = JSON.parse(line)
  const resolvedAt = new Date(resolved_at)
  return { ...same, companyNumber, modelVersion, resolvedAt, expiresAt: resolvedAt, decision: null }
}

export interface ArchivedFile {
  path: string
  sha256: string
}

/** Returns the row of an answer as JSON. */
async function findLine({ config, db }: Archiving, id: string): Promise<string | null> {
  if (config.archive === null) return null
  for (const file of await listFiles(db, id)) {
    const lines = (await readArchived(join(config.archive.directory, file.path), file)).split('\n')
    const found = lines.find((line) => line.startsWith(`{"id":${JSON.stringify(id)},`))
    if (found !== undefined) return found
  }
  return null
}

/** Returns the file that has this id. Very rarely another has an id with the same hash. */
async function listFiles(db: Db, id: string): Promise<ArchivedFile[]> {
  return db.query<ArchivedFile>(
    `with recursive month (name) as (
       (select month from archived_file order by month limit 1)
       union all
       select (select month from archived_file where month > name order by month limit 1) from month where name is not null
     )
     select file.path, file.sha256 from month cross join lateral (
       select path, sha256, last_id, id_hashes from archived_file
       where archived_file.month = month.name and first_id <= $1 order by first_id desc limit 1
     ) as file
     where file.last_id >= $1 and $2 = any (file.id_hashes)`,
    [id, hashOfId(id)],
  )
}

async function readArchived(path: string, { sha256 }: ArchivedFile): Promise<string> {
  const { size } = await stat(path)
  if (size > FILE_BYTES_MAX) throw new Error(`${path} is larger than any file of the archive`)
  const bytes = await readFile(path)
  if (hash(bytes) !== sha256) throw new Error(`${path} is not the file that was archived`)
  return (await decompress(bytes, { maxOutputLength: TEXT_BYTES_MAX })).toString('utf8')
}

export interface WrittenFile extends ArchivedFile {
  idHashes: number[]
}

/** Writes a file as a whole or not at all. Its name has the hash of its content, so no file is ever replaced by another. */
export async function writeArchived(
  { directory, folder }: { directory: string; folder: string },
  answers: ReadonlyArray<{ id: string; line: string }>,
): Promise<WrittenFile> {
  const bytes = await compress(Buffer.from(answers.map(({ line }) => line).join('\n')))
  const sha256 = hash(bytes)
  const path = join(folder, `${answers[0]?.id}-${sha256.slice(0, 16)}.jsonl.zst`)
  const whole = join(directory, path)
  await mkdir(dirname(whole), { recursive: true })
  const unfinished = `${whole}.${randomUUID()}.tmp`
  const file = await open(unfinished, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, whole)
  for (const parent of [dirname(whole), directory]) await syncDirectory(parent)
  return { path, sha256, idHashes: answers.map(({ id }) => hashOfId(id)) }
}

/** Only then is a new name in it still there after a crash. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Throws unless the file is there as it was archived. */
export async function assertArchived(directory: string, file: ArchivedFile): Promise<void> {
  await readArchived(join(directory, file.path), file)
}

function hashOfId(id: string): number {
  return createHash('sha256').update(id).digest().readInt32BE(0)
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
