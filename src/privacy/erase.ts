import { randomBytes } from 'node:crypto'
import { erasePerson, recordAudit } from '../accounts/index.ts'
import type { App } from '../app.ts'
import { disableAccount } from './disable.ts'

const BATCH_ROWS = 5_000
const BATCHES_MAX = 10_000

/**
 * Deletes rows that belong to an account and are no record, at most `$2` at a time, referring tables first. Ledger,
 * balance, holds, usage and audit trail stay, and so do decisions, without their author.
 */
const DELETED: ReadonlyArray<{ table: string; text: string }> = [
  {
    table: 'oauth_payload',
    text: `delete from oauth_payload where (model, id_hash) in (
      select model, id_hash from oauth_payload where account_id = $1 limit $2) returning 1`,
  },
  {
    table: 'connection',
    text: 'delete from connection where id in (select id from connection where account_id = $1 limit $2) returning 1',
  },
  {
    table: 'spending_cap',
    text: 'delete from spending_cap where id in (select id from spending_cap where account_id = $1 limit $2) returning 1',
  },
  {
    table: 'idempotency_key',
    text: `delete from idempotency_key where account_id = $1 and key in (
      select key from idempotency_key where account_id = $1 limit $2) returning 1`,
  },
  {
    table: 'one_time_token',
    text: `delete from one_time_token where hash in (
      select hash from one_time_token where account_id = $1 limit $2) returning 1`,
  },
  {
    table: 'ended_session',
    text: 'delete from ended_session where id in (select id from ended_session where account_id = $1 limit $2) returning 1',
  },
  {
    table: 'familiar_address',
    text: `delete from familiar_address where account_id = $1 and block_hash in (
      select block_hash from familiar_address where account_id = $1 limit $2) returning 1`,
  },
  {
    table: 'notification_setting',
    text: `delete from notification_setting where account_id in (
      select account_id from notification_setting where account_id = $1 limit $2) returning 1`,
  },
  {
    table: 'watched_signal',
    text: `delete from watched_signal where (watchlist_id, detected_at, signal_id) in (
      select watchlist_id, detected_at, signal_id from watched_signal
      where watchlist_id in (select id from watchlist where account_id = $1) limit $2) returning 1`,
  },
  {
    table: 'watch',
    text: `delete from watch where (watchlist_id, company_number) in (
      select watchlist_id, company_number from watch
      where watchlist_id in (select id from watchlist where account_id = $1) limit $2) returning 1`,
  },
  {
    table: 'watchlist',
    text: 'delete from watchlist where id in (select id from watchlist where account_id = $1 limit $2) returning 1',
  },
  {
    table: 'webhook_attempt',
    text: `delete from webhook_attempt where id in (
      select id from webhook_attempt
      where destination_id in (select id from webhook_destination where account_id = $1) limit $2) returning 1`,
  },
  {
    table: 'webhook_delivery',
    text: `delete from webhook_delivery where (destination_id, event_number) in (
      select destination_id, event_number from webhook_delivery
      where destination_id in (select id from webhook_destination where account_id = $1) limit $2) returning 1`,
  },
  {
    table: 'webhook_destination',
    text: `delete from webhook_destination where id in (
      select id from webhook_destination where account_id = $1 limit $2) returning 1`,
  },
  {
    table: 'bulk_row',
    text: `delete from bulk_row where (bulk_id, row) in (
      select bulk_id, row from bulk_row where bulk_id in (select id from bulk where account_id = $1) limit $2) returning 1`,
  },
  {
    table: 'bulk',
    text: 'delete from bulk where id in (select id from bulk where account_id = $1 limit $2) returning 1',
  },
  {
    table: 'blocked_pair',
    text: `delete from blocked_pair where account_id = $1 and decision_id in (
      select decision_id from blocked_pair where account_id = $1 limit $2) returning 1`,
  },
  {
    table: 'review_item',
    text: 'delete from review_item where id in (select id from review_item where account_id = $1 limit $2) returning 1',
  },
  {
    table: 'refund_request',
    text: `delete from refund_request where id in (
      select id from refund_request where account_id = $1 limit $2) returning 1`,
  },
  {
    table: 'paid_fact',
    text: `delete from paid_fact where (account_id, domain, company_number) in (
      select account_id, domain, company_number from paid_fact where account_id = $1 limit $2) returning 1`,
  },
  {
    table: 'paid_subject',
    text: `delete from paid_subject where (account_id, kind, subject) in (
      select account_id, kind, subject from paid_subject where account_id = $1 limit $2) returning 1`,
  },
  {
    // Those under way settle their credit first; the sweep of old jobs takes them.
    table: 'resolution_job',
    text: `delete from resolution_job where id in (
      select id from resolution_job where account_id = $1 and finished_at is not null limit $2) returning 1`,
  },
]

export const ERASED_TABLES: readonly string[] = DELETED.map(({ table }) => table)

/** Replaces or deletes everything that says who the account was. It may run twice: a run that broke off is repeated. */
export async function eraseAccount(app: App, account: { id: string; email: string }): Promise<Record<string, number>> {
  await disableAccount(app, account.id)
  const at = app.clock.now()
  await app.db.transaction(async (tx) => {
    const [erased] = await tx.query(
      'update account set erased_at = $2 where id = $1 and erased_at is null returning id',
      [account.id, at],
    )
    if (!erased) return
    await erasePerson(app, tx, { accountId: account.id, password: randomBytes(32).toString('base64url') })
    await tx.query(`update resolution_job set input = 'erased' where account_id = $1`, [account.id])
    // A reset that was asked for carries the address it was asked for with.
    await tx.query(`delete from pgboss.job where lower(data ->> 'email') = lower($1)`, [account.email])
    const { id: accountId } = account
    await recordAudit(tx, { at, accountId, action: 'account_erased', outcome: 'success', origin: null })
  })
  const counts: Record<string, number> = {}
  for (const { table, text } of DELETED) counts[table] = await repeat(app, text, account.id)
  counts['pseudonymised'] = await eraseTrail(app, account.id)
  return counts
}

async function repeat(app: App, text: string, accountId: string): Promise<number> {
  let count = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const { length } = await app.db.query(text, [accountId, BATCH_ROWS])
    count += length
    if (length < BATCH_ROWS) return count
  }
  throw new Error('There is more than one run can erase. Run the command again.')
}

async function eraseTrail(app: App, accountId: string): Promise<number> {
  let count = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const [row] = await app.db.query<{ count: string }>('select erase_trail($1, $2)::text as count', [
      accountId,
      BATCH_ROWS,
    ])
    const changed = Number(row?.count ?? 0)
    count += changed
    if (changed === 0) return count
  }
  throw new Error('There is more than one run can erase. Run the command again.')
}
