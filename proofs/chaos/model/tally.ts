/** Counts what ran. */
export class Tally {
  readonly #outcomes = new Map<string, Map<string, number>>()
  #steps = 0
  #checks = 0
  #sequences = 0

  get steps(): number {
    return this.#steps
  }

  get checks(): number {
    return this.#checks
  }

  get sequences(): number {
    return this.#sequences
  }

  get kinds(): number {
    return this.#outcomes.size
  }

  countStep(kind: string, outcome: string): void {
    this.#steps += 1
    const outcomes = this.#outcomes.get(kind) ?? new Map<string, number>()
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    this.#outcomes.set(kind, outcomes)
  }

  addChecks(count: number): void {
    this.#checks += count
  }

  countSequence(): void {
    this.#sequences += 1
  }

  /** Returns a table of how often each command ran, with its results. */
  toMarkdown(): string {
    const lines = [...this.#outcomes]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([kind, outcomes]) => {
        const counted = [...outcomes].sort(([, a], [, b]) => b - a)
        const sum = counted.reduce((total, [, count]) => total + count, 0)
        return `| ${kind} | ${sum} | ${counted.map(([outcome, count]) => `${outcome} ${count}`).join(', ')} |`
      })
    return ['| command | ran | what came of it |', '|---|---:|---|', ...lines].join('\n')
  }
}
