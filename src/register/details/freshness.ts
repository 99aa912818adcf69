import type { App } from '../../app.ts'
import { STREAM_NAMES, type StreamName } from '../follow/streams.ts'

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
  const rows = await db.query<Omit<StreamFreshness, 'lagSeconds'> & { currentUntil: Date | null }>(
    `select name as stream, current_until as "currentUntil", last_event_at as "lastEventAt", timepoint,
       gap_since as "gapSince", lease_until > now() as "isFollowed"
     from register_stream`,
  )
  const [snapshot = null] = await db.query<NonNullable<Freshness['snapshot']>>(
    `select as_of as "asOf", finished_at as "finishedAt", rows_read as rows from register_snapshot
     where product = 'companies' and state = 'finished' order by id desc limit 1`,
  )
  const now = clock.now().getTime()
  const streams = STREAM_NAMES.map((stream): StreamFreshness => {
    const { currentUntil, ...row } = rows.find((known) => known.stream === stream) ?? NEVER_FOLLOWED
    const lagSeconds = currentUntil && Math.max(0, Math.round((now - currentUntil.getTime()) / 1_000))
    return { stream, lagSeconds, ...row }
  })
  return { streams, snapshot }
}

const NEVER_FOLLOWED = { currentUntil: null, lastEventAt: null, timepoint: null, gapSince: null, isFollowed: false }
