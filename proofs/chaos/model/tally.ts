import { countUp, markdownTable, sum } from '../../../rig/statistics.ts'

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
