/** Which server answered, as the metrics of the API processes say. */
import { createCall } from '../../../rig/call.ts'

export interface ReadCounts {
  replica: number
  primary: number
  /** Why the primary had to answer. */
  reasons: Map<string, number>
  waits: number
  waitSeconds: number
}

/** Sums the counters of the processes. */
export async function countReads(apiUrls: readonly string[]): Promise<ReadCounts> {
  return sumOf(await Promise.all(apiUrls.map(async (url) => parse((await createCall(url)('GET', '/metrics')).text))))
}

function parse(text: string): ReadCounts {
  const counts: ReadCounts = { replica: 0, primary: 0, reasons: new Map(), waits: 0, waitSeconds: 0 }
  for (const [, server, reason = '', value] of text.matchAll(READS)) {
    if (server === 'replica') counts.replica += Number(value)
    else {
      counts.primary += Number(value)
      counts.reasons.set(reason, Number(value))
    }
  }
  counts.waits = Number(/^nameplate_replica_wait_seconds_count (\S+)$/m.exec(text)?.[1] ?? 0)
  counts.waitSeconds = Number(/^nameplate_replica_wait_seconds_sum (\S+)$/m.exec(text)?.[1] ?? 0)
  return counts
}

const READS = /^nameplate_database_reads_total\{server="(\w+)",reason="(\w+)"\} (\d+)$/gm

/** Adds counts up, and takes away what there was before. */
export function sumOf(all: readonly ReadCounts[], before?: ReadCounts): ReadCounts {
  const sum: ReadCounts = { replica: 0, primary: 0, reasons: new Map(), waits: 0, waitSeconds: 0 }
  const add = (counts: ReadCounts, sign: number) => {
    sum.replica += sign * counts.replica
    sum.primary += sign * counts.primary
    sum.waits += sign * counts.waits
    sum.waitSeconds += sign * counts.waitSeconds
    for (const [reason, count] of counts.reasons) sum.reasons.set(reason, (sum.reasons.get(reason) ?? 0) + sign * count)
  }
  for (const counts of all) add(counts, 1)
  if (before) add(before, -1)
  for (const [reason, count] of sum.reasons) if (count === 0) sum.reasons.delete(reason)
  return sum
}
