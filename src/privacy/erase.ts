import { erasePerson, recordAudit, setDisabled, setEnabled } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { pauseBulkJobs } from '../bulk/index.ts'
import { onlyRow } from '../lib/db/db.ts'
import { disableDestinations, enableDestinations } from '../webhooks/index.ts'
import { OF_DESTINATION, OF_WATCHLIST } from './export.ts'

const BATCH_ROWS = 5_000
const BATCHES_MAX = 10_000

/**
 * Tables whose rows belong to an account and are no record, referring tables first, with the columns that identify a row.
 * Ledger, balance, holds, usage and audit log stay, and so do decisions, without their author.
 */
const DELETED: ReadonlyArray<[table: string, key: string, rows?: string]> = [
  ['oauth_payload', 'model, id_hash'],
  ['connection', 'id'],
  ['spending_cap', 'id'],
  ['idempotency_key', 'account_id, key'],
  ['one_time_token', 'hash'],
  ['ended_session', 'id'],
  ['familiar_address', 'account_id, block_hash'],
  ['notification_setting', 'account_id'],
  ['webhook_attempt', 'id', OF_DESTINATION],
  ['webhook_delivery', 'destination_id, event_number', OF_DESTINATION],
  ['audit_stream', 'account_id'],
  ['webhook_destination', 'id'],
  ['list_calendar', 'list_key', `list_key in (select key from company_list where ${OF_WATCHLIST})`],
  ['instant_signal', 'list_key, signal_id', `list_key in (select key from company_list where ${OF_WATCHLIST})`],
  ['list_email', 'list_key', OF_WATCHLIST],
  ['signal_mark', 'watchlist_id, signal_id', OF_WATCHLIST],
  ['watched_signal', 'watchlist_id, detected_at, signal_id', OF_WATCHLIST],
  ['watch_note', 'watchlist_id, company_number', OF_WATCHLIST],
  ['company_list_member', 'list_key, company_number', OF_WATCHLIST],
  ['company_list', 'key', OF_WATCHLIST],
  ['watch', 'watchlist_id, company_number', OF_WATCHLIST],
  ['watchlist', 'id'],
  ['bulk_cells', 'bulk_id, row', 'bulk_id in (select id from bulk where account_id = $1)'],
  ['saved_view', 'id'],
  ['bulk_row', 'bulk_id, row', 'bulk_id in (select id from bulk where account_id = $1)'],
  ['bulk_file', 'id'],
  ['bulk_mapping', 'account_id, header_key'],
  ['bulk', 'id'],
  ['blocked_pair', 'account_id, domain, company_number'],
  ['evidence_record', 'id'],
  ['share_link', 'id'],
  ['account_answer', 'account_id, resolution_id'],
  ['review_item', 'id'],
  ['refund_request', 'id'],
  ['paid_fact', 'account_id, domain, company_number'],
  ['paid_subject', 'account_id, kind, subject'],
  // Those under way settle their credit first; the sweep of old jobs takes them.
  ['resolution_job', 'id', 'account_id = $1 and finished_at is not null'],
]

export const ERASED_TABLES: readonly string[] = DELETED.map(([table]) => table)

/** Replaces or deletes everything that says who the account was. It may run twice: a run that broke off is repeated. */
export async function eraseAccount(app: App, account: { id: string; email: string }): Promise<Record<string, number>> {
  await disableAccount(app, account.id)
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    if (!(await erasePerson(app, tx, account.id))) return
    await tx.query(`update resolution_job set input = 'erased' where account_id = $1`, [account.id])
    // A reset that was asked for carries the address it was asked for with.
    await tx.query(`delete from pgboss.job where lower(data ->> 'email') = lower($1)`, [account.email])
    const { id: accountId } = account
    await recordAudit(tx, { at, accountId, action: 'account_erased', origin: null })
  })
  const counts: Record<string, number> = {}
  for (const [table, key, rows = 'account_id = $1'] of DELETED) {
    const batch = `select ${key} from ${table} where ${rows} limit $2`
    const text = `delete from ${table} where (${key}) in (${batch}) returning 1`
    counts[table] = await repeat(async () => (await app.db.query(text, [account.id, BATCH_ROWS])).length)
  }
  const holds = `update credit_hold set subject = null where (account_id, id) in (
    select account_id, id from credit_hold where account_id = $1 and subject is not null limit $2) returning 1`
  counts['credit_hold'] = await repeat(async () => (await app.db.query(holds, [account.id, BATCH_ROWS])).length)
  const trail = 'select erase_trail($1, $2)::integer as count'
  counts['pseudonymised'] = await repeat(
    async () => onlyRow(await app.db.query<{ count: number }>(trail, [account.id, BATCH_ROWS])).count,
  )
  return counts
}

/** Runs a batch until it has changed fewer rows than it may, and returns how many rows changed. */
async function repeat(runBatch: () => Promise<number>): Promise<number> {
  let count = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const changed = await runBatch()
    count += changed
    if (changed < BATCH_ROWS) return count
  }
  throw new Error('There is more than one run can erase. Run the command again.')
}

/**
 * Ends sessions, keys and connected programs at once, stops deliveries and pauses bulk jobs. Jobs under way finish.
 * Returns false when the account is disabled already.
 */
export async function disableAccount(app: App, accountId: string): Promise<boolean> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    if (!(await setDisabled(tx, { accountId, at }))) return false
    await disableDestinations(tx, { accountId, at })
    await pauseBulkJobs(tx, accountId)
    await recordAudit(tx, { at, accountId, action: 'account_disabled', origin: null })
    return true
  })
}

/** Keys work again and events are sent again; people sign in again, and programs have to be connected again. */
export async function enableAccount(app: App, accountId: string): Promise<boolean> {
  const at = app.clock.now()
  return app.db.transaction(async (tx) => {
    if (!(await setEnabled(tx, accountId))) return false
    await enableDestinations(tx, accountId)
    await recordAudit(tx, { at, accountId, action: 'account_enabled', origin: null })
    return true
  })
}
