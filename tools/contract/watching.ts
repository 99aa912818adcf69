/** A company that goes onto a watchlist and off it again, and a full watchlist. */
import type { Answer, Call } from './client.ts'
import { expectStatus, expectThat, readList, readNumber } from './expectations.ts'

/** No company has this number. */
export const NO_COMPANY = '99999999'
const PAGES_SEARCHED = 3

/** Returns numbers of companies in the register. */
export async function findCompanies(call: Call, key: string): Promise<string[]> {
  const pages: string[][] = []
  for (let page = 1; page <= PAGES_SEARCHED; page += 1) {
    const answer = await call('GET', `/v1/companies/search?company_status=active&page=${page}`, { key })
    pages.push(readList(expectStatus(answer, 200), 'data.*.company_number').map(String))
  }
  return pages.flat()
}

/** Leaves the watchlist as it was. */
export async function watchAndUnwatch(call: Call, token: string, companies: readonly string[]) {
  const list = () => call('GET', '/v1/watchlist?limit=100', { token })
  const already = new Set(readList(expectStatus(await list(), 200), 'data.*.company_number'))
  const number = companies.find((company) => !already.has(company)) ?? ''
  expectThat(number !== '', 'a company in the register that is not watched yet', companies)
  const watch = () => call('POST', '/v1/watchlist', { token, body: { company_number: number } })
  const unwatch = () => call('DELETE', `/v1/watchlist/${number}`, { token })
  return {
    number,
    watched: await watch(),
    watchedAgain: await watch(),
    listed: await list(),
    unwatched: await unwatch(),
    listedAfter: await list(),
    unwatchedAgain: await unwatch(),
  }
}

/** Fills the watchlist of an account that no other row needs, and asks for one company more. */
export async function overfillWatchlist(call: Call, token: string, companies: readonly string[]): Promise<Answer> {
  const me = expectStatus(await call('GET', '/v1/auth/me', { token }), 200)
  const free = readNumber(me, 'watchlist.limit') - readNumber(me, 'watchlist.used')
  const last = companies[free]
  if (last === undefined) throw new Error(`the watchlist has room for ${free}, and only ${companies.length} are known`)
  const body = { company_numbers: companies.slice(0, free) }
  expectStatus(await call('POST', '/v1/watchlist/bulk', { token, body }), 200)
  return call('POST', '/v1/watchlist', { token, body: { company_number: last } })
}
