import {
  equals,
  expectMember,
  expectRefusal,
  expectStatus,
  expectThat,
  OBJECTS,
  readColumn,
  readMember,
  readText,
} from '../expectations.ts'
import { type Area, row } from '../row.ts'
import { NO_COMPANY } from '../watching.ts'

const SIGNALS = 'GET /v1/signals'
const HISTORY = 'GET /v1/companies/{company_number}/signals'

export const WATCHLIST_SIGNALS: Area = {
  title: 'Watchlist and signals',
  rows: [
    row('watchlist-get-200', 'GET /v1/watchlist → 200 watchlist', async ({ watching }) => {
      const { listed, number } = await watching()
      expectThat(readColumn(expectStatus(listed, 200), 'data', 'company_number').includes(number), number, listed.body)
      return `${number} is on it`
    }),
    row('watchlist-post-201', 'POST /v1/watchlist → 201 company watched', async ({ watching }) => {
      const { watched, number } = await watching()
      expectMember(expectStatus(watched, 201), 'company_number', equals(number))
      return readText(watched, 'company_name')
    }),
    row('watchlist-post-200', 'POST /v1/watchlist → 200 already watched', async ({ watching }) => {
      const { watchedAgain, number } = await watching()
      expectMember(expectStatus(watchedAgain, 200), 'company_number', equals(number))
      return `${number} a second time`
    }),
    row('watchlist-post-402', 'POST /v1/watchlist → 402 watchlist limit reached', async ({ overfull }) => {
      const { answer, how } = await overfull()
      expectRefusal(answer, 402, 'plan_limit_reached')
      return how
    }),
    row('watchlist-post-404', 'POST /v1/watchlist → 404 company not found', async ({ call, accounts }) => {
      const ask = { token: await accounts.session(), body: { company_number: NO_COMPANY } }
      expectRefusal(await call('POST', '/v1/watchlist', ask), 404, 'company_not_found')
      return NO_COMPANY
    }),
    row(
      'watchlist-delete-200',
      'DELETE /v1/watchlist/{company_number} → 200 company unwatched',
      async ({ watching }) => {
        const { unwatched, listedAfter, number } = await watching()
        expectMember(expectStatus(unwatched, 200), 'company_number', equals(number))
        expectThat(
          !readColumn(listedAfter, 'data', 'company_number').includes(number),
          `no ${number}`,
          listedAfter.body,
        )
        return `${number} is off the list`
      },
    ),
    row(
      'signals-200',
      `${SIGNALS} → 200 signal feed scoped to the watched companies`,
      async ({ delivery, deployment }) => {
        const { feed, historyOfUnwatched, feedAfterUnwatching } = await delivery()
        const { watched = '', unwatched = '' } = deployment.changingCompanies ?? {}
        const numbers = readColumn(expectStatus(feed, 200), 'data', 'company_number')
        expectThat(
          numbers.includes(watched) && !numbers.includes(unwatched),
          `${watched} and not ${unwatched}`,
          numbers,
        )
        expectThat(readColumn(historyOfUnwatched, 'data', 'id').length > 0, `signals of ${unwatched}`, [])
        const after = readColumn(feedAfterUnwatching, 'data', 'company_number')
        expectThat(!after.includes(watched), `no ${watched} when it is watched no more`, after)
        return `both changed: ${watched}, watched, is in it until it is unwatched; ${unwatched} never is`
      },
    ),
    row('signals-type', `${SIGNALS}: signal_type (string)`, async ({ call, accounts }) => {
      const token = await accounts.session()
      const answer = expectStatus(await call('GET', '/v1/signals?signal_type=charge_registered', { token }), 200)
      const others = readColumn(answer, 'data', 'signal_type').filter((type) => type !== 'charge_registered')
      expectThat(others.length === 0, 'charge_registered alone', others)
      expectRefusal(await call('GET', '/v1/signals?signal_type=gossip', { token }), 400, 'invalid_request')
      return 'one type alone; an unknown one is refused with the list of types'
    }),
    row('signals-page', `${SIGNALS}: page (integer), limit (integer)`, async ({ call, accounts }) => {
      const token = await accounts.session()
      const answer = expectStatus(await call('GET', '/v1/signals?page=2&limit=5', { token }), 200)
      expectMember(answer, 'page', equals(2))
      expectMember(answer, 'limit', equals(5))
      expectRefusal(await call('GET', '/v1/signals?page=two', { token }), 400, 'invalid_request')
      return 'page 2 of 5 a page; a word is refused'
    }),
    row(
      'history-200',
      `${HISTORY} → 200 recent signal history of that company`,
      async ({ call, accounts, companies }) => {
        const [number = ''] = await companies()
        const ask = { token: await accounts.session() }
        const answer = expectStatus(await call('GET', `/v1/companies/${number}/signals`, ask), 200)
        const others = (expectMember(answer, 'data', OBJECTS) as unknown[]).filter(
          (signal) => readMember(signal, 'company_number') !== number,
        )
        expectThat(others.length === 0, `signals of ${number} alone`, others)
        return number
      },
    ),
    row('history-limit', `${HISTORY}: limit (integer)`, async ({ call, accounts, companies }) => {
      const ask = { token: await accounts.session() }
      const path = `/v1/companies/${(await companies())[0]}/signals`
      expectMember(expectStatus(await call('GET', `${path}?limit=3`, ask), 200), 'limit', equals(3))
      return 'limit=3'
    }),
    row('history-404', `${HISTORY} → 404 company not found`, async ({ call, accounts }) => {
      const ask = { token: await accounts.session() }
      expectRefusal(await call('GET', `/v1/companies/${NO_COMPANY}/signals`, ask), 404)
      return NO_COMPANY
    }),
  ],
}
