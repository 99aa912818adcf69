import { listFeed } from '../../../src/signals/index.ts'
import { FEED, insertSignals } from '../feed/population.ts'
import { addAccounts, type Curve, fillTables, scatter } from './curve.ts'

const PAGE = 50
const LIST_COMPANIES = 200
/** A company has four signals, and one company in four is watched: the feed is as long as there are signals. */
const SIGNALS_PER_COMPANY = 4
const SIGNALS_PER_LIST = SIGNALS_PER_COMPANY * LIST_COMPANIES
const READERS_MAX = 100

export const SIGNAL_FEED: Curve = {
  name: 'feed',
  does: 'read a page of the signal feed',
  rows: 'signals',
  tables: ['signal', 'watched_signal', 'watch'],
  async grow(world, { from, to }) {
    const { app, client } = world
    const companies = Math.floor(to / SIGNALS_PER_COMPANY)
    const lists = Math.max(1, Math.floor(to / SIGNALS_PER_LIST))
    await client.query('truncate signal, watch, watched_signal, watchlist restart identity')
    await addAccounts(world, { from: from === 0 ? 0 : Math.max(1, Math.floor(from / SIGNALS_PER_LIST)), to: lists })
    await fillTables(world, SIGNAL_FEED.tables, async () => {
      await client.query(
        `insert into watchlist (account_id, mode, used)
         select 'acc_' || n, 'live', ${LIST_COMPANIES} from generate_series(1, $1::integer) n`,
        [lists],
      )
      await client.query(
        `insert into watch (watchlist_id, company_number, watched_at)
         select list.id, lpad(((list.id * 7919::bigint + place * ($1::integer / ${LIST_COMPANIES})) % $1 + 1)::text, 8, '0'),
           '2025-01-01'
         from watchlist list cross join generate_series(0, ${LIST_COMPANIES - 1}) place`,
        [companies],
      )
      await insertSignals(client, to, companies)
      await client.query(FEED)
    })
    const { rows } = await client.query<{ accountId: string; deep: string | null }>(
      `select account_id as "accountId", (
         select 'sig_' || signal_id from watched_signal where watchlist_id = id
         order by detected_at desc, signal_id desc offset ${SIGNALS_PER_LIST / 4} limit 1) as deep
       from watchlist order by hashint4(id) limit ${READERS_MAX}`,
    )
    // The first page, and one that is deep in the feed, in turn.
    return (place) => {
      const { accountId, deep } = rows[scatter(place >> 1, rows.length)] ?? { accountId: '', deep: null }
      const cursor = place % 2 === 1 && deep !== null ? deep : undefined
      return listFeed(app.db, { accountId, mode: 'live', limit: PAGE, offset: 0, cursor })
    }
  },
}
