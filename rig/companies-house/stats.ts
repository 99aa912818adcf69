/** Counts requests, for tests that check how gently the product treats the register. */
import type { StreamName } from './event-log.ts'

export interface ServedRequest {
  /** By the simulator's clock, in milliseconds. */
  at: number
  key: string | null
  path: string
  status: number
}

const KEPT_MAX = 200_000

export class ChannelStats {
  total = 0
  readonly byStatus: Record<number, number> = {}
  /** Oldest first; connections that were dropped without an answer have status 0. */
  readonly requests: ServedRequest[] = []

  record(request: ServedRequest): void {
    this.total += 1
    this.byStatus[request.status] = (this.byStatus[request.status] ?? 0) + 1
    this.requests.push(request)
    if (this.requests.length > KEPT_MAX) this.requests.splice(0, KEPT_MAX / 10)
  }

  /** The most requests that any window of this length saw, wherever it starts. */
  busiestWindow(windowMs: number, key?: string): number {
    const times = this.requests.filter((each) => key === undefined || each.key === key).map(({ at }) => at)
    let first = 0
    let most = 0
    for (const [index, at] of times.entries()) {
      while ((times[first] ?? at) <= at - windowMs) first += 1
      most = Math.max(most, index - first + 1)
    }
    return most
  }
}

export class StreamStats extends ChannelStats {
  readonly connections: Partial<Record<StreamName, { opened: number; open: number; lines: number }>> = {}

  of(stream: StreamName): { opened: number; open: number; lines: number } {
    return (this.connections[stream] ??= { opened: 0, open: 0, lines: 0 })
  }
}

export class Stats {
  readonly rest = new ChannelStats()
  readonly stream = new StreamStats()
  readonly document = new ChannelStats()
}
