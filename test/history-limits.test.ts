/** The history and odd requests, other accounts, the other mode; and share links whose answer or account is closed. */
import { expect, test } from 'vitest'
import { ALDER, publish, siteNaming, siteOf } from './setup/companies.ts'
import { prepare, type TestKeys, useTestService, WAIT } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER] })
const owner = prepare(() => it.openAccount({ credits: 100 }))
const other = prepare(() => it.openAccount({ credits: 100 }))

const ask = async (domain: string, { key }: Pick<TestKeys, 'key'> = owner, more: object = {}) =>
  (await it.call('POST', '/v1/resolve/domain', { key, body: { domain, ...more }, headers: WAIT })).body
const get = (path: string, key: string = owner.key) => it.call('GET', path, { key })
const share = (id: string, key: string = owner.key) =>
  it.call('POST', `/v1/resolutions/${id}/share-links`, { key, body: { days: 5 } })
const open = async (url: string) => it.visit('GET', new URL(url).pathname, {})
const entriesOf = async (domain: string, key: string = owner.key) =>
  (await get(`/v1/resolutions?domain=${domain}`, key)).body.data

test('answers and links of another account are not there: not to read, to compare with, to share or to revoke', async () => {
  const domain = publish(it.web, siteOf(ALDER))
  const { resolution_id: id } = await ask(domain)
  it.clock.advance(15 * 60 + 1)
  const { resolution_id: theirs } = await ask(domain, other, { max_age_days: 0 })
  const { id: linkId, url } = (await share(id)).body
  const refused = [
    await get(`/v1/resolutions/${id}`, other.key),
    await get(`/v1/resolutions/${id}/changes`, other.key),
    await get(`/v1/resolutions/${theirs}/changes?since=${id}`, other.key),
    await get(`/v1/resolutions/${id}/share-links`, other.key),
    await share(id, other.key),
    await it.call('DELETE', `/v1/share-links/${linkId}`, { key: other.key }),
  ]
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404))
  expect((await open(url)).status).toBe(200)
})

test('an id that no answer and no link can have is refused', async () => {
  const id = 'x'.repeat(65)
  const refused = [
    await get(`/v1/resolutions/${id}`),
    await get(`/v1/resolutions/${id}/share-links`),
    await it.call('DELETE', `/v1/share-links/${id}`, { key: owner.key }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400])
})

test('a key of one mode sees, shares and revokes nothing of the other', async () => {
  const { resolution_id: live } = await ask(publish(it.web, siteOf(ALDER)))
  const { resolution_id: played } = await ask('matched.test', { key: owner.testKey })
  for (const [id, key] of [
    [live, owner.testKey],
    [played, owner.key],
  ] as const) {
    expect((await get(`/v1/resolutions/${id}`, key)).status).toBe(404)
    expect((await get(`/v1/resolutions/${id}/share-links`, key)).status).toBe(404)
    expect((await share(id, key)).status).toBe(404)
  }
  const link = (await share(played, owner.testKey)).body
  expect((await open(link.url)).status).toBe(200)
  const revoke = (key: string) => it.call('DELETE', `/v1/share-links/${link.id}`, { key })
  expect([(await revoke(owner.key)).status, (await revoke(owner.testKey)).status]).toEqual([404, 200])
})

test.each([
  ['wildcards', '%25', '_%25_'],
  ['quotes and backslashes', "'%20or%201=1--", '%5C%5C'],
  ['an empty search', '%20', '%20%20'],
  ['the last character there is', '%F4%8F%BF%BF', 'z%F4%8F%BF%BF'],
  ['another script', '%E4%BE%8B', '%D0%90%D0%9E'],
  ['a very long search', 'w'.repeat(253), 'w'.repeat(160)],
])('a search for %s is an ordinary search', async (_name, domain, company) => {
  const replies = await Promise.all(
    ['?domain=', '?outcome=matched&domain='].map((query) => get(`/v1/resolutions${query}${domain}&company=${company}`)),
  )
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
})

