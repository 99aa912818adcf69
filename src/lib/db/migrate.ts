import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openConnection } from './connection.ts'
import type { Db } from './db.ts'

export interface Migration {
  name: string
  sql: string
  sha256: string
}

// Any number of deployers may start at once; the first takes this lock and the others find nothing left to do.
const LOCK_ID = 7_302_651_184
const LOCK_WAIT = '10min'
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/

/**
 * A migration whose first line says so runs outside a transaction: for `create index concurrently`. A line of its own is
 * between its statements, since these run one by one; the file must be safe to run again after any of them.
 */
const NO_TRANSACTION = '-- no transaction'
const NEXT_STATEMENT = '\n-- next statement\n'
/**
 * One whose first line says so is one statement that returns how much is `left`, or how much it did. It runs, in a transaction
 * each time, until that is 0: for copying rows while the service runs. After a crash it goes on where it was.
 */
const REPEAT = '-- repeat'
/**
 * All others wait only briefly for their locks, because requests wait behind them, and are tried again. The time is shorter than
 * `deadlock_timeout`: where a migration and a request wait for each other, the migration gives up.
 */
const BEGIN = "begin; set local lock_timeout = '500ms'"
const LOCK_TRIES_MAX = 300
const LOCK_PAUSE_MS = 1_000
/** A lock that was not free in time, and a deadlock. */
const MEANS_BUSY = new Set(['55P03', '40P01'])

export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql'))
  const wrong = names.find((name) => !FILE_NAME.test(name))
  if (wrong) throw new Error(`migration ${wrong} is not named NNNN_what.sql`)
  return readFiles(directory, names)
}

/**
 * Reads the repeatable definitions below a folder: functions that live beside the code that calls them, in `.sql` files
 * that can run any number of times. A function whose result an index stores belongs in a migration.
 */
export async function readDefinitions(directory: string): Promise<Migration[]> {
  return readFiles(
    directory,
    (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.sql')),
  )
}

function readFiles(directory: string, names: readonly string[]): Promise<Migration[]> {
  return Promise.all(
    names.toSorted().map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Brings the database to the newest migration, runs the definitions whose text changed, and returns the names of what it
 * ran. Migrations go forward only. One that was changed after it ran is refused: two databases would claim the same
 * version and differ.
 */
export async function migrate(
  databaseUrl: string,
  migrations: readonly Migration[],
  definitions: readonly Migration[],
  onProgress: (line: string) => void = () => undefined,
): Promise<string[]> {
  const client = await openConnection(databaseUrl, { application_name: 'nameplated migrate' })
  try {
    await takeLock(client)
    await client.query(`set lock_timeout = '${LOCK_WAIT}'`)
    await client.query(
      `create table if not exists schema_migration (
         name text primary key,
         sha256 text not null,
         applied_at timestamptz not null default now()
       )`,
    )
    const applied = await readApplied(client)
    const pending = findPending(applied, migrations)
    for (const migration of pending) await run(client, migration, onProgress)
    const changed = definitions.filter(({ name, sha256 }) => applied.get(name) !== sha256)
    if (changed.length > 0) await define(client, changed)
    return [...pending, ...changed].map(({ name }) => name)
  } finally {
    // Ending the session releases the lock, also after an error.
    await client.end()
  }
}

/**
 * One process migrates at a time. Those that wait ask again and again: a statement that waits would be in the way of an index
 * that is built concurrently, and both would wait for ever.
 */
async function takeLock(client: pg.Client): Promise<void> {
  for (let tries = 0; tries < TAKE_LOCK_TRIES_MAX; tries += 1) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK_ID])
    if (rows[0]?.taken) return
    await sleep(TAKE_LOCK_PAUSE_MS)
  }
  throw new Error('another process has been migrating for an hour')
}

const TAKE_LOCK_PAUSE_MS = 250
const TAKE_LOCK_TRIES_MAX = 3_600_000 / TAKE_LOCK_PAUSE_MS

