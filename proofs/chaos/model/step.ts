/** A command as fast-check runs it: one step of the model and of the service, and then the books. */
import { deepStrictEqual } from 'node:assert/strict'
import type { AsyncCommand } from 'fast-check'
import { countUp, markdownTable, sum } from '../../../rig/statistics.ts'
import { checkBooks } from './books.ts'
import type { Reply, Stage } from './stage.ts'
import type { Model } from './state.ts'

export interface World {
  stage: Stage
  tally: Tally
}

export interface Step {
  /** For the table of what ran. */
  kind: string
  /** For people, in a failing sequence. */
  words: string
  can?(model: Model): boolean
  /** Returns the result, in a word. */
  run(model: Model, stage: Stage): Promise<string>
}

const TICK_MS = 1_000

export function toCommand(step: Step): AsyncCommand<Model, World> {
  return {
    check: (model) => step.can?.(model) ?? true,
    async run(model, { stage, tally }) {
      model.now += TICK_MS
      stage.setTime(model.now)
      const outcome = await step.run(model, stage)
      tally.checks += await checkBooks(model, stage)
      tally.countStep(step.kind, outcome)
    },
    toString: () => step.words,
  }
}

/** Compares a response with what the model says. */
export function expect(what: string, actual: unknown, expected: unknown): void {
  deepStrictEqual(actual, expected, `${what}: ${JSON.stringify(actual)} and not ${JSON.stringify(expected)}`)
}

export function expectStatus(what: string, reply: Reply, status: number): void {
  const said = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
  if (reply.status !== status) throw new Error(`${what}: ${reply.status} and not ${status}: ${said.slice(0, 300)}`)
}

/** Counts what ran. */
export class Tally {
  steps = 0
  checks = 0
  sequences = 0
  readonly #outcomes = new Map<string, Map<string, number>>()

  get kinds(): number {
    return this.#outcomes.size
  }

  countStep(kind: string, outcome: string): void {
    this.steps += 1
    const outcomes = this.#outcomes.get(kind) ?? new Map<string, number>()
    countUp(outcomes, outcome)
    this.#outcomes.set(kind, outcomes)
  }

  /** Returns a table of how often each command ran, with its results. */
  toMarkdown(): string {
    const kinds = [...this.#outcomes].sort(([a], [b]) => a.localeCompare(b))
    const rows = kinds.map(([kind, outcomes]) => {
      const counted = [...outcomes].sort(([, a], [, b]) => b - a)
      return [kind, sum([...outcomes.values()]), counted.map(([outcome, count]) => `${outcome} ${count}`).join(', ')]
    })
    return markdownTable(['command', 'ran', 'results'], rows)
  }
}
