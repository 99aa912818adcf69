/** How right models were on labelled worlds. It decides what a model is asked, and the confidence of what it finds. */
import type { App } from '../app.ts'
import type { Db } from '../lib/db/db.ts'
import type { Task } from '../resolver/index.ts'

export interface Measure {
  model: string
  promptVersion: string
  task: Task
  world: string
  asked: number
  /** Matches that it added rightly, or took away rightly. */
  rightChanges: number
  wrongChanges: number
  isPassed: boolean
  measuredAt: Date
}

/** The share of right matches that may be taken away for nothing. A person still sees them. */
const WRONG_OBJECTIONS_MAX = 0.01

/** Returns whether a model is at least as right as the rules: it adds no wrong match, and hardly ever objects wrongly. */
function isGoodEnough({
  task,
  asked,
  rightChanges,
  wrongChanges,
}: Pick<Measure, 'task' | 'asked' | 'rightChanges' | 'wrongChanges'>): boolean {
  if (task === 'find') return rightChanges > 0 && wrongChanges === 0
  return asked > 0 && wrongChanges <= Math.max(rightChanges, asked * WRONG_OBJECTIONS_MAX)
}

/** Replaces what was measured before for this model, these instructions and this task. */
export async function recordMeasure(db: Db, measure: Omit<Measure, 'isPassed'>): Promise<Measure> {
  const isPassed = isGoodEnough(measure)
  const { model, promptVersion, task, world, asked, rightChanges, wrongChanges, measuredAt } = measure
  await db.query(
    `insert into second_reader_measure
       (model, prompt_version, task, world, asked, right_changes, wrong_changes, is_passed, measured_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (model, prompt_version, task) do update
       set world = excluded.world, asked = excluded.asked, right_changes = excluded.right_changes,
         wrong_changes = excluded.wrong_changes, is_passed = excluded.is_passed, measured_at = excluded.measured_at`,
    [model, promptVersion, task, world, asked, rightChanges, wrongChanges, isPassed, measuredAt],
  )
  return { ...measure, isPassed }
}

export async function listMeasures(db: Db, of: { model: string; promptVersion: string }): Promise<Measure[]> {
  return db.query<Measure>(
    `select model, prompt_version as "promptVersion", task, world, asked, right_changes as "rightChanges",
       wrong_changes as "wrongChanges", is_passed as "isPassed", measured_at as "measuredAt"
     from second_reader_measure where model = $1 and prompt_version = $2 order by task`,
    [of.model, of.promptVersion],
  )
}

/** The probability that the next one of its kind is right, after so many right and wrong ones (Laplace). */
export const toProbability = ({ rightChanges, wrongChanges }: Pick<Measure, 'rightChanges' | 'wrongChanges'>): number =>
  (rightChanges + 1) / (rightChanges + wrongChanges + 2)

const READ_AGAIN_MS = 30_000

/** Returns the measures as they were at most half a minute ago. */
export async function readMeasures(
  app: Pick<App, 'db' | 'languageModel'>,
  of: { model: string; promptVersion: string },
): Promise<readonly Measure[]> {
  const { measures } = app.languageModel
  if (measures && performance.now() < measures.readUntilMs) return measures.rows as Measure[]
  const rows = await listMeasures(app.db, of)
  app.languageModel.measures = { rows, readUntilMs: performance.now() + READ_AGAIN_MS }
  return rows
}
