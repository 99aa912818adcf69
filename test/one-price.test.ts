/** One fact has one price: in both directions, however often and however late it is answered. */
import { afterEach, expect, test } from 'vitest'
import { releaseExpiredHoldsJob } from '../src/credits/index.ts'
import { newCompany, siteOf, waitUntilRead, whileNoWorkEnds } from './setup/companies.ts'
import { DAY_SECONDS, HOUR_SECONDS, type Reply, type TestKeys, useTestService, WAIT } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'

const it = useTestService({ companies: [] })

afterEach(() => it.expectBalanced())

const askDomain = ({ key }: TestKeys, { domain }: { domain: string }, headers: Record<string, string> = WAIT) =>
  it.call('POST', '/v1/resolve/domain', { key, body: { domain }, headers })
const askCompany = (
  { key }: TestKeys,
  { number }: { number: string },
  { refresh = false, headers = WAIT }: { refresh?: boolean; headers?: Record<string, string> } = {},
) => it.call('POST', '/v1/resolve/company', { key, body: { company_number: number, refresh }, headers })
const costOf = ({ status, body }: Reply) => {
  const charge = body.website ?? body
  return [status, charge.charged, charge.charge_reason]
}
const statusOf = async (url: string) => (await it.call('GET', url)).body
const sweepHolds = () => it.runJob(releaseExpiredHoldsJob)

test('an answer that comes later than an hour is charged like any other', async () => {
  const [account, company] = [await it.openAccount({ credits: 1 }), await newCompany(it)]
  const queued = await whileNoWorkEnds(it.app, async () => {
    const reply = await askDomain(account, company, {})
    await waitUntilRead(it.web, company.domain)
    // So that the sweep does not give the work up meanwhile.
    await it.app.db.query(`update resolution_work set deadline_at = deadline_at + interval '1 day'`)
    it.clock.advance(2 * HOUR_SECONDS)
    await sweepHolds()
    expect(await it.creditsOf(account)).toEqual({ balance: 1, held: 1, available: 0 })
    return reply.body
  })
  await it.settle()
  const job = await statusOf(queued.status_url)
  expect(job).toMatchObject({ status: 'completed', charged: true, charge_reason: 'matched' })
  expect((await it.creditsOf(account)).balance).toBe(0)
})

/** Releases the hold while the work still runs. */
async function loseHold(jobId: string): Promise<void> {
  await it.app.db.query(
    `update credit_hold set expires_at = created_at where id = (select hold_id from resolution_job where id = $1)`,
    [jobId],
  )
  await sweepHolds()
}

test('a match whose hold is gone is held for again and charged, and can be refunded', async () => {
  const [account, company] = [await it.openAccount({ credits: 1 }), await newCompany(it)]
  const queued = await whileNoWorkEnds(it.app, async () => {
    const reply = await askDomain(account, company, {})
    await loseHold(reply.body.job_id)
    expect((await it.creditsOf(account)).held).toBe(0)
    return reply.body
  })
  await it.settle()
  const job = await statusOf(queued.status_url)
  expect(job).toMatchObject({ status: 'completed', charged: true, result: { company_number: company.number } })
  expect(await it.creditsOf(account)).toEqual({ balance: 0, held: 0, available: 0 })
  const { body } = await askDomain(account, company)
  expect(body.charge_reason).toBe('already_paid')
  const dispute = { key: account.key, body: { reason: 'It is another company.' } }
  await it.call('POST', `/v1/resolutions/${body.resolution_id}/dispute`, dispute)
  expect((await it.creditsOf(account)).balance).toBe(1)
  const own = await it.call('GET', queued.status_url, { key: account.key })
  expect(own.body).toMatchObject({ charged: false, charge_reason: 'refunded' })
})

test('a match whose hold is gone is withheld when the account has no credit left, and is never free', async () => {
  const [account, company, other] = [await it.openAccount({ credits: 1 }), await newCompany(it), await newCompany(it)]
  await askDomain(await it.openAccount(), other)
  const queued = await whileNoWorkEnds(it.app, async () => {
    const reply = await askDomain(account, company, {})
    await loseHold(reply.body.job_id)
    expect(costOf(await askDomain(account, other))).toEqual([200, true, 'matched'])
    return reply.body
  })
  await it.settle()
  const job = await statusOf(queued.status_url)
  expect(job).toMatchObject({ status: 'failed', charged: false, charge_reason: 'no_credits_free' })
  expect(job.error_message).toMatch(/Get credits and ask again/)
  expect(JSON.stringify(job)).not.toContain(company.number)
  const partner = await it.call('GET', `/v1/partner/enrich-company/${queued.job_id}`, { key: account.key })
  expect(partner.body).toMatchObject({ status: 'failed' })
  expect((await askDomain(account, company)).status).toBe(402)
  expect(await it.app.db.query('select from paid_fact where account_id = $1', [account.id])).toHaveLength(1)
})

