/** A simulated language model, and the settings with which a test service asks it. */
import type { SimulatedModel } from '../../rig/language-model/index.ts'
import type { SecondReaderConfig } from '../../src/config.ts'

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
