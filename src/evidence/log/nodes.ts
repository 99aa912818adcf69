import type { Db } from '../../lib/db/db.ts'
import type { FindNode, NodePosition } from './tree.ts'

const nameOf = ({ level, index }: NodePosition) => `${level}:${index}`

/** Reads these subtrees in one statement. The result is undefined for one that the log does not have. */
export async function findNodes(
  db: Db,
  positions: readonly NodePosition[],
): Promise<(position: NodePosition) => Buffer | undefined> {
  const rows = await db.query<NodePosition & { hash: Buffer }>(
    `select node.level, node.index, node.hash from unnest($1::smallint[], $2::bigint[]) asked (level, index)
     join evidence_node node on node.level = asked.level and node.index = asked.index`,
    [positions.map(({ level }) => level), positions.map(({ index }) => index)],
  )
  const hashes = new Map(rows.map((row) => [nameOf(row), row.hash]))
  return (position) => hashes.get(nameOf(position))
}

/** The same; the result throws for one that the log does not have. */
export async function readNodes(db: Db, positions: readonly NodePosition[]): Promise<FindNode> {
  const find = await findNodes(db, positions)
  return (position) => {
    const hash = find(position)
    if (!hash) throw new Error(`the log of evidence records has no node ${nameOf(position)}`)
    return hash
  }
}
