/**
 * Compares the log with the audit logs, which have a chain for each account: the making of a record is in both. So an entry that
 * was cut off, or given to another account, is missing where its making is written.
 */
import { countActs } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import type { Say } from './log-problem.ts'

const BATCH_ACCOUNTS = 500

export async function compareWithAudit({ db }: Pick<App, 'db'>, say: Say): Promise<void> {
  let afterId = ''
  for (;;) {
    // The acts first: a record that is made meanwhile is one entry more, and no problem.
    const made = await countActs(db, { action: 'evidence_sealed', afterId, limit: BATCH_ACCOUNTS })
    const rows = await db.query<{ accountId: string; count: number }>(
      `select account_id as "accountId", count(*)::integer as count from evidence_leaf
       where account_id = any ($1) group by account_id`,
      [made.map(({ accountId }) => accountId)],
    )
    const logged = new Map(rows.map(({ accountId, count }) => [accountId, count]))
    for (const { accountId, count } of made) {
      const left = logged.get(accountId) ?? 0
      if (left >= count) continue
      say(
        'record_removed',
        accountId,
        `Its audit log has the making of ${count} records, and the log has ${left} of them.`,
      )
    }
    const last = made.at(-1)
    // Ids only grow, so this ends.
    if (!last) return
    afterId = last.accountId
  }
}