test('the ledger names the domain or the company that each credit was for', async () => {
  const [account, company, other] = [await it.openAccount({ credits: 5 }), await newCompany(it), await newCompany(it)]
  await askDomain(account, company)
  await askCompany(account, other)
  const list = async (query: string) => {
    const { data } = (await it.call('GET', `/v1/account/ledger?limit=100${query}`, { key: account.key })).body
    return data.map(({ kind, subject }: { kind: string; subject: string | null }) => [kind, subject])
  }
  expect((await list('')).slice(0, 4)).toEqual([
    ['capture', other.number],
    ['hold', other.number],
    ['capture', company.domain],
    ['hold', company.domain],
  ])
  const answers = await list('&only=answers')
  expect(answers.slice(0, 2)).toEqual([
    ['capture', other.number],
    ['capture', company.domain],
  ])
  expect(answers.filter(([kind]: string[]) => kind === 'hold')).toEqual([])
  expect(answers.at(-1)).toEqual(['grant', null])
})

test('a reservation under way is in the ledger of answers until it ends', async () => {
  const [account, company] = [await it.openAccount({ credits: 5 }), await newCompany(it)]
  const newest = async () => {
    const { data } = (await it.call('GET', '/v1/account/ledger?limit=1&only=answers', { key: account.key })).body
    return [data[0].kind, data[0].subject]
  }
  await whileNoWorkEnds(it.app, async () => {
    await askDomain(account, company, {})
    expect(await newest()).toEqual(['hold', company.domain])
  })
  await it.settle()
  expect(await newest()).toEqual(['capture', company.domain])
})

test('a job whose hold is gone is free when a later job of the account pays for the same match', async () => {
  const [account, company] = [await it.openAccount({ credits: 1 }), await newCompany(it)]
  const [first, second] = await whileNoWorkEnds(it.app, async () => {
    const early = await askDomain(account, company, {})
    await loseHold(early.body.job_id)
    const late = await askDomain(account, company, {})
    return [early.body, late.body]
  })
  await it.settle()
  expect(await statusOf(first.status_url)).toMatchObject({ status: 'completed', charge_reason: 'already_paid' })
  expect(await statusOf(second.status_url)).toMatchObject({ status: 'completed', charge_reason: 'matched' })
  expect(await it.creditsOf(account)).toEqual({ balance: 0, held: 0, available: 0 })
})

test('the same subject asked three times while it is pending, with one credit, is three jobs and one hold', async () => {
  const asks = {
    matched: (account: TestKeys, one: { domain: string }) => askDomain(account, one, {}),
    verified: (account: TestKeys, one: { number: string }) => askCompany(account, one, { headers: {} }),
  }
  for (const [outcome, ask] of Object.entries(asks)) {
    const [account, company] = [await it.openAccount({ credits: 1 }), await newCompany(it)]
    const replies = await whileNoWorkEnds(it.app, async () => {
      const asked = await Promise.all([1, 2, 3].map(() => ask(account, company)))
      expect(await it.creditsOf(account)).toEqual({ balance: 1, held: 1, available: 0 })
      return asked
    })
    const urls = replies.map(({ body }) => (body.website ?? body).status_url as string)
    expect(new Set(urls).size).toBe(3)
    await it.settle()
    const jobs = await Promise.all(urls.map(statusOf))
    const charges = jobs.map(({ status, charged, charge_reason: reason }) => `${status} ${charged} ${reason}`)
    expect(charges.sort()).toEqual([
      'completed false already_paid',
      'completed false already_paid',
      `completed true ${outcome}`,
    ])
    expect(await it.creditsOf(account)).toEqual({ balance: 0, held: 0, available: 0 })
  }
})

