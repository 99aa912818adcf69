/** A simulated language model, and the settings with which a test service asks it. */
import { SimulatedModel } from '../../rig/language-model/index.ts'
import type { App } from '../../src/app.ts'
import type { SecondReaderConfig } from '../../src/config.ts'
import { PROMPT_VERSION } from '../../src/resolver/index.ts'
import { recordMeasure } from '../../src/second-reader/index.ts'

export const MODEL = 'simulated-1'
export const MODEL_KEY = 'sk-simulated-0123456789'

export function readerConfig(model: SimulatedModel, more: Partial<SecondReaderConfig> = {}): SecondReaderConfig {
  return {
    url: new URL(model.url),
    api: 'openai',
    model: MODEL,
    key: MODEL_KEY,
    tasks: ['find', 'check'],
    checksAll: true,
    prices: { input: 1, output: 2 },
    budgetPerDay: 1_000,
    timeoutSeconds: 2,
    ...more,
  }
}

/** Records that the model was measured and passed, as `nameplated second-reader evaluate` does. */
export async function passModel({ db }: Pick<App, 'db'>): Promise<void> {
  const measure = { model: MODEL, promptVersion: PROMPT_VERSION, world: 'exam', measuredAt: new Date() }
  await recordMeasure(db, { ...measure, task: 'find', asked: 300, rightChanges: 20, wrongChanges: 0 })
  await recordMeasure(db, { ...measure, task: 'check', asked: 600, rightChanges: 0, wrongChanges: 1 })
}
