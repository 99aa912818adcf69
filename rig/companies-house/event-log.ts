/** The events of one stream: numbered without gaps, kept for a while and then forgotten from the oldest on. */
import type { Clock } from '../../src/lib/clock.ts'

/** The streams with the timepoint the simulation starts after; the numbers of the real ones at some moment. */
export const STREAM_STARTS = {
  companies: 68_805_561,
  filings: 176_128_179,
  officers: 10_723_763,
  'persons-with-significant-control': 5_774_978,
  'persons-with-significant-control-statements': 1_204_311,
  charges: 1_660_556,
  'insolvency-cases': 3_654_082,
  'company-exemptions': 2_401,
} as const

export type StreamName = keyof typeof STREAM_STARTS

export interface RegisterEvent {
  kind: string
  uri: string
  id: string
  data: unknown
  fieldsChanged?: string[]
  isDeletion?: true
}

export interface Retention {
  ms: number
  eventsMax: number
}

export class EventLog {
  #firstTimepoint: number
  #lines: { line: string; at: number }[] = []
  readonly #clock: Clock
  readonly #retention: Retention
  readonly #listeners = new Set<() => void>()

  constructor(options: { start: number; clock: Clock; retention: Retention }) {
    this.#firstTimepoint = options.start + 1
    this.#clock = options.clock
    this.#retention = options.retention
  }

  append(event: RegisterEvent): void {
    const at = this.#clock.now()
    this.#lines.push({ line: toLine(event, this.head + 1, at), at: at.getTime() })
    // With some slack, because taking from the front of a long list costs more than keeping a few too many.
    if (this.#lines.length > this.#retention.eventsMax * 1.1) this.#forget()
    for (const listener of this.#listeners) listener()
  }

  /** The timepoint of the newest event. */
  get head(): number {
    return this.#firstTimepoint + this.#lines.length - 1
  }

  /** Whether a replay from here on would miss nothing. */
  isRetained(timepoint: number): boolean {
    this.#forget()
    return timepoint >= this.#firstTimepoint && timepoint <= this.head + 1
  }

  lineAt(timepoint: number): string | undefined {
    return this.#lines[timepoint - this.#firstTimepoint]?.line
  }

  /** Calls back after every new event until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  forgetAll(): void {
    this.#firstTimepoint = this.head + 1
    this.#lines = []
  }

  #forget(): void {
    const oldest = this.#clock.now().getTime() - this.#retention.ms
    const firstYoung = this.#lines.findIndex(({ at }) => at >= oldest)
    const tooOld = firstYoung === -1 ? this.#lines.length : firstYoung
    const count = Math.max(tooOld, this.#lines.length - this.#retention.eventsMax)
    if (count === 0) return
    this.#lines.splice(0, count)
    this.#firstTimepoint += count
  }
}

function toLine(event: RegisterEvent, timepoint: number, at: Date): string {
  const envelope = {
    resource_kind: event.kind,
    resource_uri: event.uri,
    resource_id: event.id,
    data: withSortedMembers(event.data),
    event: {
      ...(event.fieldsChanged ? { fields_changed: event.fieldsChanged } : {}),
      timepoint,
      // UTC without saying so.
      published_at: at.toISOString().slice(0, 19),
      type: event.isDeletion ? 'deleted' : 'changed',
    },
  }
  // Go's encoder, which writes the real stream, escapes these three in every string.
  return JSON.stringify(envelope).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026')
}

function withSortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedMembers)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, withSortedMembers(member)]))
}
