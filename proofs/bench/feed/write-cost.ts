/** What keeping the feed costs whoever writes signals: the same signals of companies that are watched and that are not. */
import type { App } from '../../../src/app.ts'
import { onlyRow } from '../../../src/lib/db/db.ts'
import { type NewSignal, raiseSignals } from '../../../src/signals/raise.ts'
import type { Population } from './population.ts'

/** As a drain of the register's changes takes them. */
const BATCH = 500

export interface WriteCost {
  /** Rows of the feed for each signal. */
  rows_per_signal: number
  feed_rows_per_second: number
  /** Of the time to write a signal, how much is for the feed. */
  feed_share: number
  watched_signals_per_second: number
  unwatched_signals_per_second: number
  bytes_per_row: number
}

export async function measureWrites(app: App, population: Population, rounds: number): Promise<WriteCost> {
  const sizes = await measureBytes(app)
  const rowsBefore = await countFeed(app)
  let [watchedMs, unwatchedMs] = [0, 0]
  for (let round = 0; round < rounds; round += 1) {
    watchedMs += await raise(app, (place) => ((round * BATCH + place) * 7_907) % population.companies, round)
    unwatchedMs += await raise(app, (place) => population.companies + round * BATCH + place, round)
  }
  const signals = rounds * BATCH
  const rows = (await countFeed(app)) - rowsBefore
  const perSecond = (count: number, ms: number) => Math.round(count / (ms / 1_000))
  return {
    rows_per_signal: round2(rows / signals),
    feed_rows_per_second: perSecond(rows, Math.max(1, watchedMs - unwatchedMs)),
    feed_share: round2(Math.max(0, 1 - unwatchedMs / watchedMs)),
    watched_signals_per_second: perSecond(signals, watchedMs),
    unwatched_signals_per_second: perSecond(signals, unwatchedMs),
    bytes_per_row: Math.round(sizes.bytes / sizes.rows),
  }
}

async function raise(app: App, companyAt: (place: number) => number, round: number): Promise<number> {
  const signals = Array.from({ length: BATCH }, (_, place) => toSignal(companyAt(place) + 1, `bench ${round}`))
  const startedMs = performance.now()
  await app.db.transaction((tx) => raiseSignals(app, tx, signals, app.clock.now()))
  return performance.now() - startedMs
}

function toSignal(company: number, key: string): NewSignal {
  const name = `COMPANY NUMBER ${company} LIMITED`
  return {
    company_number: String(company).padStart(8, '0'),
    company_name: name,
    signal_type: 'director_appointed',
    severity: 'notice',
    summary: `${name} has told the register of something new.`,
    occurred_on: '2026-06-01',
    changes: [{ field: 'officers', from: null, to: 'SMITH, Jane' }],
    source_kind: 'stream',
    source_reference: 'officers 1',
    key,
    leaving_key: null,
  }
}

async function countFeed({ db }: App): Promise<number> {
  return onlyRow(await db.query<{ rows: number }>('select count(*) as rows from watched_signal')).rows
}

async function measureBytes({ db }: App): Promise<{ bytes: number; rows: number }> {
  return onlyRow(
    await db.query<{ bytes: number; rows: number }>(
      `select pg_total_relation_size('watched_signal') as bytes, count(*) as rows from watched_signal`,
    ),
  )
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
