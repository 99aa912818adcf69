/**
 * Entries of the audit log as events: each once, in the order of the log, from the moment an account subscribes. Live destinations
 * get those of both modes: they are one chain, and a gap in it means that an entry was removed.
 */
import { listAuditEntries, listAuditHeads, presentAuditEntry } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../lib/db/db.ts'
import { findSubscribers, publishEvents } from './publish.ts'

/** The type that destinations subscribe to. */
export const AUDIT_ENTRY = 'audit_entry'

const STREAMS_MAX = 500
const STREAM_PAGES_MAX = 1_000
const ENTRIES_MAX = 200
const BATCHES_MAX = 50

/** Begins with the entries after this transaction's view of the log. A stream that runs goes on. */
export async function startAuditStream(tx: Tx, accountId: string): Promise<void> {
  const heads = await listAuditHeads(tx, [accountId])
  await tx.query('insert into audit_stream (account_id, published_seq) values ($1, $2) on conflict do nothing', [
    accountId,
    heads.get(accountId) ?? 0,
  ])
}

/** Publishes what is new in all logs with a subscriber. Safe to run again, and twice at once. */
export async function publishAuditEntries(app: App): Promise<void> {
  let after = ''
  for (let page = 0; page < STREAM_PAGES_MAX; page += 1) {
    const streams = await app.db.query<{ accountId: string; seq: number }>(
      `select account_id as "accountId", published_seq::integer as seq from audit_stream
       where account_id > $1 order by account_id limit $2`,
      [after, STREAMS_MAX],
    )
    const heads = await listAuditHeads(
      app.db,
      streams.map(({ accountId }) => accountId),
    )
    for (const { accountId, seq } of streams) {
      if ((heads.get(accountId) ?? 0) > seq) await publishLog(app, accountId)
    }
    const last = streams.at(-1)
    if (!last || streams.length < STREAMS_MAX) return
    after = last.accountId
  }
}

async function publishLog(app: App, accountId: string): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const published = await app.db.transaction((tx) => publishBatch(app, tx, accountId))
    if (published < ENTRIES_MAX) return
  }
}

/** The position moves in the transaction that stores the events, so that each entry becomes one event. */
async function publishBatch(app: App, tx: Tx, accountId: string): Promise<number> {
  const [stream] = await tx.query<{ seq: number }>(
    'select published_seq::integer as seq from audit_stream where account_id = $1 for update',
    [accountId],
  )
  if (!stream) return 0
  if (!(await hasSubscriber(tx, accountId))) {
    await tx.query('delete from audit_stream where account_id = $1', [accountId])
    return 0
  }
  const entries = await listAuditEntries(tx, { accountId, mode: null, after: stream.seq, limit: ENTRIES_MAX })
  const events = entries.map(presentAuditEntry).map((data) => {
    const of = { type: AUDIT_ENTRY, signalType: AUDIT_ENTRY, accountIds: [accountId] } as const
    return { ...of, mode: data.mode, alsoLive: true, data } as const
  })
  await publishEvents(app, tx, events, app.clock.now())
  const last = entries.at(-1)
  if (last) await tx.query('update audit_stream set published_seq = $2 where account_id = $1', [accountId, last.seq])
  return entries.length
}

async function hasSubscriber(tx: Tx, accountId: string): Promise<boolean> {
  const ask = { accountIds: [accountId], signalType: AUDIT_ENTRY }
  if ((await findSubscribers(tx, { ...ask, mode: 'live' })).length > 0) return true
  return (await findSubscribers(tx, { ...ask, mode: 'test' })).length > 0
}
