/** A company's web site costs one credit when it is verified, once in 30 days. A test key pays nothing. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sweepResolutionsJob } from '../src/resolution/index.ts'
import { ALDER, BRACKEN, newCompany, siteNaming, siteOf, waitUntilRead, whileNoWorkEnds } from './setup/companies.ts'
import { type CallOptions, DAY_SECONDS, type Reply, type TestKeys, useTestService, WAIT } from './setup/harness.ts'
import { costOf } from './setup/reviews.ts'

const PATH = '/v1/resolve/company'
const CORMORANT = { number: '09300001', name: 'CORMORANT LANTERNS LIMITED', postcode: 'HG4 1AD' }
const [ALDER_SITE, BRACKEN_SITE] = ['alderfinchjoinery.co.uk', 'brackenmilltextiles.co.uk']

const it = useTestService({
  companies: [ALDER, BRACKEN, CORMORANT],
  sites: { [ALDER_SITE]: siteOf(ALDER), [BRACKEN_SITE]: siteNaming(BRACKEN) },
})

afterEach(() => it.expectBalanced())

interface Asked extends CallOptions {
  refresh?: boolean
}
function ask({ key }: TestKeys, { number }: { number: string }, { refresh, ...call }: Asked = {}): Promise<Reply> {
  return it.call('POST', PATH, { key, body: { company_number: number, refresh }, ...call })
}
const NOT_SEARCHED = [200, 'not_searched', false, 'no_credits_free', '0']

test.each([
  [ALDER, 'verified', 'verified', 1],
  [BRACKEN, 'needs_review', 'needs_review_free', 0],
  [CORMORANT, 'not_found', 'no_match_free', 0],
] as const)('$name, when it is new and when it is known', async (company, status, reason, cost) => {
  const answer = [200, status, cost === 1, reason, String(cost)]
  const [first, second] = [await it.openAccount(), await it.openAccount()]
  const found = await ask(first, company, { headers: WAIT })
  expect(costOf(found)).toEqual(answer)
  expect(await it.movesOf(first)).toEqual(['hold company_asked', `${cost === 1 ? 'capture' : 'release'} ${reason}`])
  const known = await ask(second, company)
  expect(costOf(known)).toEqual(answer)
  expect(await it.movesOf(second)).toEqual(cost === 1 ? ['hold company_asked', 'capture verified'] : [])
  for (const [account, reply] of [
    [first, found],
    [second, known],
  ] as const) {
    expect(reply.headers.get('credits-remaining')).toBe(String(25 - cost))
    expect(await it.creditsOf(account)).toEqual({ balance: 25 - cost, held: 0, available: 25 - cost })
    const { body } = await it.call('GET', '/v1/account/usage', { key: account.key })
    expect(body.data).toEqual([expect.objectContaining({ outcome: reason, answers: 1, credits: cost })])
  }
})

test('asking again is free for 30 days, by a fresh look too and even without credits; then it costs a credit', async () => {
  const [account, company] = [await it.openAccount({ credits: 1 }), await newCompany(it)]
  expect(costOf(await ask(account, company, { headers: WAIT }))).toEqual([200, 'verified', true, 'verified', '1'])
  it.clock.advance(29 * DAY_SECONDS)
  const repeat = [200, 'verified', false, 'already_paid', '0']
  expect(costOf(await ask(account, company))).toEqual(repeat)
  expect(costOf(await ask(account, company, { refresh: true, headers: WAIT }))).toEqual(repeat)
  it.clock.advance(DAY_SECONDS + 60)
  expect(costOf(await ask(account, company))).toEqual(NOT_SEARCHED)
})

test('who has paid and has no credits left is told when the site is gone, too', async () => {
  const [account, company] = [await it.openAccount({ credits: 1 }), await newCompany(it)]
  await ask(account, company, { headers: WAIT })
  it.web.setSite(company.domain, null)
  it.clock.advance(15 * 60 + 1)
  const gone = [200, 'not_found', false, 'no_match_free', '0']
  expect(costOf(await ask(account, company, { refresh: true, headers: WAIT }))).toEqual(gone)
  expect(costOf(await ask(account, company))).toEqual(gone)
  expect(costOf(await ask(await it.openAccount({ credits: 0 }), company))).toEqual(gone)
})

test('what was found is served for 30 days, what was not found for 7; then it is looked for again', async () => {
  const account = await it.openAccount({ credits: 100 })
  const [verified, nowhere] = [await newCompany(it), await newCompany(it, null)]
  for (const company of [verified, nowhere]) await ask(account, company, { headers: WAIT })
  const statusOf = async (company: { number: string }) => (await ask(account, company)).body.website.status
  it.clock.advance(7 * DAY_SECONDS - 120)
  expect(await statusOf(nowhere)).toBe('not_found')
  it.clock.advance(240)
  expect([await statusOf(nowhere), await statusOf(verified)]).toEqual(['searching', 'verified'])
  await it.settle()
  it.clock.advance(23 * DAY_SECONDS - 360)
  expect(await statusOf(verified)).toBe('verified')
  it.web.setSite(verified.domain, null)
  it.clock.advance(360)
  expect(await statusOf(verified)).toBe('searching')
})

test('an account without credits gets the company and every free answer; what could cost a credit is not searched', async () => {
  const [poor, rich] = [await it.openAccount({ credits: 0 }), await it.openAccount()]
  const [fresh, verified, without] = [await newCompany(it), await newCompany(it), await newCompany(it, null)]
  for (const company of [verified, without]) await ask(rich, company, { headers: WAIT })
  for (const company of [fresh, verified]) {
    const reply = await ask(poor, company)
    expect(costOf(reply)).toEqual(NOT_SEARCHED)
    expect(reply.body.company.company_name).toBe(company.name)
    expect(reply.body.website).toMatchObject({ domain: null, evidence: [], resolution_id: null, job_id: null })
    expect(reply.body.website.message).toMatch(/Get credits and ask again/)
    expect(reply.headers.get('credits-remaining')).toBe('0')
  }
  expect(costOf(await ask(poor, without))).toEqual([200, 'not_found', false, 'no_match_free', '0'])
  await it.settle()
  expect([it.web.stats.byHost.get(fresh.domain), await it.movesOf(poor)]).toEqual([undefined, []])
})

test('two accounts that ask at once: one search, two jobs, two credits', async () => {
  const [alone, company] = [await newCompany(it), await newCompany(it)]
  await ask(await it.openAccount(), alone, { headers: WAIT })
  const accounts = [await it.openAccount(), await it.openAccount()]
  const replies = await whileNoWorkEnds(it.app, async () => {
    const asked = await Promise.all(accounts.map((account) => ask(account, company)))
    for (const account of accounts) expect(await it.creditsOf(account)).toEqual({ balance: 25, held: 1, available: 24 })
    return asked
  })
  const jobs = replies.map(({ body }) => body.website.job_id as string)
  expect([new Set(jobs).size, ...replies.map(({ body }) => body.website.status)]).toEqual([2, 'searching', 'searching'])
  await it.settle()
  expect(it.web.stats.byHost.get(company.domain)).toBe(it.web.stats.byHost.get(alone.domain))
  expect(await it.app.db.query('select from website_search where company_number = $1', [company.number])).toHaveLength(
    1,
  )
  for (const [index, account] of accounts.entries()) {
    const { body } = await it.call('GET', `/v1/enrich/status/${jobs[index]}`)
    expect(body).toMatchObject({ status: 'completed', charged: true, charge_reason: 'verified' })
    expect(await it.movesOf(account)).toEqual(['hold company_asked', 'capture verified'])
  }
})

test('a search that nobody ended in 15 minutes has failed, and gives the credit back', async () => {
  const [account, company] = [await it.openAccount({ credits: 1 }), await newCompany(it)]
  const { status_url: url } = await whileNoWorkEnds(it.app, async () => {
    const { website } = (await ask(account, company)).body
    await waitUntilRead(it.web, company.domain)
    it.clock.advance(15 * 60 + 1)
    await it.runJob(sweepResolutionsJob)
    return website
  })
  const { body, headers } = await it.call('GET', url)
  expect(body).toMatchObject({ status: 'failed', charge_reason: 'failed_free', website: { status: 'failed' } })
  expect([body.error_message, headers.get('retry-after')]).toEqual([expect.stringMatching(/Nothing was charged/), null])
  expect(await it.movesOf(account)).toEqual(['hold company_asked', 'release failed_free'])
})

test('a request repeated under its Idempotency-Key gets the same answer and is charged once', async () => {
  const [account, company] = [await it.openAccount({ credits: 5 }), await newCompany(it)]
  const keyed = { headers: { ...WAIT, 'idempotency-key': 'row-1' } }
  const { running } = await whileNoWorkEnds(it.app, async () => {
    const running = ask(account, company, keyed)
    await waitUntilRead(it.web, company.domain)
    const early = await ask(account, company, keyed)
    expect([early.status, early.body.code]).toEqual([409, 'idempotency_key_in_use'])
    return { running }
  })
  const first = await running
  expect(costOf(first)).toEqual([200, 'verified', true, 'verified', '1'])
  const again = await ask(account, company, keyed)
  expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body])
  expect([again.headers.get('credits-spent'), again.headers.get('credits-remaining')]).toEqual(['0', '4'])
  const reused = await ask(account, ALDER, keyed)
  expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused'])
  expect(await it.movesOf(account)).toEqual(['hold company_asked', 'capture verified'])
})

test('a search repeated under its key is the same job, to be asked for as soon', async () => {
  const [account, company] = [await it.openAccount({ credits: 5 }), await newCompany(it)]
  const keyed = { headers: { 'idempotency-key': 'row-2' } }
  await whileNoWorkEnds(it.app, async () => {
    const [first, again] = [await ask(account, company, keyed), await ask(account, company, keyed)]
    expect(again.body.website.job_id).toBe(first.body.website.job_id)
    expect([first.headers.get('retry-after'), again.headers.get('retry-after')]).toEqual(['2', '2'])
    expect((await it.creditsOf(account)).held).toBe(1)
  })
})

test('the job of a search is not the partner endpoint’s, while it runs and after', async () => {
  const [account, company] = [await it.openAccount(), await newCompany(it)]
  const asked = await whileNoWorkEnds(it.app, async () => {
    const { website } = (await ask(account, company)).body
    const open = await it.call('GET', `/v1/partner/enrich-company/${website.job_id}`, { key: account.key })
    expect([open.status, open.body.code]).toEqual([404, 'not_found'])
    return website
  })
  await it.settle()
  const ended = await it.call('GET', `/v1/partner/enrich-company/${asked.job_id}`, { key: account.key })
  expect([ended.status, ended.body.code]).toEqual([404, 'not_found'])
  expect((await it.call('GET', asked.status_url)).status).toBe(200)
})

describe('with a test key', () => {
  const TS = ['TS000001', 'TS000002', 'TS000003', 'TS000004', 'TS000005', 'TS000006', 'TS000007']
  const play = (number: string, headers: Record<string, string> = {}) =>
    it.call('POST', PATH, { key: account.testKey, body: { company_number: number }, headers })
  let account: TestKeys
  beforeAll(async () => {
    account = await it.openAccount({ credits: 0 })
  })

  test.each([
    ['TS000001', 'verified', 'matched.test', 1],
    ['TS000002', 'needs_review', 'needs-review.test', 0],
    ['TS000003', 'not_found', null, 0],
    [' ts 000001 ', 'verified', 'matched.test', 1],
  ] as const)('%s is %s at once, and free', async (number, status, domain, proofs) => {
    const { body, headers, ...reply } = await play(number)
    expect([reply.status, body.company.company_number]).toEqual([200, number.replaceAll(' ', '').toUpperCase()])
    expect(body.website).toMatchObject({ status, domain, charged: false, charge_reason: 'test_mode', job_id: null })
    expect([body.website.evidence.length, headers.get('credits-spent')]).toEqual([proofs, '0'])
  })

  test('TS000004 is found after five seconds', async () => {
    const { status, body, headers } = await play('TS000004', { prefer: 'wait=1' })
    expect([status, body.website.status, headers.get('retry-after')]).toEqual([200, 'searching', '2'])
    const { status_url: url, job_id: jobId } = body.website
    const statusOf = async () => (await it.call('GET', url)).body
    expect(await statusOf()).toMatchObject({ status: 'processing', job_id: jobId, website: { status: 'searching' } })
    it.clock.advance(5)
    const { website, ...job } = await statusOf()
    expect(job).toMatchObject({ status: 'completed', company_number: 'TS000004', charge_reason: 'test_mode' })
    expect(website).toMatchObject({ status: 'verified', domain: 'matched.test', charged: false })
  })

  test('TS000005 is a search that has failed', async () => {
    const { status, body, headers } = await play('TS000005')
    expect([status, body.website.status, headers.get('retry-after')]).toEqual([200, 'failed', null])
    const job = await it.call('GET', body.website.status_url)
    expect(job.body).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/always fails/) })
    expect(job.body.website.status).toBe('failed')
  })

  test('TS000006 is not searched for want of credits, and TS000007 is the error', async () => {
    const [poor, busy] = [await play('TS000006'), await play('TS000007')]
    expect([poor.status, poor.body.company.company_number]).toEqual([200, 'TS000006'])
    expect(poor.body.website).toMatchObject({ status: 'not_searched', charge_reason: 'test_mode', domain: null })
    expect([busy.status, busy.body.code, busy.headers.get('retry-after')]).toEqual([429, 'rate_limited', '2'])
  })

  test('other companies are not found, and those that a test key knows are named', async () => {
    for (const number of [ALDER.number, 'TS000008', 'constructor', '!']) {
      const { status, body } = await play(number)
      expect([number, status, body.code]).toEqual([number, 404, 'company_not_found'])
      expect(body.detail.match(/TS\d+/g)).toEqual(TS)
    }
    const named = await it.call('POST', PATH, { key: account.testKey, body: { company_name: ALDER.name } })
    expect(named.body.code).toBe('company_not_found')
    expect((await it.call('POST', PATH, { key: account.testKey, body: {} })).status).toBe(400)
    const live = await it.openAccount()
    expect((await ask(live, { number: 'TS000001' })).status).toBe(404)
  })
})
