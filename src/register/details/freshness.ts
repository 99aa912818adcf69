import type { App } from '../../app.ts'
import { STREAM_NAMES, type StreamName } from '../follow/event.ts'

export interface StreamFreshness {
  stream: StreamName
  /** At most this far behind the register; null while the stream was never followed. */
  lagSeconds: number | null
  lastEventAt: Date | null
  timepoint: number | null
  /** Since when events are missing; null when none are. */
  gapSince: Date | null
  isFollowed: boolean
}

export interface Freshness {
  streams: StreamFreshness[]
  snapshot: { asOf: string | null; finishedAt: Date; rows: number } | null
}

export async function readFreshness({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<Freshness> {
  const rows = await db.query<{
    name: StreamName
    current_until: Date | null
    last_event_at: Date | null
    timepoint: number | null
    gap_since: Date | null
    is_followed: boolean
  }>(
    `select name, current_until, last_event_at, timepoint, gap_since, lease_until > now() as is_followed from register_stream`,
  )
  const [snapshot] = await db.query<{ as_of: string | null; finished_at: Date; rows_read: number }>(
    `select as_of, finished_at, rows_read from register_snapshot where state = 'finished' order by id desc limit 1`,
  )
  const now = clock.now().getTime()
  const streams = STREAM_NAMES.map((stream): StreamFreshness => {
    const row = rows.find((candidate) => candidate.name === stream)
    const current = row?.current_until?.getTime()
    return {
      stream,
      lagSeconds: current === undefined ? null : Math.max(0, Math.round((now - current) / 1_000)),
      lastEventAt: row?.last_event_at ?? null,
      timepoint: row?.timepoint ?? null,
      gapSince: row?.gap_since ?? null,
      isFollowed: row?.is_followed ?? false,
    }
  })
  const { as_of: asOf, finished_at: finishedAt, rows_read: read } = snapshot ?? {}
  return { streams, snapshot: finishedAt ? { asOf: asOf ?? null, finishedAt, rows: read ?? 0 } : null }
}
