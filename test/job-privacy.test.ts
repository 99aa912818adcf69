/** A job's address can be passed on: it shows what every reader may know, and nothing that was typed in secret. */
import { expect, test } from 'vitest'
import { ALDER, BRACKEN, publish, siteNaming } from './setup/companies.ts'
import { type TestKeys, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'
import { reviewCalls } from './setup/reviews.ts'
import { receiveAnswers } from './setup/webhooks.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })
const calls = reviewCalls(it)

const SAID = { reviewer: 'Ann Archer', reason: 'AML case 4711' }

/** A job that has ended; it is queued because the site is not known or is read again. */
async function endedJob({ key }: TestKeys, domain: string, ask: object = {}): Promise<string> {
  const { status, body } = await it.call('POST', '/v1/enrich', { key, body: { domain, ...ask } })
  expect(status).toBe(202)
  const read = async () => (await it.call('GET', body.status_url)).body.status
  await expect.poll(read).toBe('completed')
  return body.status_url
}

test('the public job address does not show the reviewer, the reason or the decision; the owner sees them', async () => {
  const owner = await it.openAccount({ credits: 5 })
  const stranger = await it.openAccount()
  const domain = publish(it.web, siteNaming(BRACKEN))
  const url = await endedJob(owner, domain)
  const before = await it.call('GET', url)
  const item = await calls.find(owner, domain)
  expect((await calls.decide(owner, item.id, { action: 'accept', ...SAID })).status).toBe(200)

  for (const options of [
    {},
    { key: stranger.key },
    { key: owner.testKey },
    { key: 'np_live_nobodys' },
    { token: 'x.y.z' },
  ]) {
    const seen = await it.call('GET', url, options)
    expect([options, seen.status, seen.body]).toEqual([options, 200, before.body])
    expect(seen.text).not.toMatch(/Ann Archer|4711|This account/)
  }
  for (const options of [{ key: owner.key }, { token: owner.token }]) {
    const { body } = await it.call('GET', url, options)
    expect(body).toMatchObject({ decided_by: SAID, result: { match_status: 'matched' } })
  }
})

test('the public job address does not tell by its charge that the account decided or disputed', async () => {
  const owner = await it.openAccount()
  const doubtful = publish(it.web, siteNaming(BRACKEN))
  await endedJob(owner, doubtful)
  const item = await calls.find(owner, doubtful)
  await calls.decide(owner, item.id, { action: 'reject', ...SAID })
  it.clock.advance(3_600)
  const decided = await endedJob(owner, doubtful, { max_age_days: 0 })
  expect((await it.call('GET', decided, { key: owner.key })).body.charge_reason).toBe('own_decision_free')
  expect((await it.call('GET', decided)).body).toMatchObject({
    charge_reason: 'needs_review_free',
    result: { match_status: 'needs_review' },
  })

  const matched = publish(it.web)
  const url = await endedJob(owner, matched)
  const answer = await calls.ask(owner, matched)
  await calls.dispute(owner, answer.body.resolution_id, { reason: 'AML case 4711', company_number: BRACKEN.number })
  const seen = await it.call('GET', url)
  // What came back is not readable here either, or disputing would be a way to get answers for nothing.
  expect(seen.body).toMatchObject({ status: 'failed', charged: false, charge_reason: 'failed_free' })
  for (const secret of ['4711', ALDER.number, BRACKEN.number, 'disput']) expect(seen.text).not.toContain(secret)
})

test('the public address of a search for a site does not tell that the account disputed what it found', async () => {
  const owner = await it.openAccount()
  const domain = publish(it.web)
  await calls.ask(owner, domain)
  const ask = { company_number: ALDER.number, refresh: true }
  const { body } = await it.call('POST', '/v1/resolve/company', { key: owner.key, body: ask })
  const url = body.website.status_url
  await expect.poll(async () => (await it.call('GET', url)).body.status).toBe('completed')
  const before = (await it.call('GET', url)).body
  expect(before.website.status).toBe('verified')
  const found = await calls.ask(owner, before.website.domain)
  await calls.dispute(owner, found.body.resolution_id, { reason: 'AML case 4711', company_number: BRACKEN.number })
  const after = await it.call('GET', url)
  expect(after.body).toMatchObject({ status: 'failed', charged: false })
  for (const secret of ['4711', BRACKEN.number, 'disput']) expect(after.text).not.toContain(secret)
})

test('what was typed before the @, after the question mark or after the # is shown and kept nowhere', async () => {
  const account = await it.openAccount({ credits: 50 })
  const { key, testKey } = account
  const receiver = await receiveAnswers(it, account)
  const secretly = (domain: string) => `https://bob:CANARY1@${domain}/path?token=CANARY2#CANARY3`
  const texts: string[] = []
  for (const path of ['/v1/enrich', '/v1/resolve/domain', '/v1/partner/enrich-company']) {
    const domain = publish(it.web)
    const ask = (headers: Record<string, string>) =>
      it.call('POST', path, { key, body: { domain: secretly(domain) }, headers })
    const queued = await ask({ 'idempotency-key': path })
    expect(queued.body.input_domain).toBe(`https://${domain}/path`)
    const known = await ask({ prefer: 'wait=30' })
    expect([known.status, known.body.input_domain]).toEqual([200, `https://${domain}/path`])
    const seen = await it.call('GET', queued.body.status_url, { key })
    expect(seen.body.input_domain).toBe(`https://${domain}/path`)
    const replayed = await ask({ 'idempotency-key': path })
    texts.push(queued.text, known.text, seen.text, replayed.text)
  }
  for (const typed of [secretly('slow.test'), secretly('nowhere.invalid'), 'https://bob:CANARY/1@exa mple.com/']) {
    texts.push((await it.call('POST', '/v1/enrich', { key, body: { domain: typed } })).text)
    texts.push((await it.call('POST', '/v1/enrich', { key: testKey, body: { domain: typed } })).text)
  }
  await using agent = await connect(it, { 'x-api-key': key })
  texts.push((await agent.ask('find_company_behind_domain', { domain: secretly(publish(it.web)) })).text)
  const rows = [publish(it.web), 'nowhere.invalid', 'gmail.com'].map(secretly)
  const bulk = await it.call('POST', '/v1/bulk', { key, body: { domains: rows } })
  const read = async () => (await it.call('GET', `/v1/bulk/${bulk.body.id}`, { key })).body.status
  await expect.poll(read).toBe('completed')
  texts.push(bulk.text, (await it.call('GET', `/v1/bulk/${bulk.body.id}/results`, { key })).text)
  await receiver.waitFor(3)
  texts.push(...receiver.received.map(({ body }) => body))
  await it.settle()
  texts.push(it.logText(), await readDatabase())
  for (const text of texts) expect(text.match(/.{0,80}CANARY.{0,40}/)?.[0]).toBeUndefined()
})

test('an e-mail address that was typed shows its domain alone at the public job address', async () => {
  const { key } = await it.openAccount()
  const domain = publish(it.web)
  const { body } = await it.call('POST', '/v1/enrich', { key, body: { domain: `ann.archer@${domain}` } })
  expect(body.input_domain).toBe(`ann.archer@${domain}`)
  expect((await it.call('GET', body.status_url)).body.input_domain).toBe(domain)
  expect((await it.call('GET', body.status_url, { key })).body.input_domain).toBe(`ann.archer@${domain}`)
})

/** Every row of every table, as text. */
async function readDatabase(): Promise<string> {
  const tables = await it.app.db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) => it.app.db.query<{ text: string }>(`select it::text as text from ${name} as it`)),
  )
  return rows.flatMap((table) => table.map(({ text }) => text)).join('\n')
}