const cursorOf = (position: unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')

test.each([
  ['a zero byte', '?domain=a%00b'],
  ['a longer search than there are domains', `?domain=${'w'.repeat(254)}`],
  ['a cursor with a zero byte', `?cursor=${cursorOf(['\0', '2026-01-01T00:00:00.000Z', 'res_1'])}`],
  ['a cursor without a time', `?cursor=${cursorOf(['', 'yesterday', 'res_1'])}`],
])('%s is a bad request', async (_name, query) => {
  expect((await get(`/v1/resolutions${query}`)).status).toBe(400)
})

test('a second click on “check again” costs nothing more and adds no second reading', async () => {
  const account = await it.openAccount({ credits: 5 })
  const domain = publish(it.web, siteOf(ALDER))
  await ask(domain, account)
  it.clock.advance(15 * 60 + 1)
  const clicks = await Promise.all(Array.from({ length: 5 }, () => ask(domain, account, { max_age_days: 0 })))
  expect(new Set(clicks.map(({ resolution_id: id }) => id)).size).toBe(1)
  expect(await entriesOf(domain, account.key)).toHaveLength(2)
  await it.expectBalanced()
  expect(await it.creditsOf(account)).toMatchObject({ available: 4, held: 0 })
})

test('a site that could not be read is read again, and the two answers are compared', async () => {
  const domain = publish(it.web, siteOf(ALDER))
  it.web.setSite(domain, { http: 'refused', https: 'refused' })
  expect((await ask(domain)).outcome).toBe('scrape_failed')
  it.web.setSite(domain, siteOf(ALDER))
  it.clock.advance(15 * 60 + 1)
  const { resolution_id: id, outcome } = await ask(domain, owner, { max_age_days: 0 })
  expect(outcome).toBe('matched')
  const { body } = await get(`/v1/resolutions/${id}/changes`)
  expect([body.answer[0], body.site.unread]).toEqual([
    { name: 'outcome', before: 'scrape_failed', after: 'matched' },
    true,
  ])
})

test('a share link does not show who decided what', async () => {
  const { resolution_id: id } = await ask(publish(it.web, siteNaming(ALDER)))
  const { body: reviews } = await get('/v1/reviews')
  const decision = { action: 'reject', reviewer: 'Petra Quill', reason: 'We know them.' }
  await it.call('POST', `/v1/reviews/${reviews.data[0].id}/decision`, { key: owner.key, body: decision })
  const shown = await open((await share(id)).body.url)
  expect(shown.status).toBe(200)
  expect(shown.text).not.toMatch(/Petra Quill|We know them/)
})

test('a link to a match that is refunded later closes with it, and looks like one that never was', async () => {
  const domain = publish(it.web, siteOf(ALDER))
  const { resolution_id: id } = await ask(domain)
  const { url } = (await share(id)).body
  it.web.setSite(domain, siteNaming(ALDER))
  await it.call('POST', `/v1/resolutions/${id}/dispute`, { key: owner.key, body: { reason: 'Not them.' } })
  await it.settle()
  const [closed, unknown] = [await open(url), await it.visit('GET', `/shared/${'x'.repeat(43)}`, {})]
  expect([closed.status, unknown.status]).toEqual([404, 404])
  expect(closed.text).toBe(unknown.text)
  expect(closed.text).toContain('Ask the person who sent it for a new one')
})

test('an answer that is no longer stored stays in the list; what needs its evidence is 404', async () => {
  const domain = publish(it.web, siteOf(ALDER))
  const { resolution_id: id } = await ask(domain)
  const { url } = (await share(id)).body
  const gone = `res_${'0'.repeat(27)}`
  for (const table of ['account_answer', 'share_link']) {
    await it.app.db.query(`update ${table} set resolution_id = $2 where resolution_id = $1`, [id, gone])
  }
  expect(await entriesOf(domain)).toMatchObject([{ resolution_id: gone, company_number: ALDER.number }])
  expect((await get(`/v1/resolutions/${gone}`)).status).toBe(200)
  expect((await get(`/v1/resolutions/${gone}/changes?since=${gone}`)).status).toBe(404)
  expect([(await share(gone)).status, (await open(url)).status]).toEqual([404, 404])
})

test('however many links are asked for at once, an answer has at most 20', async () => {
  const { resolution_id: id } = await ask(publish(it.web, siteOf(ALDER)))
  const replies = await Promise.all(Array.from({ length: 24 }, () => share(id)))
  const statuses = replies.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
  expect((await get(`/v1/resolutions/${id}/share-links`)).body.data).toHaveLength(20)
})

test('the links of a disabled account open nothing, and erasing it leaves no history', async () => {
  const leaving = await it.openAccount({ credits: 5 })
  const { resolution_id: id } = await ask(publish(it.web, siteOf(ALDER)), leaving)
  const { url } = (await share(id, leaving.key)).body
  expect((await open(url)).status).toBe(200)
  await it.run('account', 'disable', leaving.email, '--json')
  expect((await open(url)).status).toBe(404)
  await it.run('account', 'erase', leaving.email, '--yes', '--json')
  const rows = await it.app.db.query(
    'select account_id from account_answer where account_id = $1 union all select account_id from share_link where account_id = $1',
    [leaving.id],
  )
  expect(rows).toEqual([])
})
