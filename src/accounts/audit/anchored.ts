/**
 * The ends of the chains as they were stored on the day of an anchor. The digest over them is signed elsewhere, so a chain that was
 * made again afterwards does not have the entry that its anchor names.
 */
import { createHash } from 'node:crypto'
import type { Db, Tx } from '../../lib/db/db.ts'
import { type ChainProblem, PROBLEMS_MAX } from './verify.ts'

const BATCH_ROWS = 1_000

/** Stores the ends of all chains that grew since they were stored last. The first time these are all chains there are. */
export async function storeHeads(tx: Tx, anchor: number): Promise<void> {
  await tx.query(`set local statement_timeout = '8min'`)
  await tx.query(
    `insert into audit_anchored (account_id, seq, head_hash, anchor)
     select account_id, entries, head_hash, $1::bigint from audit_chain chain
     where entries > coalesce(
       (select seq from audit_anchored where account_id = chain.account_id order by seq desc limit 1), 0)`,
    [anchor],
  )
}

/**
 * Returns the digest of an anchor: over the one before it, and a line of JSON for each end of a chain, which is the same for no
 * other rows.
 */
export async function digestHeads(
  db: Db,
  { anchor, previous }: { anchor: number; previous: Buffer },
): Promise<{ chains: number; digest: Buffer }> {
  const digest = createHash('sha256').update(previous)
  let [chains, after] = [0, '']
  for (;;) {
    const rows = await db.query<{ accountId: string; seq: number; headHash: Buffer }>(
      `select account_id as "accountId", seq::float8 as seq, head_hash as "headHash" from audit_anchored
       where anchor = $1 and account_id collate "C" > $2 order by account_id collate "C" limit ${BATCH_ROWS}`,
      [anchor, after],
    )
    for (const { accountId, seq, headHash } of rows) {
      digest.update(`${JSON.stringify([accountId, seq, headHash.toString('hex')])}\n`)
    }
    chains += rows.length
    after = rows.at(-1)?.accountId ?? ''
    if (rows.length < BATCH_ROWS) return { chains, digest: digest.digest() }
  }
}

interface Compared {
  accountId: string
  seq: number
  anchor: number
  anchored: Buffer
  /** The entry that is at this position now; null where there is none. */
  id: string | null
  hash: Buffer | null
}

/** Compares what was stored with the chains as they are, and returns the first difference of each account. */
export async function compareHeads(db: Db, accountId: string | null): Promise<ChainProblem[]> {
  const problems: ChainProblem[] = []
  let after: Pick<Compared, 'accountId' | 'seq'> = { accountId: '', seq: 0 }
  while (problems.length < PROBLEMS_MAX) {
    const rows = await db.query<Compared>(
      `select anchored.account_id as "accountId", anchored.seq::float8 as seq, anchor::float8 as anchor,
         anchored.head_hash as anchored, event.id::text as id, event.entry_hash as hash
       from (
         select * from audit_anchored
         where (account_id, seq) > ($1, $2) and ($3::text is null or account_id = $3)
         order by account_id, seq limit ${BATCH_ROWS}
       ) anchored left join audit_event event on event.account_id = anchored.account_id and event.seq = anchored.seq
       order by anchored.account_id, anchored.seq`,
      [after.accountId, after.seq, accountId],
    )
    for (const row of rows) {
      const isKnown = problems.at(-1)?.accountId === row.accountId
      if (!isKnown && row.hash?.equals(row.anchored) !== true) problems.push(describe(row))
    }
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_ROWS) break
    after = last
  }
  return problems.slice(0, PROBLEMS_MAX)
}

function describe({ accountId, seq, id, anchor }: Compared): ChainProblem {
  const what = `the entry that anchor ${anchor} has here`
  if (id === null) return { accountId, kind: 'removed', seq, id, words: `${what} is missing` }
  return { accountId, kind: 'recomputed', seq, id, words: `${what} is another one: the chain was made again since` }
}

/** True where a chain has an entry from between these times. */
export async function hasEntriesBetween(db: Db, { after, before }: { after: Date; before: Date }): Promise<boolean> {
  const text = 'select from audit_event where at > $1 and at < $2 and account_id is not null limit 1'
  return (await db.query(text, [after, before])).length > 0
}

/** True where a chain has an entry from before this time. */
export async function hasEntriesBefore(db: Db, at: Date): Promise<boolean> {
  const rows = await db.query('select from audit_event where at < $1 and account_id is not null limit 1', [at])
  return rows.length > 0
}
