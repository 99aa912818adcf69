import type { App } from '../app.ts'
import type { Tx } from '../lib/db/db.ts'

/** Every table with rows about an account, and what of them is given out: all but secrets and their hashes. */
export const EXPORTED: ReadonlyArray<{ table: string; text: string }> = [
  { table: 'account', text: `select to_jsonb(t) - 'password_hash' as row from account t where id = $1` },
  {
    table: 'api_key',
    text: `select to_jsonb(t) - '{hash,sealed}'::text[] as row from api_key t where account_id = $1 order by id`,
  },
  {
    table: 'one_time_token',
    text: `select to_jsonb(t) - 'hash' as row from one_time_token t where account_id = $1 order by created_at`,
  },
  { table: 'ended_session', text: 'select to_jsonb(t) as row from ended_session t where account_id = $1 order by id' },
  {
    table: 'familiar_address',
    text: `select to_jsonb(t) - 'block_hash' as row from familiar_address t where account_id = $1 order by seen_at`,
  },
  { table: 'audit_event', text: 'select to_jsonb(t) as row from audit_event t where account_id = $1 order by id' },
  { table: 'credit_balance', text: 'select to_jsonb(t) as row from credit_balance t where account_id = $1' },
  { table: 'credit_hold', text: 'select to_jsonb(t) as row from credit_hold t where account_id = $1 order by id' },
  { table: 'ledger_entry', text: 'select to_jsonb(t) as row from ledger_entry t where account_id = $1 order by id' },
  { table: 'usage_day', text: 'select to_jsonb(t) as row from usage_day t where account_id = $1 order by day' },
  { table: 'spending_cap', text: 'select to_jsonb(t) as row from spending_cap t where account_id = $1 order by id' },
  {
    table: 'spending_day',
    text: `select to_jsonb(t) as row from spending_day t
      where cap_id in (select id from spending_cap where account_id = $1) order by cap_id, day`,
  },
  { table: 'connection', text: 'select to_jsonb(t) as row from connection t where account_id = $1 order by id' },
  {
    table: 'oauth_payload',
    text: `select to_jsonb(t) - '{id_hash,sealed,uid,grant_id}'::text[] as row from oauth_payload t
      where account_id = $1 order by created_at`,
  },
  {
    table: 'idempotency_key',
    text: `select to_jsonb(t) - '{fingerprint,answer_sealed}'::text[] as row from idempotency_key t
      where account_id = $1 order by key`,
  },
  {
    table: 'notification_setting',
    text: 'select to_jsonb(t) as row from notification_setting t where account_id = $1',
  },
  { table: 'paid_fact', text: 'select to_jsonb(t) as row from paid_fact t where account_id = $1' },
  {
    table: 'refund_request',
    text: 'select to_jsonb(t) as row from refund_request t where account_id = $1 order by requested_at',
  },
  { table: 'paid_subject', text: 'select to_jsonb(t) as row from paid_subject t where account_id = $1' },
  {
    table: 'resolution_job',
    text: 'select to_jsonb(t) as row from resolution_job t where account_id = $1 order by id',
  },
  { table: 'bulk', text: 'select to_jsonb(t) as row from bulk t where account_id = $1 order by id' },
  {
    table: 'bulk_row',
    text: `select to_jsonb(t) as row from bulk_row t
      where bulk_id in (select id from bulk where account_id = $1) order by bulk_id, row`,
  },
  { table: 'review_item', text: 'select to_jsonb(t) as row from review_item t where account_id = $1 order by id' },
  {
    table: 'review_decision',
    text: 'select to_jsonb(t) as row from review_decision t where account_id = $1 order by decided_at',
  },
  { table: 'blocked_pair', text: 'select to_jsonb(t) as row from blocked_pair t where account_id = $1' },
  { table: 'watchlist', text: 'select to_jsonb(t) as row from watchlist t where account_id = $1' },
  {
    table: 'watch',
    text: `select to_jsonb(t) as row from watch t
      where watchlist_id in (select id from watchlist where account_id = $1) order by watched_at`,
  },
  {
    table: 'watched_signal',
    text: `select to_jsonb(t) as row from watched_signal t
      where watchlist_id in (select id from watchlist where account_id = $1) order by detected_at`,
  },
  {
    table: 'webhook_destination',
    text: `select to_jsonb(t) - '{secret_sealed,previous_secret_sealed}'::text[] as row from webhook_destination t
      where account_id = $1 order by id`,
  },
  {
    table: 'webhook_delivery',
    text: `select to_jsonb(t) as row from webhook_delivery t
      where destination_id in (select id from webhook_destination where account_id = $1)`,
  },
  {
    table: 'webhook_attempt',
    text: `select to_jsonb(t) as row from webhook_attempt t
      where destination_id in (select id from webhook_destination where account_id = $1) order by id`,
  },
]

const BATCH_ROWS = 500

/** Calls `write` with each row held about an account, in one view of the database. Returns how many there were. */
export async function exportAccount(
  app: App,
  accountId: string,
  write: (line: { table: string; row: unknown }) => void,
): Promise<number> {
  return app.db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    let count = 0
    for (const { table, text } of EXPORTED) count += await walk(tx, text, accountId, (row) => write({ table, row }))
    return count
  })
}

/** By a cursor, so that an account of any size takes the memory of one batch. */
async function walk(tx: Tx, text: string, accountId: string, write: (row: unknown) => void): Promise<number> {
  await tx.query(`declare exported no scroll cursor for ${text}`, [accountId])
  let count = 0
  for (;;) {
    const rows = await tx.query<{ row: unknown }>(`fetch ${BATCH_ROWS} from exported`)
    for (const { row } of rows) write(row)
    count += rows.length
    if (rows.length < BATCH_ROWS) break
  }
  await tx.query('close exported')
  return count
}
