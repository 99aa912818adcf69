import { captureHold, holdCredit } from '../../../src/credits/index.ts'
import { addAccounts, type Curve, fillTables, scatter } from './curve.ts'

const ENTRIES_PER_ACCOUNT = 100
const HOLDS_PER_ACCOUNT = ENTRIES_PER_ACCOUNT / 2

/** Two entries for each hold, which is how most of a ledger looks. */
export const CHARGES: Curve = {
  name: 'charge',
  does: 'hold and capture a credit',
  rows: 'ledger entries',
  tables: ['ledger_entry', 'credit_hold'],
  async grow(world, { from, to }) {
    const { app, client } = world
    await addAccounts(world, { from: from / ENTRIES_PER_ACCOUNT, to: to / ENTRIES_PER_ACCOUNT })
    const holds = `select 'hld_' || lpad(n::text, 27, '0') as id, 'job_' || lpad(n::text, 27, '0') as reference,
      'acc_' || ((n - 1) / ${HOLDS_PER_ACCOUNT} + 1) as account_id from generate_series($1::integer + 1, $2::integer) n`
    const range = [from / 2, to / 2]
    await fillTables(world, CHARGES.tables, async () => {
      await client.query(
        `insert into credit_hold (id, account_id, reference, amount, state, created_at, expires_at, settled_at)
         select id, account_id, reference, 1, 'captured', now(), now(), now() from (${holds}) hold`,
        range,
      )
      await client.query(
        `insert into ledger_entry (account_id, kind, amount, reason, reference, hold_id, balance_delta, held_delta,
           balance_after, held_after, created_at)
         select account_id, kind, 1, 'matched', reference, id, balance_delta, held_delta, 1000000, 0, now()
         from (${holds}) hold
         cross join (values ('hold', 0, 1), ('capture', -1, -1)) step (kind, balance_delta, held_delta)`,
        range,
      )
    })
    return (place) =>
      app.db.transaction(async (tx) => {
        const accountId = `acc_${scatter(place, to / ENTRIES_PER_ACCOUNT) + 1}`
        const at = app.clock.now()
        const reference = `charge ${to} ${place}`
        const hold = await holdCredit(tx, { accountId, reference, reason: 'resolution', lifeSeconds: 600, at })
        await captureHold(tx, { holdId: hold.id, outcome: 'matched', at })
      })
  },
}
