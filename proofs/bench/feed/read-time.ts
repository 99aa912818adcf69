/** The two ways of a feed that is not kept: put together from signals and watches when it is read. */
import pg from 'pg'
import { SIGNAL_COLUMNS } from '../../../src/signals/signals.ts'

export interface Reading {
  watchlistId: number
  limit: number
  signalType?: string
}

const OF_TYPE = 'and ($3::text is null or signal.signal_type = $3)'

export const READ_TIME = {
  /** The newest of each watched company, and of those the newest. */
  lateral: `select told.* from watch cross join lateral (
      select ${SIGNAL_COLUMNS} from signal
      where signal.company_number = watch.company_number and signal.detected_at >= watch.watched_at ${OF_TYPE}
      order by signal.detected_at desc, signal.id desc limit $2
    ) told
    where watch.watchlist_id = $1 order by told.detected_at desc, told.id desc limit $2`,
  /** All signals from the newest on, until enough of them are watched. */
  walk: `select ${SIGNAL_COLUMNS} from signal
    where exists (
      select from watch where watch.watchlist_id = $1 and watch.company_number = signal.company_number
        and signal.detected_at >= watch.watched_at) ${OF_TYPE}
    order by signal.detected_at desc, signal.id desc limit $2`,
} as const

export type ReadTimeWay = keyof typeof READ_TIME

const TIMEOUT_MS = 3_000

export class ReadTimeFeed {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(url: string): Promise<ReadTimeFeed> {
    const client = new pg.Client({ connectionString: url, statement_timeout: TIMEOUT_MS })
    await client.connect()
    return new ReadTimeFeed(client)
  }

  /** How long one reading takes; one that is cut off counts as long as it was let. Planned for its own list each time. */
  async time(way: ReadTimeWay, { watchlistId, limit, signalType }: Reading): Promise<number> {
    const startedMs = performance.now()
    try {
      await this.#client.query(READ_TIME[way], [watchlistId, limit, signalType ?? null])
    } catch (error) {
      if ((error as { code?: string }).code !== '57014') throw error
    }
    return performance.now() - startedMs
  }

  async close(): Promise<void> {
    await this.#client.end()
  }
}