test('a domain resolved to a company, and then that company’s site, is charged once for 30 days', async () => {
  const [account, company] = [await it.openAccount({ credits: 1 }), await newCompany(it)]
  expect(costOf(await askDomain(account, company))).toEqual([200, true, 'matched'])
  const provenTo = async ({ key }: TestKeys) =>
    (await it.call('GET', `/v1/companies/${company.number}`, { key })).body.proven_websites
  expect(await provenTo(account)).toMatchObject([{ domain: company.domain, evidence_url: expect.any(String) }])
  expect(await provenTo(await it.openAccount())).toEqual([])
  it.clock.advance(29 * DAY_SECONDS)
  // No account has looked for its site yet, and no credit is left to hold.
  const found = await askCompany(account, company)
  expect(costOf(found)).toEqual([200, false, 'already_paid'])
  expect(found.body.website).toMatchObject({ status: 'verified', domain: company.domain })
  expect(costOf(await askCompany(account, company))).toEqual([200, false, 'already_paid'])
  it.clock.advance(DAY_SECONDS + 60)
  expect(costOf(await askCompany(account, company))).toEqual([200, false, 'no_credits_free'])
})

test('a company’s site, and then the company behind that domain, is charged once by every way of asking', async () => {
  const [account, company] = [await it.openAccount({ credits: 1 }), await newCompany(it)]
  expect(costOf(await askCompany(account, company))).toEqual([200, true, 'verified'])
  for (const path of ['/v1/resolve/domain', '/v1/enrich', '/v1/partner/enrich-company']) {
    const reply = await it.call('POST', path, { key: account.key, body: { domain: company.domain } })
    expect([path, ...costOf(reply)]).toEqual([path, 200, false, 'already_paid'])
  }
  await using agent = await connect(it, { 'x-api-key': account.key })
  const result = await agent.ask('find_company_behind_domain', { domain: company.domain })
  expect(result.structured).toMatchObject({ outcome: 'matched', charged: false, charge_reason: 'already_paid' })
  const rows = { key: account.key, body: { domains: [company.domain] } }
  expect((await it.call('POST', '/v1/bulk?preflight=true', rows)).body).toMatchObject({
    already_paid: 1,
    credits_max: 0,
  })
  const bulk = await it.call('POST', '/v1/bulk', rows)
  await it.settle()
  const results = await it.call('GET', `/v1/bulk/${bulk.body.id}/results?format=csv`, { key: account.key })
  expect(String(results.body)).toContain('already_paid')
  expect((await it.creditsOf(account)).balance).toBe(0)
})

test('both directions of a known fact at once are charged once', async () => {
  const company = await newCompany(it)
  const first = await it.openAccount()
  await askCompany(first, company)
  const account = await it.openAccount({ credits: 5 })
  const asks = [1, 2, 3].flatMap(() => [askDomain(account, company), askCompany(account, company)])
  const reasons = (await Promise.all(asks)).map((reply) => costOf(reply)[1])
  expect(reasons.filter(Boolean)).toHaveLength(1)
  expect((await it.creditsOf(account)).balance).toBe(4)
})

test('another site of a company than the one that was paid for is withheld without credits, and costs one with them', async () => {
  const company = await newCompany(it)
  const elsewhere = `shop-${company.domain}`
  it.web.setSite(elsewhere, siteOf(company))
  it.web.setSite(company.domain, null)
  const account = await it.openAccount({ credits: 1 })
  expect(costOf(await askDomain(account, { domain: elsewhere }))).toEqual([200, true, 'matched'])
  it.web.setSite(elsewhere, null)
  it.web.setSite(company.domain, siteOf(company))
  it.clock.advance(HOUR_SECONDS)
  const found = await askCompany(account, company, { refresh: true })
  expect(costOf(found)).toEqual([200, false, 'no_credits_free'])
  expect(found.body.website).toMatchObject({ status: 'failed', domain: null })
})

test('a site read again after its match was refunded is charged when it names another company', async () => {
  const [company, next, account] = [await newCompany(it), await newCompany(it), await it.openAccount({ credits: 2 })]
  const { body } = await askDomain(account, company)
  it.web.setSite(company.domain, siteOf(next))
  it.clock.advance(HOUR_SECONDS)
  const queued = await whileNoWorkEnds(it.app, async () => {
    const again = { key: account.key, body: { domain: company.domain, max_age_days: 0 } }
    const reply = await it.call('POST', '/v1/resolve/domain', again)
    const dispute = { key: account.key, body: { reason: 'It is another company.' } }
    await it.call('POST', `/v1/resolutions/${body.resolution_id}/dispute`, dispute)
    return reply.body
  })
  await it.settle()
  const job = await statusOf(queued.status_url)
  // It was free when it was asked; nothing was set aside for it.
  expect(job).toMatchObject({ status: 'failed', charged: false, charge_reason: 'no_credits_free' })
  expect(costOf(await askDomain(account, company))).toEqual([200, true, 'matched'])
})
