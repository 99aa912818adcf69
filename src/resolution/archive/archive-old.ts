import type { App } from '../../app.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'
import { type ArchivedFile, assertArchived, writeArchived } from './archive.ts'

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
  const failures: unknown[] = []
  for (const month of await listOldMonths(app, archive.afterMonths)) {
    try {
      while ((await archiveNext(app, month, archive.directory)) > 0) signal.throwIfAborted()
      for (const file of await listFiles(app, month)) await assertArchived(archive.directory, file)
      signal.throwIfAborted()
      app.log.info({ event: 'resolution.archived', month: month.name, kept: await retire(app, month) })
    } catch (error) {
      signal.throwIfAborted()
      // The other months do not wait for this one.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function listFiles({ db }: App, { name }: Month): Promise<ArchivedFile[]> {
  return db.query<ArchivedFile>('select path, sha256 from archived_file where month = $1 order by first_id', [name])
}

/** Returns how many answers stay in the table. */
async function retire({ db }: App, { name }: Month): Promise<number> {
  return db.transaction(async (tx) => {
    // It counts all answers of the month and looks for all that refer to them.
    await tx.query(`set local statement_timeout = '10min'`)
    const [row] = await tx.query<{ kept: number }>('select retire_answers($1) as kept', [name])
    return row?.kept ?? 0
  })
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
  const { path, sha256, idHashes } = await writeArchived({ directory, folder: month.name }, answers)
  await db.query(
    `insert into archived_file (month, first_id, last_id, id_hashes, path, answers, sha256, archived_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [month.name, first.id, last.id, idHashes, path, answers.length, sha256, clock.now()],
  )
  return answers.length
}
