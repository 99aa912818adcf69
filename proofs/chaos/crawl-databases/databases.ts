/** Three crawl stores, each a PostgreSQL server, and points at which a settlement between two databases is caught. */
import { ScratchDatabase } from '../../../rig/scratch-database.ts'
import type { Settings } from '../../../rig/settings.ts'
import { Database } from '../../../src/lib/db/db.ts'

export const NAMES = ['c1', 'c2', 'c3'] as const
export type Name = (typeof NAMES)[number]

/** Both halves have a moment before which the run is caught: `first` is the main database's, `second` the store's. */
export type Half = 'first' | 'second'

export interface Caught {
  half: Half
  domain: string
}

/** A domain that moves is copied to its new store and then deleted from its old one; a move can die before each. */
export interface MoveTrap {
  half: 'copy' | 'delete'
  store: Name
  domain: string
}

export class CrawlDatabases implements AsyncDisposable {
  readonly #opened: ReadonlyMap<Name, { scratch: ScratchDatabase; db: Database }>
  readonly #main: Database

  private constructor(main: Database, opened: ReadonlyMap<Name, { scratch: ScratchDatabase; db: Database }>) {
    this.#main = main
    this.#opened = opened
  }

  static async open(main: Database): Promise<CrawlDatabases> {
    const opened = new Map<Name, { scratch: ScratchDatabase; db: Database }>()
    for (const name of NAMES) {
      const scratch = await ScratchDatabase.open({ shared_buffers: '64MB' })
      opened.set(name, { scratch, db: new Database({ url: scratch.url, connectionsMax: 3, applicationName: 'chaos' }) })
    }
    return new CrawlDatabases(main, opened)
  }

  db(name: Name): Database {
    return this.#get(name).db
  }

  restart(name: Name, awayMs: number): Promise<void> {
    return this.#get(name).scratch.restart(awayMs)
  }

  hang(name: Name, forMs: number): Promise<void> {
    return this.#get(name).scratch.hang(forMs)
  }

  /** The settings of a process with these stores. */
  settings(names: readonly Name[], previous: readonly Name[] = []): Settings {
    const list = (of: readonly Name[]) => of.map((name) => `${name}=${this.#get(name).scratch.url}`).join()
    return { CRAWL_DATABASE_URLS: list(names), CRAWL_DATABASE_URLS_PREVIOUS: list(previous) }
  }

  /** Makes the ends of some domains wait for a while, once each, so that they can be caught there. */
  async setTraps(traps: Record<Half, readonly string[]>): Promise<void> {
    await setTrap(this.#main, 'before insert on resolution', traps.first)
    for (const { db } of this.#opened.values()) {
      await setTrap(db, `before update on crawl_domain for each row when (new.state = 'read')`, traps.second)
    }
  }

  async addTrap(half: Half, domain: string): Promise<void> {
    const stores = [...this.#opened.values()].map(({ db }) => db)
    for (const db of half === 'first' ? [this.#main] : stores) await db.query('insert into trap values ($1)', [domain])
  }

  /** Returns a domain whose end waits in a trap now; null when there is none, or its database is away. */
  async findCaught(): Promise<Caught | null> {
    const first = await findCaughtIn(this.#main)
    if (first) return { half: 'first', domain: first }
    for (const { db } of this.#opened.values()) {
      const domain = await findCaughtIn(db)
      if (domain) return { half: 'second', domain }
    }
    return null
  }

  async springTrap({ domain }: Caught): Promise<void> {
    for (const db of [this.#main, ...[...this.#opened.values()].map((one) => one.db)]) {
      await db.query('delete from trap where domain = $1', [domain]).catch(() => [])
      // It would wait on for a client that is dead.
      const end = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1'
      await db.query(end, [`${CAUGHT}${domain}`]).catch(() => [])
    }
  }

  /** Makes the move of a domain wait before it is copied to a store, or deleted from one. */
  async setMoveTrap(trap: MoveTrap): Promise<void> {
    const db = this.db(trap.store)
    await db.query('create table if not exists move_trap (domain text primary key, half text)')
    await db.query('insert into move_trap values ($1, $2) on conflict do nothing', [trap.domain, trap.half])
    await db.query(MOVE_TRAP)
    for (const [half, event] of [
      ['copy', 'insert'],
      ['delete', 'delete'],
    ]) {
      await db.query(
        `create or replace trigger wait_in_${half} before ${event} on crawl_domain for each row execute function wait_in_move_trap()`,
      )
    }
  }

  async isInMoveTrap({ store }: MoveTrap): Promise<boolean> {
    return (await findCaughtIn(this.db(store), MOVING)) !== null
  }

  async springMoveTrap({ store, domain }: MoveTrap): Promise<void> {
    const db = this.db(store)
    await db.query('delete from move_trap where domain = $1', [domain])
    await db.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      `${MOVING}${domain}`,
    ])
  }

  #get(name: Name) {
    const found = this.#opened.get(name)
    if (!found) throw new Error(`there is no store ${name}`)
    return found
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { db, scratch } of this.#opened.values()) {
      await db.close()
      await scratch[Symbol.asyncDispose]()
    }
  }
}

const CAUGHT = 'caught:'
/** Longer than workers take to be replaced, and less than a statement may take. */
const WAIT_SECONDS = 12

async function setTrap(db: Database, event: string, domains: readonly string[]): Promise<void> {
  await db.query('create table trap (domain text primary key)')
  await db.query('insert into trap select unnest($1::text[])', [domains])
  await db.query(
    `create function wait_in_trap() returns trigger language plpgsql as $$
     begin
       if exists (select from trap where domain = new.domain) then
         perform set_config('application_name', '${CAUGHT}' || new.domain, false);
         perform pg_sleep(${WAIT_SECONDS});
         perform set_config('application_name', 'nameplate', false);
       end if;
       return new;
     end $$`,
  )
  const perRow = event.includes('for each row') ? event : `${event} for each row`
  await db.query(`create trigger wait_in_trap ${perRow} execute function wait_in_trap()`)
}

const MOVING = 'moving:'
const MOVE_TRAP = `create or replace function wait_in_move_trap() returns trigger language plpgsql as $$
  declare
    moving crawl_domain := coalesce(new, old);
  begin
    if exists (select from move_trap where domain = moving.domain
               and half = case tg_op when 'INSERT' then 'copy' else 'delete' end) then
      perform set_config('application_name', '${MOVING}' || moving.domain, false);
      perform pg_sleep(${WAIT_SECONDS});
      perform set_config('application_name', 'nameplate', false);
    end if;
    return moving;
  end $$`

async function findCaughtIn(db: Database, prefix = CAUGHT): Promise<string | null> {
  const rows = await db
    .query<{ name: string }>(
      `select application_name as name from pg_stat_activity
       where wait_event = 'PgSleep' and application_name like '${prefix}%' limit 1`,
    )
    .catch(() => [])
  return rows[0]?.name.slice(prefix.length) ?? null
}
