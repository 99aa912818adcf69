import { join } from 'node:path'
import type { App } from '../../app.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { writeArchived } from './archive.ts'

const FILE_ANSWERS = 200

interface Month {
  name: string
  startsAt: Date
  endsAt: Date
}

/**
 * Moves the answers of old months to the archive, except those that other rows refer to. Safe to run twice and to end at any
 * moment: a month leaves the table once all its answers are in files.
 */
export async function archiveOldAnswers(app: App, _: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
  const { archive } = app.config
  if (archive === null) return
  for (const month of await listOldMonths(app, archive.afterMonths)) {
    while ((await archiveNext(app, month, archive.directory)) > 0) signal.throwIfAborted()
    const [row] = await app.db.query<{ kept: number }>('select retire_answers($1) as kept', [month.name])
    app.log.info({ event: 'resolution.archived', month: month.name, kept: row?.kept })
  }
}

async function listOldMonths({ db, clock }: App, afterMonths: number): Promise<Month[]> {
  return db.query<Month>(
    `select name, starts_at::text as "startsAt", ends_at as "endsAt"
     from old_answer_months($1::timestamptz - make_interval(months => $2))`,
    [clock.now(), afterMonths],
  )
}

/** Writes the next file of a month. Returns how many answers it has. */
async function archiveNext({ db, clock }: App, month: Month, directory: string): Promise<number> {
  const answers = await db.query<{ id: string; line: string }>(
    `select id, to_json(resolution)::text as line from resolution
     where resolved_at >= $2 and resolved_at < $3
       and id > coalesce((select max(last_id) from archived_file where month = $1), '')
     order by id limit $4`,
    [month.name, month.startsAt, month.endsAt, FILE_ANSWERS],
  )
  const [first, last] = [answers[0], answers.at(-1)]
  if (!first || !last) return 0
  const path = join(month.name, `${first.id}.jsonl.zst`)
  const lines = answers.map(({ line }) => line)
  const sha256 = await writeArchived(join(directory, path), lines)
  await db.query(
    `insert into archived_file (month, first_id, last_id, path, answers, sha256, archived_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    [month.name, first.id, last.id, path, answers.length, sha256, clock.now()],
  )
  return answers.length
}
