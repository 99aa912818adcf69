/** Signals that a test key makes on a test company, to try out a receiver. They go the way that real ones go. */
import { randomUUID } from 'node:crypto'
import type { App } from '../../app.ts'
import { addSeconds, toLondonDate } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db/db.ts'
import { publishEvents } from '../../webhooks/index.ts'
import { keyOfFact } from '../detect/detected-signal.ts'
import { findListKeys, insertSignals, toEvent } from '../raise.ts'
import { type Signal, type SignalType, toRowId } from '../signals.ts'
import { addWatches, assertWatchable, changeWatchlist, listWatched } from '../watch/watchlist.ts'
import { TEST_COMPANY, TEST_COMPANY_NUMBERS } from './test-companies.ts'
import { describeTestSignal } from './test-signal-words.ts'

const SOURCE_KIND = 'test'

/**
 * Writes the signal, its row in the feed of the account's test watchlist, and its deliveries to the account's test destinations
 * and listeners: all of it or nothing. Signals are about watched companies, so from here on the test key watches it.
 */
export async function raiseTestSignal(
  app: App,
  request: { accountId: string; companyNumber: string; signalType: SignalType },
): Promise<Signal> {
  const { accountId, companyNumber, signalType } = request
  await assertWatchable(app, { accountId, mode: 'test', number: companyNumber })
  const at = app.clock.now()
  const day = toLondonDate(at)
  const made = {
    companyNumber,
    companyName: TEST_COMPANY.name,
    signalType,
    ...describeTestSignal(signalType, { name: TEST_COMPANY.name, day }),
    occurredOn: day,
    sourceKind: SOURCE_KIND,
    // The job that deletes old test signals finds their feed by it.
    sourceReference: accountId,
    // Never the same twice, however often it is asked for.
    dedupe: keyOfFact(accountId, randomUUID()),
  }
  return changeWatchlist(app, { accountId, mode: 'test' }, async (tx, list) => {
    const isWatched = (await listWatched(tx, list, [companyNumber])).has(companyNumber)
    if (!isWatched) await addWatches(app, tx, list, { numbers: [companyNumber], priority: 1 })
    const [signal] = await insertSignals(tx, [made], at)
    if (!signal) throw new Error('a test signal was not written')
    await feedTestWatchlist(tx, signal, list.id)
    const owners = { accountIds: [accountId], mode: 'test' } as const
    const listKeys = (await findListKeys(tx, [signal], owners)).get(companyNumber) ?? []
    await publishEvents(app, tx, [toEvent(signal, { ...owners, listKeys })], at)
    return signal
  })
}

async function feedTestWatchlist(tx: Tx, signal: Signal, watchlistId: number): Promise<void> {
  await tx.query(
    `insert into watched_signal (watchlist_id, detected_at, signal_id, signal_type, company_number, severity)
     values ($1, $2, $3, $4, $5, $6)`,
    [watchlistId, signal.detectedAt, toRowId(signal.id), signal.signalType, signal.companyNumber, signal.severity],
  )
}

const KEPT_SECONDS = 30 * 86_400
const BATCH_SIGNALS = 5_000
const BATCHES_MAX = 200

/** Deletes test signals of more than 30 days ago from the feeds and the table. Safe to run twice. */
export async function forgetTestSignals(app: App): Promise<void> {
  const before = addSeconds(app.clock.now(), -KEPT_SECONDS)
  let signals = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const forgotten = await forgetBatch(app, before)
    signals += forgotten
    if (forgotten < BATCH_SIGNALS) break
  }
  if (signals > 0) app.log.info({ event: 'signals.test_forgotten', signals })
}

async function forgetBatch({ db }: Pick<App, 'db'>, before: Date): Promise<number> {
  const forgotten = await db.query(
    `with old as (
       delete from signal where id in (
         select id from signal where company_number = any ($1) and detected_at <= $2 and source_kind = $3
         limit ${BATCH_SIGNALS})
       returning id, detected_at, source_reference
     ), unfed as (
       delete from watched_signal using old, watchlist
       where watchlist.account_id = old.source_reference and watchlist.mode = 'test'
         and watched_signal.watchlist_id = watchlist.id and watched_signal.detected_at = old.detected_at
         and watched_signal.signal_id = old.id
     )
     select id from old`,
    [TEST_COMPANY_NUMBERS, before, SOURCE_KIND],
  )
  return forgotten.length
}
