/** The address that a 202 gives leads to the same body as the 200 it replaces, with the members that every job has. */
import { describe, expect, test } from 'vitest'
import { ALDER, BRACKEN, publish, siteNaming, siteWithoutCompany, whileNoWorkEnds } from './setup/companies.ts'
import { prepare, useTestService } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER, BRACKEN] })
const account = prepare(() => it.openAccount({ credits: 100 }))

const PATHS = ['/v1/enrich', '/v1/resolve/domain', '/v1/partner/enrich-company'] as const
/** Members that the contract requires of a completed job, and of the result in it. */
const COMPLETED = ['status', 'input_domain', 'charged', 'charge_reason', 'result']
const REQUIRED = ['match_status', 'recent_resignations', 'review_candidates']

const ask = (path: string, domain: string, headers: Record<string, string> = {}) =>
  it.call('POST', path, { key: account.key, body: { domain }, headers })

async function ended(url: string, credential: object = { key: account.key }) {
  const read = () => it.call('GET', url, credential)
  await expect.poll(async () => (await read()).body.status).toBe('completed')
  return (await read()).body
}

/** Leaves out the members in which the first answer of a job differs from a later one. */
function withoutCharge({ charged: _charged, charge_reason: _reason, ...body }: Record<string, unknown>) {
  return body
}

describe.each(PATHS)('polling a job of POST %s', (path) => {
  test.each([
    ['a match', () => publish(it.web)],
    ['a review', () => publish(it.web, siteNaming(BRACKEN))],
    ['nobody', () => publish(it.web, siteWithoutCompany())],
  ])('gives the whole payload of the endpoint: %s', async (_what, publishSite) => {
    const domain = publishSite()
    const queued = await ask(path, domain)
    expect(queued.status).toBe(202)
    const polled = await ended(queued.body.status_url)
    const again = await ask(path, domain)
    expect(again.status).toBe(200)
    expect(withoutCharge(polled)).toMatchObject(withoutCharge(again.body))
    expect(Object.keys(polled)).toEqual(expect.arrayContaining(COMPLETED))
    expect(Object.keys(polled.result)).toEqual(expect.arrayContaining(REQUIRED))
    expect(polled.result.match_status).toBe(again.body.outcome ?? again.body.result.match_status)
    if (path === '/v1/resolve/domain') {
      expect(withoutCharge(polled.result)).toMatchObject(withoutCharge(again.body))
      expect(polled.resolution_id).toMatch(/^res_/)
    }
    if (path === '/v1/partner/enrich-company')
      expect(Object.keys(polled).sort()).toEqual(Object.keys(again.body).sort())
    expect([polled.input_domain, polled.domain]).toEqual([domain, domain])
  })

  test('repeating a request under its key gives the answer once the job is done, not the 202 of before', async () => {
    const domain = publish(it.web)
    const headers = { 'idempotency-key': `again:${path}` }
    const first = await whileNoWorkEnds(it.app, async () => {
      const queued = await ask(path, domain, headers)
      const early = await ask(path, domain, headers)
      expect([early.status, early.body.job_id]).toEqual([202, queued.body.job_id])
      expect(early.headers.get('idempotency-replayed')).toBe('true')
      return queued
    })
    const done = await ask(path, domain, { ...headers, prefer: 'wait=30' })
    expect([done.status, done.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(done.body).toMatchObject({ status: 'completed', charged: true, charge_reason: 'matched' })
    expect(done.headers.get('credits-spent')).toBe('0')
    const polled = await ended(first.body.status_url)
    expect(polled).toMatchObject(done.body)
  })

  test('takes the key and the session of an account alike, and a refusal names what is accepted', async () => {
    const domain = publish(it.web)
    await ask(path, domain, { prefer: 'wait=30' })
    const body = { domain }
    expect((await it.call('POST', path, { token: account.token, body })).status).toBe(200)
    const refused = await it.call('POST', path, { body })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="nameplate"'])
    const { body: job } = await ask(path, publish(it.web))
    expect((await it.call('GET', job.status_url, { token: account.token })).status).toBe(200)
  })
})

test('the job of a company has the members of every job, and the company with its site in its result', async () => {
  const domain = publish(it.web)
  await ask('/v1/resolve/domain', domain, { prefer: 'wait=30' })
  const body = { company_number: ALDER.number, refresh: true }
  const headers = { 'idempotency-key': 'company' }
  const queued = await whileNoWorkEnds(it.app, async () => {
    const queued = await it.call('POST', '/v1/resolve/company', { key: account.key, body, headers })
    expect(queued.body.website.status).toBe('searching')
    const { body: open } = await it.call('GET', queued.body.website.status_url)
    expect(open).toMatchObject({ input_domain: null, company_number: ALDER.number, charged: false, result: null })
    return queued
  })
  const polled = await ended(queued.body.website.status_url)
  expect(Object.keys(polled)).toEqual(expect.arrayContaining([...COMPLETED, 'company_number', 'job_id', 'domain']))
  expect(polled).toMatchObject({ status: 'completed', input_domain: null, company_number: ALDER.number })
  expect(polled.website.status).toBe('verified')
  expect(polled.domain).toBe(polled.website.domain)
  expect(Object.keys(polled.result)).toEqual(expect.arrayContaining(REQUIRED))
  expect(polled.result).toMatchObject({
    match_status: 'matched',
    company_number: ALDER.number,
    company: { company_number: ALDER.number },
    website: polled.website,
  })
  const replayed = await it.call('POST', '/v1/resolve/company', { key: account.key, body, headers })
  expect(replayed.body.website).toEqual(polled.website)
})

test('a test company that is searched for slowly is answered in one request by whoever waits, and its job is whole', async () => {
  const body = { company_number: 'TS000004' }
  const headers = { prefer: 'wait=30' }
  const waiting = it.call('POST', '/v1/resolve/company', { key: account.testKey, body, headers })
  const queued = () => it.app.db.query(`select from resolution_job where subject = 'TS000004'`)
  await expect.poll(async () => (await queued()).length).toBe(1)
  it.clock.advance(5)
  const { website } = (await waiting).body
  expect(website.status).toBe('verified')
  const { body: job } = await it.call('GET', website.status_url)
  expect(job).toMatchObject({ status: 'completed', input_domain: null, company_number: 'TS000004' })
  expect(job.result).toMatchObject({ match_status: 'matched', company: { company_number: 'TS000004' } })
})
