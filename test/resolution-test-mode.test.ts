/** With a test key a program can be tried against every answer there is: nothing is spent, no web site is touched. */
import { describe, expect, test } from 'vitest'
import { ALDER, siteOf } from './setup/companies.ts'
import { prepare, useTestService } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER], sites: { 'alderfinch.co.uk': siteOf(ALDER) } })
const account = prepare(() => it.openAccount())

const ANSWERED = [
  'matched.test',
  'needs-review.test',
  'no-match.test',
  'non-uk.test',
  'scrape-failed.test',
  'slow.test',
  'failed.test',
  'no-credits.test',
  'rate-limited.test',
]

const ask = (path: string, domain: string, headers: Record<string, string> = {}) =>
  it.call('POST', path, { key: account.testKey, body: { domain }, headers })

describe.each(['/v1/enrich', '/v1/resolve/domain', '/v1/partner/enrich-company'])('POST %s', (path) => {
  const isFlat = !path.includes('resolve')

  test.each([
    ['matched.test', 'matched'],
    ['needs-review.test', 'needs_review'],
    ['no-match.test', 'no_match'],
    ['non-uk.test', 'non_uk_entity'],
    ['scrape-failed.test', 'scrape_failed'],
    [' Matched.TEST ', 'matched'],
  ])('%s is %s at once, and free', async (domain, outcome) => {
    const { status, body, headers } = await ask(path, domain)
    expect([status, body.status, body.input_domain]).toEqual([200, 'completed', domain.trim()])
    expect([body.charged, body.charge_reason]).toEqual([false, 'test_mode'])
    expect([headers.get('credits-spent'), headers.get('credits-remaining')]).toEqual(['0', '25'])
    const isMatch = outcome === 'matched'
    const company = isFlat ? body.result : body.company
    expect(isFlat ? body.result.match_status : body.outcome).toBe(outcome)
    expect(company?.company_number ?? null).toBe(isMatch ? 'TS000001' : null)
    const candidates = isFlat ? body.result.review_candidates : body.candidates
    const listed = outcome === 'needs_review' || (isMatch && !isFlat) ? 1 : 0
    expect(candidates).toHaveLength(listed)
    if (path !== '/v1/partner/enrich-company') expect(body.evidence).toHaveLength(isMatch ? 1 : 0)
  })

  test('slow.test is a job that is done after five seconds', async () => {
    const { status, body, headers } = await ask(path, 'slow.test', { prefer: 'wait=1' })
    expect([status, body.status, body.charge_reason]).toEqual([202, 'processing', 'test_mode'])
    expect([headers.get('retry-after'), headers.get('location')]).toEqual(['2', body.status_url])
    const read = () => it.call('GET', body.status_url, { key: account.testKey })
    it.clock.advance(3)
    expect((await read()).body.status).toBe('processing')
    it.clock.advance(2)
    const done = await read()
    expect(done.body).toMatchObject({ status: 'completed', charged: false, charge_reason: 'test_mode' })
    expect(done.body.result).toMatchObject({ match_status: 'matched', company_number: 'TS000001' })
  })

  test('slow.test is answered in one request by whoever waits for ten seconds', async () => {
    const queued = () => it.app.db.query(`select from resolution_job where subject = 'slow.test'`)
    const before = (await queued()).length
    const waiting = ask(path, 'slow.test', { prefer: 'wait=30' })
    await expect.poll(async () => (await queued()).length).toBe(before + 1)
    it.clock.advance(5)
    const { status, body, headers } = await waiting
    expect([status, body.status, body.charge_reason]).toEqual([200, 'completed', 'test_mode'])
    expect(headers.get('preference-applied')).toBe('wait=30')
  })

  test('failed.test is a job that has failed', async () => {
    const { status, body, headers } = await ask(path, 'failed.test')
    expect([status, body.status, body.charged]).toEqual([202, 'failed', false])
    expect(body.error_message).toMatch(/always fails/)
    expect(headers.get('retry-after')).toBeNull()
    expect((await it.call('GET', body.status_url, { key: account.testKey })).body).toEqual(body)
  })

  test('no-credits.test and rate-limited.test are those errors', async () => {
    const poor = await ask(path, 'no-credits.test')
    expect([poor.status, poor.body.code]).toEqual([402, 'insufficient_credits'])
    const busy = await ask(path, 'rate-limited.test')
    expect([busy.status, busy.body.code, busy.headers.get('retry-after')]).toEqual([429, 'rate_limited', '2'])
  })

  test.each(['alderfinch.co.uk', 'other.test', 'constructor', 'gmail.com'])(
    'refuses %s and names the domains that a test key answers',
    async (domain) => {
      const { status, body } = await ask(path, domain)
      expect([status, body.code]).toEqual([400, 'invalid_domain'])
      expect(body.detail.match(/[\w-]+\.test\b/g)).toEqual(ANSWERED)
    },
  )
})

test('an account without credits can try everything', async () => {
  const poor = await it.openAccount({ credits: 0 })
  const { status } = await it.call('POST', '/v1/enrich', { key: poor.testKey, body: { domain: 'matched.test' } })
  expect(status).toBe(200)
})

test('a test job is its account’s alone at the partner endpoint', async () => {
  const { body } = await ask('/v1/partner/enrich-company', 'slow.test')
  const stranger = await it.openAccount()
  expect((await it.call('GET', body.status_url, { key: stranger.testKey })).status).toBe(404)
  expect((await it.call('GET', `/v1/enrich/status/${body.job_id}`)).status).toBe(200)
})

test('Idempotency-Key and Prefer are taken as they are with a live key', async () => {
  const keyed = { 'idempotency-key': 'row-1' }
  const [first, again] = [await ask('/v1/enrich', 'slow.test', keyed), await ask('/v1/enrich', 'slow.test', keyed)]
  expect([again.status, again.body.job_id]).toEqual([202, first.body.job_id])
  expect((await ask('/v1/enrich', 'matched.test', keyed)).status).toBe(422)
})

test('after all of this no site was asked, no credit was moved and no work is queued', async () => {
  await it.settle()
  expect(it.web.stats.connections).toBe(0)
  const { body } = await it.call('GET', '/v1/account/ledger', { key: account.key })
  expect(body.data.map(({ reason }: { reason: string }) => reason)).toEqual(['welcome'])
  expect((await it.call('GET', '/v1/account/usage', { key: account.key })).body.data).toEqual([])
  for (const table of ['resolution', 'paid_subject']) {
    expect([table, await it.app.db.query(`select from ${table}`)]).toEqual([table, []])
  }
  const queues = (await it.app.jobs.listQueues()).filter(({ name }) => name.startsWith('resolution.'))
  expect(queues.map(({ ready, deferred, active }) => ready + deferred + active)).toEqual(queues.map(() => 0))
})
