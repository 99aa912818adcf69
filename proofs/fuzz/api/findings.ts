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

  get kinds(): number {
    return this.#first.size
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

const FAILURES_KEPT = 40

/** Lines of a log that say that something went wrong, out of whatever chunks it comes in. */
export function watchLog(): { onLog: (chunk: Buffer) => void; failures: string[]; failureCount: () => number } {
  const failures: string[] = []
  let count = 0
  let rest = ''
  const onLog = (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!/"level":"?(?:error|fatal|50|60)\b/.test(line)) continue
      count += 1
      if (failures.length < FAILURES_KEPT) failures.push(line)
    }
  }
  return { onLog, failures, failureCount: () => count }
}
