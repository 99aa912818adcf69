/** Entries after the log's size or its newest head, and records that the log does not have. */
import type { App } from '../../app.ts'
import { readSize } from '../log/heads.ts'
import type { Say } from './log-problem.ts'

const UNLOGGED_MAX = 20
/** A job publishes a head every day; one run may fail. */
const HEAD_WITHIN_MS = 2 * 86_400_000

export async function checkEnds(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { size, entries }: { size: number; entries: number },
  say: Say,
): Promise<void> {
  const [newest] = await db.query<{ size: number }>('select size from evidence_head order by size desc limit 1')
  const now = await readSize(db)
  if (newest && newest.size > now) {
    say(
      'entries_removed',
      `head of ${newest.size}`,
      `A head of ${newest.size} entries was published, and the log has ${now}.`,
    )
  }
  const [uncovered] = await db.query<{ index: number; appendedAt: Date }>(
    'select index, appended_at as "appendedAt" from evidence_leaf where index >= $1 order by index limit 1',
    [newest?.size ?? 0],
  )
  if (uncovered && uncovered.appendedAt.getTime() < clock.now().getTime() - HEAD_WITHIN_MS) {
    say(
      'head_missing',
      `entry ${uncovered.index}`,
      'No published head has it two days later: heads were removed, or the job that publishes them did not run.',
    )
  }
  const [beyond] = await db.query<{ index: number }>(
    'select index from evidence_leaf where index >= (select size from evidence_log) order by index limit 1',
  )
  if (beyond) say('size_changed', `entry ${beyond.index}`, `The log has entries beyond its size of ${size}.`)
  if (entries > size) say('size_changed', 'log', 'The log has more entries than its size says.')
  const unlogged = await db.query<{ id: string }>(
    `select record.id from evidence_record record
     where not exists (select from evidence_leaf leaf where leaf.record_id = record.id) limit $1`,
    [UNLOGGED_MAX],
  )
  for (const { id } of unlogged) say('record_not_logged', id, 'This record is not in the log.')
}
