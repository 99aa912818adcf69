/** A fault of a response, reported once for each operation and kind with the first request that showed it. */
export interface Finding {
  operation: string
  kind: FindingKind
  detail: string
  /** The number of the request; with the seed, it makes the same one again. */
  request: number
  sent: string
  answered: string
}

export type FindingKind =
  | 'server error'
  | 'busy'
  | 'hang'
  | 'undocumented status'
  | 'schema mismatch'
  | 'inner words'
  | 'header missing'
  | 'script on a page'
  | 'connection dropped'

export class Findings {
  readonly #counts = new Map<FindingKind, number>()
  readonly #first = new Map<string, Finding>()
  readonly #onFirst: (finding: Finding) => void

  constructor(onFirst: (finding: Finding) => void) {
    this.#onFirst = onFirst
  }

  add(finding: Finding): void {
    this.#counts.set(finding.kind, this.count(finding.kind) + 1)
    const key = `${finding.operation} ${finding.kind}`
    if (this.#first.has(key)) return
    this.#first.set(key, finding)
    this.#onFirst(finding)
  }

  count(kind: FindingKind): number {
    return this.#counts.get(kind) ?? 0
  }

  list(): Finding[] {
    return [...this.#first.values()]
  }
}

const SHOWN_MAX = 600

export function describeFinding(seed: number, finding: Finding): string {
  const { operation, kind, detail, request, sent, answered } = finding
  return [
    `✗ ${kind}: ${operation} (seed ${seed}, request ${request}) ${detail.slice(0, SHOWN_MAX)}`,
    `  → ${sent.slice(0, SHOWN_MAX)}`,
    `  ← ${answered.slice(0, SHOWN_MAX)}`,
  ].join('\n')
}
