/** A proposal to strike a company off is seen wherever its status is. */
import { expect, test } from 'vitest'
import { siteNaming, siteOf } from './setup/companies.ts'
import { prepare, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'

const DOOMED = {
  number: '09440001',
  name: 'WITHERSPOON CANDLES LIMITED',
  postcode: 'HG4 1AJ',
  statusDetail: 'active-proposal-to-strike-off',
}
const SAID = {
  company_status: 'active',
  company_status_detail: 'active-proposal-to-strike-off',
  company_status_text: 'Active — proposal to strike off',
}
const [SITE, DOUBTFUL] = ['witherspooncandles.co.uk', 'witherspoon-fans.co.uk']

const it = useTestService({
  companies: [DOOMED],
  sites: { [SITE]: siteOf(DOOMED), [DOUBTFUL]: siteNaming(DOOMED) },
})
const account = prepare(() => it.openAccount())

const post = async (path: string, body: object) =>
  (await it.call('POST', path, { key: account.key, body, headers: { prefer: 'wait=30' } })).body
const get = async (path: string) => (await it.call('GET', path, { key: account.key })).body

test('a strike-off proposal is in every answer of the API that shows a company’s status', async () => {
  expect((await post('/v1/resolve/domain', { domain: SITE })).company).toMatchObject(SAID)
  const enriched = await post('/v1/enrich', { domain: SITE })
  expect([enriched.result, enriched.company]).toMatchObject([SAID, SAID])
  expect((await post('/v1/partner/enrich-company', { domain: SITE })).result).toMatchObject(SAID)
  expect((await post('/v1/resolve/company', { company_number: DOOMED.number })).company).toMatchObject(SAID)
  expect((await post('/v1/resolve/domain', { domain: DOUBTFUL })).candidates).toMatchObject([SAID])
  expect((await get('/v1/reviews')).data[0].candidates).toMatchObject([SAID])
  expect((await get('/v1/companies/search?name=witherspoon')).data).toMatchObject([SAID])
  expect(await get(`/v1/companies/${DOOMED.number}`)).toMatchObject(SAID)
  await post('/v1/watchlist', { company_number: DOOMED.number })
  expect((await get('/v1/watchlist')).data).toMatchObject([SAID])
})

test('a strike-off proposal is in both files of a bulk', async () => {
  const { id } = await post('/v1/bulk', { domains: [SITE] })
  await it.settle()
  const file = async (format: string) => String(await get(`/v1/bulk/${id}/results?format=${format}`))
  expect(await file('csv')).toContain('Active — proposal to strike off')
  const lines = await it.call('GET', `/v1/bulk/${id}/results?format=jsonl`, { key: account.key })
  const text = typeof lines.body === 'string' ? lines.body : JSON.stringify(lines.body)
  expect(text).toContain('"company_status_text":"Active — proposal to strike off"')
})

test('a strike-off proposal is in the words and the structure that an agent gets', async () => {
  await using agent = await connect(it, { 'x-api-key': account.key })
  const answers = [
    await agent.ask('find_company_behind_domain', { domain: SITE }),
    await agent.ask('search_companies', { name: 'witherspoon' }),
    await agent.ask('get_company', { company_number: DOOMED.number }),
    await agent.ask('watch_company', { company_number: DOOMED.number }),
  ]
  for (const { text, structured } of answers) {
    expect(text).toContain('proposal to strike off')
    expect(JSON.stringify(structured)).toContain(SAID.company_status_text)
  }
})
