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
  /** The newest file of each kind that was loaded: companies, all owners, figures of accounts. */
  snapshot: LoadedFile | null
  owners: LoadedFile | null
  figures: LoadedFile | null
}

export interface LoadedFile {
  asOf: string | null
  finishedAt: Date
  rows: number
}

export async function readFreshness({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<Freshness> {
  const rows = await db.query<Omit<StreamFreshness, 'lagSeconds'> & { currentUntil: Date | null }>(
    `select name as stream, current_until as "currentUntil", last_event_at as "lastEventAt", timepoint,
       gap_since as "gapSince", lease_until > now() as "isFollowed"
     from register_stream`,
  )
  const files = await db.query<LoadedFile & { product: string }>(
    `select file.* from unnest(array['companies', 'pscs', 'figures']) as kind (of)
     cross join lateral (
       select product, as_of as "asOf", finished_at as "finishedAt", rows_read as rows from register_snapshot
       where product = kind.of and state = 'finished'
       order by case product when 'figures' then as_of end desc nulls last, id desc limit 1) as file`,
  )
  const findFile = (of: string): LoadedFile | null => {
    const file = files.find(({ product }) => product === of)
    return file ? { asOf: file.asOf, finishedAt: file.finishedAt, rows: file.rows } : null
  }
  const now = clock.now().getTime()
  const streams = STREAM_NAMES.map((stream): StreamFreshness => {
    const { currentUntil, ...row } = rows.find((known) => known.stream === stream) ?? NEVER_FOLLOWED
    const lagSeconds = currentUntil && Math.max(0, Math.round((now - currentUntil.getTime()) / 1_000))
    return { stream, lagSeconds, ...row }
  })
  return { streams, snapshot: findFile('companies'), owners: findFile('pscs'), figures: findFile('figures') }
}

const NEVER_FOLLOWED = { currentUntil: null, lastEventAt: null, timepoint: null, gapSince: null, isFollowed: false }
