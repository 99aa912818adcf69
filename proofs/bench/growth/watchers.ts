import { syntheticSignal } from '../../../rig/synthetic-signal.ts'
import { raiseSignals } from '../../../src/signals/index.ts'
import { addAccounts, type Curve, fillTables, scatter } from './curve.ts'

const LIST_COMPANIES = 100
const WATCHERS_PER_COMPANY = 10

/** With a feed that has told each watcher something before: it is where most of the writing goes. */
export const WATCHERS: Curve = {
  name: 'fanout',
  does: `tell ${WATCHERS_PER_COMPANY} watchers of a change`,
  rows: 'watches',
  tables: ['watch', 'watched_signal'],
  async grow(world, { from, to }) {
    const { app, client } = world
    const lists = { from: from / LIST_COMPANIES, to: to / LIST_COMPANIES }
    await addAccounts(world, lists)
    await client.query(
      `insert into watchlist (id, account_id, mode, used) overriding system value
       select n, 'acc_' || n, 'live', ${LIST_COMPANIES} from generate_series($1::integer + 1, $2::integer) n`,
      [lists.from, lists.to],
    )
    const watches = `select list, lpad(((list - 1) / ${WATCHERS_PER_COMPANY} * ${LIST_COMPANIES} + place)::text, 8, '0') as number, place
      from generate_series($1::integer + 1, $2::integer) list cross join generate_series(0, ${LIST_COMPANIES - 1}) place`
    await fillTables(world, WATCHERS.tables, async () => {
      await client.query(
        `insert into watch (watchlist_id, company_number, watched_at) select list, number, '2025-01-01' from (${watches}) each`,
        [lists.from, lists.to],
      )
      await client.query(
        `insert into watched_signal (watchlist_id, detected_at, signal_id, signal_type)
         select list, timestamptz '2025-01-01' + place * interval '1 day', place, 'accounts_filed' from (${watches}) each`,
        [lists.from, lists.to],
      )
    })
    return (place) => {
      const number = String(scatter(place, to / WATCHERS_PER_COMPANY)).padStart(8, '0')
      const signal = syntheticSignal(number, `growth:${to}:${place}`)
      return app.db.transaction((tx) => raiseSignals(app, tx, [signal], app.clock.now()))
    }
  },
}
