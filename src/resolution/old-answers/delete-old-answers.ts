import type { App } from '../../app.ts'
import type { JobRun } from '../../lib/jobs/jobs.ts'

/** An answer is stored for these months after its own, and as long as something refers to it. */
const KEPT_MONTHS = 13
const BATCH = 1_000
/** A kept month is looked at on one day of so many. */
const LOOK_DAYS = 28
const DAY_MS = 86_400_000

interface Month {
  name: string
  /** Null for a replaced month, which is no partition any more. */
  endsAt: Date | null
  state: 'whole' | 'replaced' | 'kept'
}

/**
 * Deletes the answers of old months that nothing refers to. The others are copied to a partition that takes the month's place. The
 * month itself is dropped in the next run: what someone began to refer to meanwhile is copied by then. Later, answers leave the kept
 * months when nothing refers to them any more. Safe to run twice and to end at any moment.
 */
export async function deleteOldAnswers(app: App, _: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
  const { db, clock, log } = app
  const months = await db.query<Month>(
    `select name, ends_at as "endsAt", state from old_answer_months($1::timestamptz - make_interval(months => $2))`,
    [clock.now(), KEPT_MONTHS],
  )
  for (const { name, endsAt, state } of months) {
    if (state === 'whole') {
      await walk(app, KEEP, name, signal)
      await db.query('select replace_answer_month($1)', [name])
      await walk(app, KEEP, name, signal)
      log.info({ event: 'resolution.month_replaced', month: name })
    }
    if (state === 'replaced') {
      await walk(app, KEEP, name, signal)
      await db.query('select drop_answer_month($1)', [name])
      log.info({ event: 'resolution.month_dropped', month: name })
    }
    if (state === 'kept' && isLookedAt(endsAt, clock.now())) await walk(app, DELETE, name, signal)
  }
}

const KEEP = 'select keep_answers_in_use($1, $2, $3) as "lastId"'
const DELETE = 'select delete_unused_answers($1, $2, $3) as "lastId"'

/** Runs a statement over all answers of a month, so many at a time. */
async function walk({ db }: App, statement: string, month: string, signal: AbortSignal): Promise<void> {
  let afterId: string | null = ''
  while (afterId !== null) {
    signal.throwIfAborted()
    const [row]: Array<{ lastId: string | null }> = await db.query(statement, [month, afterId, BATCH])
    afterId = row?.lastId ?? null
  }
}

/** The months are spread over the days. */
function isLookedAt(endsAt: Date | null, at: Date): boolean {
  const month = endsAt ? endsAt.getUTCFullYear() * 12 + endsAt.getUTCMonth() : 0
  return month % LOOK_DAYS === Math.floor(at.getTime() / DAY_MS) % LOOK_DAYS
}
