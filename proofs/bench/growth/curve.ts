import type pg from 'pg'
import type { App } from '../../../src/app.ts'
import { dropIndexes } from '../feed/indexes.ts'

/** Something the product does, measured while there is more and more of what it stands on. */
export interface Curve {
  /** Of its figures, such as `charge_growth`. */
  name: string
  does: string
  /** What there are N of. */
  rows: string
  /** Whose size is counted. */
  tables: readonly string[]
  /** Makes the `from` rows that are there to `to`, and answers what is to be done again and again. */
  grow(world: GrowthWorld, range: Range): Promise<Operation>
}

/** Does it for the nth time, by the product's own functions. */
export type Operation = (place: number) => Promise<unknown>

export interface Range {
  from: number
  to: number
}

export interface GrowthWorld {
  url: string
  /** Has one connection, which is the one that is measured. */
  app: App
  /** Loads. */
  client: pg.Client
}

/** Fills tables that come from nowhere: nothing is checked row by row, and the indexes are built afterwards. */
export async function fillTables(
  { client }: GrowthWorld,
  tables: readonly string[],
  fill: () => Promise<unknown>,
): Promise<void> {
  await client.query('set session_replication_role = replica')
  const buildIndexes = await dropIndexes(client, tables)
  await fill()
  await buildIndexes()
  await client.query('set session_replication_role = origin')
}

/** Customers `acc_1`, `acc_2` and so on with credits to spend. */
export async function addAccounts({ client }: GrowthWorld, { from, to }: Range): Promise<void> {
  const range = [Math.floor(from) + 1, Math.floor(to)]
  await client.query(
    `insert into account (id, email, email_canonical, password_hash, created_at)
     select 'acc_' || n, 'acc_' || n, 'acc_' || n, 'nobody signs in', now() from generate_series($1::integer, $2::integer) n`,
    range,
  )
  await client.query(
    `insert into credit_balance (account_id, balance, held)
     select 'acc_' || n, 1000000, 0 from generate_series($1::integer, $2::integer) n`,
    range,
  )
}

/** Far apart from one place to the next, and the same in every run. */
export function scatter(place: number, among: number): number {
  return (place * 7_368_787) % among
}
