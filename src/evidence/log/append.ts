import { hashNode } from '../../../packages/evidence-check/index.ts'
import type { Tx } from '../../lib/db/db.ts'
import { onlyRow } from '../../lib/db/db.ts'
import { readNodes } from './nodes.ts'
import { completedWith } from './tree.ts'

/** Locks the log until the transaction ends, and returns its size. Appends come one after another. */
export async function lockLog(tx: Tx): Promise<number> {
  return onlyRow(await tx.query<{ size: number }>('select size from evidence_log for update')).size
}

/** Appends a leaf to the log, which the transaction has locked at this size, with the subtrees that it completes. */
export async function appendLeaf(
  tx: Tx,
  leaf: { index: number; recordId: string; accountId: string; hash: Buffer; at: Date },
): Promise<void> {
  const left = completedWith(leaf.index)
  const find = await readNodes(tx, left)
  const nodes = [{ level: 0, index: leaf.index, hash: leaf.hash }]
  for (const [step, neighbour] of left.entries()) {
    const below = nodes[step]?.hash ?? leaf.hash
    nodes.push({ level: step + 1, index: neighbour.index / 2, hash: hashNode(find(neighbour), below) })
  }
  await tx.query(
    'insert into evidence_leaf (index, record_id, account_id, hash, appended_at) values ($1, $2, $3, $4, $5)',
    [leaf.index, leaf.recordId, leaf.accountId, leaf.hash, leaf.at],
  )
  await tx.query(
    `insert into evidence_node (level, index, hash)
     select * from unnest($1::smallint[], $2::bigint[], $3::bytea[])`,
    [nodes.map(({ level }) => level), nodes.map(({ index }) => index), nodes.map(({ hash }) => hash)],
  )
  await tx.query('update evidence_log set size = $1', [leaf.index + 1])
}
