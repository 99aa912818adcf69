import type { App } from '../../src/app.ts'
import { PROMPT_VERSION } from '../../src/resolver/index.ts'
import { recordMeasure } from '../../src/second-reader/index.ts'

/** Records that a simulated model was measured and passed, as `nameplated second-reader evaluate` does for a real one. */
export async function passModel({ db }: Pick<App, 'db'>, { model, world }: { model: string; world: string }) {
  const measure = { model, world, promptVersion: PROMPT_VERSION, measuredAt: new Date() }
  await recordMeasure(db, { ...measure, task: 'find', asked: 300, rightChanges: 20, wrongChanges: 0 })
  await recordMeasure(db, { ...measure, task: 'check', asked: 600, rightChanges: 0, wrongChanges: 1 })
}