/** Runs definitions together, so that queries see all of them before or after. */
async function define(client: pg.Client, definitions: readonly Migration[]): Promise<void> {
  try {
    await client.query('begin')
    for (const { name, sql, sha256 } of definitions) {
      await client.query(sql)
      await client.query(
        `insert into schema_migration (name, sha256) values ($1, $2)
         on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`,
        [name, sha256],
      )
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error('a repeatable definition failed and left nothing behind', { cause: error })
  }
}

async function run(client: pg.Client, migration: Migration, onProgress: (line: string) => void): Promise<void> {
  const record = () =>
    client.query('insert into schema_migration (name, sha256) values ($1, $2)', [migration.name, migration.sha256])
  if (migration.sql.startsWith(NO_TRANSACTION)) {
    for (const statement of migration.sql.split(NEXT_STATEMENT)) await client.query(statement)
    await record()
    return
  }
  if (migration.sql.startsWith(REPEAT)) {
    await repeat(client, migration, onProgress)
    await record()
    return
  }
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(BEGIN)
      await client.query(migration.sql)
      await record()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (tries === LOCK_TRIES_MAX || !isBusy(error)) {
        throw new Error(`migration ${migration.name} failed and left nothing behind`, { cause: error })
      }
      onProgress(`${migration.name} waits for its locks`)
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

const PROGRESS_MS = 5_000

/** Each run does a part, so the number of runs is bounded by what was there at the start. */
async function repeat(client: pg.Client, { name, sql }: Migration, onProgress: (line: string) => void): Promise<void> {
  let saidAt = performance.now()
  let tries = 0
  for (;;) {
    const left = await doPart(client, sql)
    if (left === 0) return
    tries = left === 'busy' ? tries + 1 : 0
    if (tries > LOCK_TRIES_MAX) throw new Error(`migration ${name} found its rows locked for too long`)
    if (left === 'busy') {
      await sleep(LOCK_PAUSE_MS)
      continue
    }
    if (performance.now() - saidAt < PROGRESS_MS) continue
    saidAt = performance.now()
    onProgress(`${name} goes on: ${left}`)
  }
}

/** Returns how much is left, or that others held the rows: then nothing was done. */
async function doPart(client: pg.Client, sql: string): Promise<number | 'busy'> {
  try {
    await client.query(BEGIN)
    const { rows } = await client.query<{ left: string }>(sql)
    await client.query('commit')
    return Number(rows[0]?.left ?? 0)
  } catch (error) {
    await client.query('rollback')
    if (isBusy(error)) return 'busy'
    throw error
  }
}

function isBusy(error: unknown): boolean {
  return MEANS_BUSY.has((error as { code?: string }).code ?? '')
}

const APPLIED = 'select name, sha256 from schema_migration'

async function readApplied(client: Pick<pg.Client, 'query'>): Promise<Map<string, string>> {
  return toApplied((await client.query<AppliedRow>(APPLIED)).rows)
}

/** Throws while the database lacks one of the migrations. */
export async function assertMigrated(db: Db, migrations: readonly Migration[]): Promise<void> {
  const pending = findPending(toApplied(await db.query<AppliedRow>(APPLIED)), migrations)
  if (pending.length > 0) throw new Error(`${pending.length} migrations have not run`)
}

type AppliedRow = Pick<Migration, 'name' | 'sha256'>

function toApplied(rows: readonly AppliedRow[]): Map<string, string> {
  return new Map(rows.map((row) => [row.name, row.sha256]))
}

export function findPending(applied: ReadonlyMap<string, string>, migrations: readonly Migration[]): Migration[] {
  const [first] = migrations
  if (first && !applied.has(first.name) && [...applied.keys()].some((name) => FILE_NAME.test(name))) {
    throw new Error(
      `this database was made before ${first.name}, by a version that was never released. Nothing upgrades it: make a new ` +
        'database, migrate it, and import the register again',
    )
  }
  for (const migration of migrations) {
    const sha256 = applied.get(migration.name)
    if (sha256 !== undefined && sha256 !== migration.sha256) {
      throw new Error(
        `migration ${migration.name} was changed after it ran. Use the release that this database belongs to, or make a new database; a change to the schema is a new migration`,
      )
    }
  }
  return migrations.filter((migration) => !applied.has(migration.name))
}
