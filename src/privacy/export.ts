import { recordAudit } from '../accounts/index.ts'
import type { App } from '../app.ts'
import type { Tx } from '../lib/db/db.ts'

interface Exported {
  /** Which rows; by default those with the account's id. */
  rows?: string
  /** Columns that are not given out: secrets and their hashes. */
  without?: string
  order?: string
  /** How many rows memory holds at once. */
  batch?: number
}

export const OF_WATCHLIST = 'watchlist_id in (select id from watchlist where account_id = $1)'
export const OF_DESTINATION = 'destination_id in (select id from webhook_destination where account_id = $1)'

const BATCH_ROWS = 500

/** Every table with rows about an account, and what of them is given out. */
const TABLES: ReadonlyArray<[table: string, exported: Exported]> = [
  ['account', { rows: 'id = $1', without: 'password_hash' }],
  ['api_key', { without: 'hash, sealed', order: 'id' }],
  ['one_time_token', { without: 'hash', order: 'created_at' }],
  ['ended_session', { order: 'id' }],
  ['familiar_address', { without: 'block_hash', order: 'seen_at' }],
  ['audit_chain', {}],
  ['audit_anchored', { order: 'seq' }],
  ['audit_event', { without: 'origin_salt, content_salt', order: 'id' }],
  ['credit_balance', {}],
  ['credit_hold', { order: 'id' }],
  ['ledger_entry', { order: 'id' }],
  ['usage_day', { order: 'day' }],
  ['spending_cap', { order: 'id' }],
  ['spending_day', { rows: 'cap_id in (select id from spending_cap where account_id = $1)', order: 'cap_id, day' }],
  ['connection', { order: 'id' }],
  ['oauth_payload', { without: 'id_hash, sealed, uid, grant_id', order: 'created_at' }],
  ['idempotency_key', { without: 'fingerprint, answer_sealed', order: 'key' }],
  ['notification_setting', {}],
  ['saved_view', { order: 'path, name' }],
  ['paid_fact', {}],
  ['refund_request', { order: 'requested_at' }],
  ['paid_subject', {}],
  ['resolution_job', { order: 'id' }],
  ['bulk', { order: 'id' }],
  ['bulk_row', { rows: 'bulk_id in (select id from bulk where account_id = $1)', order: 'bulk_id, row' }],
  ['bulk_cells', { rows: 'bulk_id in (select id from bulk where account_id = $1)', order: 'bulk_id, row' }],
  // A row is a customer's file of up to 25 MB, which no other way out has.
  ['bulk_file', { order: 'id', batch: 1 }],
  ['bulk_mapping', { order: 'header_key' }],
  ['review_item', { order: 'id' }],
  ['review_decision', { order: 'decided_at' }],
  ['blocked_pair', {}],
  ['account_answer', { order: 'at' }],
  ['share_link', { without: 'token_hash', order: 'made_at' }],
  ['evidence_record', { order: 'made_at' }],
  ['watchlist', {}],
  ['watch', { rows: OF_WATCHLIST, order: 'watched_at' }],
  ['watch_note', { rows: OF_WATCHLIST, order: 'company_number' }],
  ['company_list', { rows: OF_WATCHLIST, order: 'key' }],
  ['company_list_member', { rows: OF_WATCHLIST, order: 'list_key, company_number' }],
  ['signal_mark', { rows: OF_WATCHLIST, order: 'detected_at' }],
  [
    'list_calendar',
    { rows: `list_key in (select key from company_list where ${OF_WATCHLIST})`, without: 'token_hash' },
  ],
  ['list_email', { rows: OF_WATCHLIST, order: 'list_key' }],
  ['instant_signal', { rows: `list_key in (select key from company_list where ${OF_WATCHLIST})`, order: 'signal_id' }],
  ['watched_signal', { rows: OF_WATCHLIST, order: 'detected_at' }],
  ['audit_stream', {}],
  ['webhook_destination', { without: 'secret_sealed, previous_secret_sealed, address_sealed', order: 'id' }],
  ['webhook_delivery', { rows: OF_DESTINATION }],
  ['webhook_attempt', { rows: OF_DESTINATION, order: 'id' }],
]

export const EXPORTED = TABLES.map(([table, { rows = 'account_id = $1', without = '', order, batch = BATCH_ROWS }]) => {
  const text = `select to_jsonb(t) - '{${without}}'::text[] as row from ${table} t where ${rows}`
  return { table, batch, text: order === undefined ? text : `${text} order by ${order}` }
})

/** Calls `write` with each row held about an account, in one view of the database. Returns how many there were. */
export async function exportAccount(
  app: App,
  accountId: string,
  write: (line: { table: string; row: unknown }) => void,
): Promise<number> {
  await recordAudit(app.db, { at: app.clock.now(), accountId, action: 'account_exported', origin: null })
  return app.db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    let count = 0
    for (const { table, ...query } of EXPORTED) {
      count += await walk(tx, query, accountId, (row) => write({ table, row }))
    }
    return count
  })
}

/** By a cursor, so that an account of any size takes the memory of one batch. */
async function walk(
  tx: Tx,
  { text, batch }: { text: string; batch: number },
  accountId: string,
  write: (row: unknown) => void,
): Promise<number> {
  await tx.query(`declare exported no scroll cursor for ${text}`, [accountId])
  let count = 0
  for (;;) {
    const rows = await tx.query<{ row: unknown }>(`fetch ${batch} from exported`)
    for (const { row } of rows) write(row)
    count += rows.length
    if (rows.length < batch) break
  }
  await tx.query('close exported')
  return count
}
