/** A review lists all there is to look at. The person's decision is kept, applies to that account alone, and is free. */
import { afterEach, expect, test } from 'vitest'
import { type PlainCompany } from '../rig/companies.ts'
import { applyPscs } from '../src/register/pscs/apply-pscs.ts'
import { toPscRow } from '../src/register/pscs/psc-row.ts'
import { ALDER, BRACKEN, page, publish, siteNaming, siteOf } from './setup/companies.ts'
import { createPlainCall, DAY_SECONDS, type TestKeys, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'
import { ANSWERING, costOf, reviewCalls } from './setup/reviews.ts'
import { receiveAnswers } from './setup/webhooks.ts'

const CEDAR: PlainCompany = { number: '09104417', name: 'CEDARWICK BASKETS LIMITED', postcode: 'HG4 1AC' }

const it = useTestService({ companies: [ALDER, BRACKEN, CEDAR] })
const calls = reviewCalls(it)
afterEach(() => it.expectBalanced())

const readsOf = (domain: string) => it.web.stats.byHost.get(domain) ?? 0
const publishDoubtful = () => publish(it.web, siteNaming(BRACKEN))

/** An account with a domain on its list. */
async function withReview(account?: TestKeys) {
  const asker = account ?? (await it.openAccount())
  const domain = publishDoubtful()
  const { body } = await calls.ask(asker, domain)
  expect(body.outcome).toBe('needs_review')
  return { account: asker, domain, item: await calls.find(asker, domain), answer: body }
}

test('an answer that needs review stands on the list of who asked, with candidates, reasons and the way to the evidence', async () => {
  const { account, domain, item, answer } = await withReview()
  expect(item).toEqual({
    id: expect.stringMatching(/^rev_/),
    domain,
    status: 'open',
    outcome: 'needs_review',
    confidence: answer.confidence,
    reason: answer.reason,
    doubt: 'named',
    doubt_text: 'A name without number or office',
    candidates: answer.candidates,
    resolution_id: answer.resolution_id,
    evidence_url: `/v1/resolutions/${answer.resolution_id}/evidence`,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    decision: null,
  })
  expect(item.candidates[0]).toMatchObject({
    company_number: BRACKEN.number,
    reasons: expect.arrayContaining([expect.stringContaining('The site prints the registered name')]),
  })
  expect(answer.actions.map(({ action }: { action: string }) => action)).toContain('review')
  const { body } = await it.call('GET', `/v1/reviews/${item.id}`, { key: account.key })
  expect(body).toMatchObject({ ...item, evidence: answer.evidence, explanation: answer.explanation, history: [] })

  const [late, stranger] = [await it.openAccount(), await it.openAccount()]
  await calls.ask(late, domain)
  expect((await calls.find(late, domain)).id).not.toBe(item.id)
  expect(await calls.list(stranger)).toEqual([])
  expect((await it.call('GET', `/v1/reviews/${item.id}`, { key: late.key })).status).toBe(404)
})

test('candidates of one group are named as such, in the answer, in the review and to agents', async () => {
  const parent = (id: string, companyNumber: string) => ({
    row: toPscRow(companyNumber, id, {
      kind: 'corporate-entity-person-with-significant-control',
      name: CEDAR.name,
      natures_of_control: ['ownership-of-shares-75-to-100-percent'],
      notified_on: '2020-01-02',
      identification: { country_registered: 'England', registration_number: CEDAR.number },
    }),
    isDeletion: false,
    rowHash: null,
    timepoint: 1,
    at: it.clock.now(),
    reference: 'test',
  })
  await it.app.db.transaction((tx) =>
    applyPscs(tx, [parent('a', ALDER.number), parent('b', BRACKEN.number)], {
      source: 'stream',
      isBaseline: true,
      isStale: () => false,
    }),
  )
  const stated = ({ name, number }: PlainCompany) => `${name} is registered in England, company number ${number}.`
  const words = `${stated(ALDER)} ${stated(BRACKEN)}`
  const domain = publish(it.web, { pages: { '/': page('Two mills', words), '/legal': page('Legal', words) } })
  const account = await it.openAccount()
  const { body } = await calls.ask(account, domain)
  expect([body.outcome, body.candidates.length]).toEqual(['needs_review', 2])
  const note = `are sister companies with the same parent, ${CEDAR.name}.`
  expect(body.group_notes).toEqual([expect.stringContaining(note)])
  const item = await calls.find(account, domain)
  const review = await it.call('GET', `/v1/reviews/${item.id}`, { key: account.key })
  expect(review.body.group_notes).toEqual(body.group_notes)
  await using agent = await connect(it, { 'x-api-key': account.key })
  const seen = await agent.ask('find_company_behind_domain', { domain })
  expect(seen.structured.group_notes).toEqual(body.group_notes)
  expect(seen.text).toContain(note)
  expect((await withReview()).answer.group_notes).toEqual([])
})

test('an accepted candidate is the answer from then on, at every endpoint, for nothing and without reading the site', async () => {
  const { account, domain, item } = await withReview(await it.openAccount({ credits: 1 }))
  const said = { action: 'accept', reviewer: 'Ann Archer', reason: 'The invoices say so.' }
  const decided = await calls.decide(account, item.id, said)
  expect(decided.status).toBe(200)
  expect(decided.body).toMatchObject({ status: 'decided', decision: { ...said, company_number: BRACKEN.number } })
  expect(decided.body.decision.previous).toEqual({ outcome: 'needs_review', company_number: null })
  expect(await calls.find(account, domain)).toBeUndefined()

  await calls.ask(account, publish(it.web))
  expect((await it.creditsOf(account)).available).toBe(0)
  const reads = readsOf(domain)
  // Long after the shared answer has expired.
  it.clock.advance(90 * DAY_SECONDS)
  const decidedBy = {
    action: 'accept',
    company_number: BRACKEN.number,
    reviewer: 'Ann Archer',
    reason: 'The invoices say so.',
    decided_at: decided.body.decision.decided_at,
  }
  for (const path of ANSWERING) {
    const reply = await calls.ask(account, domain, { path, headers: {} })
    expect(costOf(reply)).toEqual([200, false, 'own_decision_free', '0'])
    expect(reply.body.decided_by).toEqual(decidedBy)
    const result = reply.body.result ?? {
      match_status: reply.body.outcome,
      company_number: reply.body.company.company_number,
      match_confidence: reply.body.confidence,
      review_candidates: [],
    }
    expect(result).toMatchObject({
      match_status: 'matched',
      company_number: BRACKEN.number,
      match_confidence: null,
      review_candidates: [],
    })
  }
  const { body } = await calls.ask(account, domain)
  expect(body.reason).toMatch(/This account accepted 05820417: Ann Archer, \d{4}-\d\d-\d\d\. “The invoices say so\.”/)
  await using agent = await connect(it, { 'x-api-key': account.key })
  const { structured, text } = await agent.ask('find_company_behind_domain', { domain })
  expect(structured).toMatchObject({ outcome: 'matched', company: { company_number: BRACKEN.number } })
  expect(structured.decided_by).toMatchObject({ action: 'accept', reviewer: 'Ann Archer' })
  expect(text).toContain('the account decided it itself')
  expect(readsOf(domain)).toBe(reads)
  const usage = (await calls.usageOf(account)).data.filter(({ outcome }: { outcome: string }) =>
    outcome.startsWith('own'),
  )
  expect(usage).toEqual([expect.objectContaining({ outcome: 'own_decision_free', answers: 5, credits: 0 })])
})

test('whoever asks for something fresher has the site read, and the decision on top of it', async () => {
  const { account, domain, item } = await withReview()
  await calls.decide(account, item.id, { action: 'accept' })
  const reads = readsOf(domain)
  it.web.setSite(domain, siteOf(ALDER))
  const fresh = await calls.ask(account, domain, { maxAgeDays: 0 })
  expect(readsOf(domain)).toBeGreaterThan(reads)
  expect(costOf(fresh)).toEqual([200, false, 'own_decision_free', '0'])
  expect(fresh.body).toMatchObject({ outcome: 'matched', company: { company_number: BRACKEN.number } })
  expect(fresh.body.resolution_id).not.toBe(item.resolution_id)
  expect(await it.movesOf(account)).toEqual(
    expect.arrayContaining(['release needs_review_free', 'release own_decision_free']),
  )
})

test('all candidates can be rejected, and any company of the register named; the last word counts, and all are kept', async () => {
  const { account, domain, item } = await withReview()
  const rejected = await calls.decide(account, item.id, { action: 'reject', reason: 'A reseller.' })
  expect(rejected.body.decision).toMatchObject({
    action: 'reject',
    company_number: null,
    reviewer: expect.stringContaining('@'),
  })
  const none = await calls.ask(account, domain)
  expect(none.body).toMatchObject({ outcome: 'no_match', company: null, candidates: [], confidence: null })
  expect(none.body.reason).toContain('none of the candidates')
  const flat = await calls.ask(account, domain, { path: '/v1/enrich' })
  expect(flat.body.result).toMatchObject({ match_status: 'no_match', review_candidates: [], company_number: null })
  await using agent = await connect(it, { 'x-api-key': account.key })
  expect((await agent.ask('find_company_behind_domain', { domain })).text).toContain('as this account decided')

  const named = await calls.decide(account, item.id, { action: 'reassign', company_number: '9104417' })
  expect(named.body.decision.previous).toEqual({ outcome: 'no_match', company_number: null })
  const answer = await calls.ask(account, domain)
  expect(answer.body).toMatchObject({ outcome: 'matched', company: { company_number: CEDAR.number } })
  const actions = named.body.history.map(({ action }: { action: string }) => action)
  expect(actions).toEqual(['reassign', 'reject'])
  expect(await calls.list(account, '?status=decided')).toHaveLength(1)
})

test('a decision that cannot be is refused and says why, and nothing changes', async () => {
  const { account, domain, item } = await withReview()
  for (const [body, status, words] of [
    [{ action: 'accept', company_number: ALDER.number }, 400, 'none of the candidates'],
    [{ action: 'accept', company_number: 'nonsense' }, 400, 'not a company number'],
    [{ action: 'reject', company_number: BRACKEN.number }, 400, 'reassign'],
    [{ action: 'reassign' }, 400, 'is needed'],
    [{ action: 'reassign', company_number: '00000001' }, 404, 'The register has no company 00000001'],
    [{ action: 'dispute' }, 400, 'accept, reject or reassign'],
    [{ action: 'reject', reason: 'x'.repeat(501) }, 400, 'reason'],
    [{ action: 'reject', reviewer: '  ' }, 400, 'reviewer'],
  ] as const) {
    const refused = await calls.decide(account, item.id, body)
    expect([refused.status, refused.body.detail]).toEqual([status, expect.stringContaining(words)])
  }
  expect((await calls.find(account, domain)).decision).toBeNull()
  expect((await calls.decide(account, 'rev_nobodys', { action: 'reject' })).status).toBe(404)
  expect((await calls.withdraw(account, 'rev_nobodys')).status).toBe(404)
  const bad = await it.call('GET', '/v1/reviews?status=neither', { key: account.key })
  expect([bad.status, bad.body.errors[0].field]).toEqual([400, 'status'])
  expect((await it.call('GET', `/v1/reviews/${'x'.repeat(65)}`, { key: account.key })).status).toBe(400)
  expect((await calls.withdraw(account, 'x'.repeat(65))).status).toBe(400)
})

test('a decision that is withdrawn leaves the shared answer, and the domain on the list again', async () => {
  const { account, domain, item, answer } = await withReview()
  await calls.decide(account, item.id, { action: 'reject' })
  const withdrawn = await calls.withdraw(account, item.id)
  expect(withdrawn.body).toMatchObject({
    status: 'open',
    decision: null,
    history: [{ action: 'withdraw' }, { action: 'reject' }],
  })
  const { body } = await calls.ask(account, domain)
  expect(body).toMatchObject({ outcome: 'needs_review', confidence: answer.confidence, decided_by: null })
  expect(body.charge_reason).toBe('needs_review_free')
  expect((await calls.find(account, domain)).id).toBe(item.id)
  const again = await calls.withdraw(account, item.id)
  expect([again.status, again.body.history.length]).toEqual([200, 2])
})

test('what one account decides changes nothing for another: answers, jobs, packs, rows, tools and callbacks', async () => {
  const { account, domain, item, answer } = await withReview()
  const other = await it.openAccount()
  const receiver = await receiveAnswers(it, other)
  const before = (await calls.ask(other, domain)).body
  const secret = 'Only we know the Brackenmill people.'
  await calls.decide(account, item.id, {
    action: 'reassign',
    company_number: CEDAR.number,
    reviewer: 'Zoe',
    reason: secret,
  })

  const shown: string[] = []
  const show = (text: string) => void shown.push(text)
  const after = await calls.ask(other, domain)
  expect(after.body).toEqual({ ...before, charge_reason: 'needs_review_free' })
  for (const path of ANSWERING) show((await calls.ask(other, domain, { path })).text)
  // The page is not in the OpenAPI document.
  const fetchPack = createPlainCall(it.config.baseUrl)
  const packOf = async ({ key }: TestKeys, format: string) =>
    await fetchPack('GET', `/v1/resolutions/${answer.resolution_id}/evidence?format=${format}`, { key })
  for (const format of ['json', 'html']) {
    show((await packOf(other, format)).text)
    const own = (await packOf(account, format)).text
    expect(own).toContain('Zoe')
    expect(own).toContain(CEDAR.number)
  }
  expect((await packOf(other, 'json')).body.decided_by).toBeNull()
  expect((await packOf(account, 'json')).body).toMatchObject({
    outcome: 'needs_review',
    decided_by: { action: 'reassign' },
  })

  const job = await calls.ask(other, domain, { maxAgeDays: 0, headers: {} })
  expect(job.status).toBe(202)
  await receiver.waitFor(1)
  show(receiver.received[0]?.body ?? '')
  expect(JSON.parse(receiver.received[0]?.body ?? '').data.outcome).toBe('needs_review')
  show((await it.call('GET', job.body.status_url)).text)

  const uri = `nameplate://resolutions/${answer.resolution_id}/evidence`
  for (const [keys, isOwn] of [
    [other, false],
    [account, true],
  ] as const) {
    await using agent = await connect(it, { 'x-api-key': keys.key })
    const result = await agent.ask('find_company_behind_domain', { domain })
    expect(result.structured.outcome).toBe(isOwn ? 'matched' : 'needs_review')
    const resource = JSON.stringify(await agent.client.readResource({ uri }))
    expect(resource.includes('Zoe')).toBe(isOwn)
    if (!isOwn) show(JSON.stringify(result) + resource)
  }
  for (const text of shown) {
    for (const word of ['Zoe', CEDAR.number, secret, 'own_decision']) expect(text).not.toContain(word)
  }
})

test('the account that decided is told its own answer by its jobs and its callbacks, also where the job is older', async () => {
  const account = await it.openAccount()
  const domain = publishDoubtful()
  const job = await calls.ask(account, domain, { headers: {}, path: '/v1/enrich' })
  expect(job.status).toBe(202)
  await it.settle()
  const statusOf = async () => (await it.call('GET', job.body.status_url, { key: account.key })).body
  expect((await statusOf()).result.match_status).toBe('needs_review')
  await calls.decide(account, (await calls.find(account, domain)).id, { action: 'accept' })
  expect(await statusOf()).toMatchObject({
    charged: false,
    decided_by: { action: 'accept' },
    result: { match_status: 'matched', company_number: BRACKEN.number },
  })
  const receiver = await receiveAnswers(it, account)
  await calls.ask(account, domain, { maxAgeDays: 0 })
  await receiver.waitFor(1)
  expect(JSON.parse(receiver.received[0]?.body ?? '').data).toMatchObject({
    outcome: 'matched',
    confidence: null,
    company_number: BRACKEN.number,
    company_name: BRACKEN.name,
    charged: false,
    charge_reason: 'own_decision_free',
  })
})

test('rows of a bulk are answered by the decision of the account whose bulk it is', async () => {
  const { account, domain, item } = await withReview()
  const other = await it.openAccount()
  await calls.decide(account, item.id, { action: 'accept' })
  for (const [{ key }, state] of [
    [account, 'matched'],
    [other, 'needs_review'],
  ] as const) {
    const bulk = await it.call('POST', '/v1/bulk', { key, body: { domains: [domain] } })
    const counts = async () => (await it.call('GET', `/v1/bulk/${bulk.body.id}`, { key })).body.counts[state]
    await expect.poll(counts).toBe(1)
    expect((await it.creditsOf({ key })).available).toBe(25)
  }
})

test('a newer answer of the site takes the place of the older on the list, or takes the domain off it', async () => {
  const { account, domain, item } = await withReview()
  const newer = await calls.ask(account, domain, { maxAgeDays: 0 })
  expect(await calls.find(account, domain)).toMatchObject({ id: item.id, resolution_id: newer.body.resolution_id })
  it.web.setSite(domain, siteOf(BRACKEN))
  await calls.ask(account, domain, { maxAgeDays: 0 })
  expect(await calls.find(account, domain)).toBeUndefined()
  const closed = await it.call('GET', `/v1/reviews/${item.id}`, { key: account.key })
  expect(closed.body.status).toBe('closed')
  // It was paid for, and yet has to be looked at.
  it.web.setSite(domain, siteNaming(BRACKEN))
  const other = await it.openAccount()
  await calls.ask(other, domain, { maxAgeDays: 0 })
  expect((await calls.ask(account, domain)).body.outcome).toBe('needs_review')
  expect((await calls.find(account, domain)).id).toBe(item.id)
})

test('a site that could not be read for once leaves the domain on the list', async () => {
  const { account, domain, item } = await withReview()
  it.web.setSite(domain, { pages: {} })
  const unread = await calls.ask(account, domain, { maxAgeDays: 0 })
  expect(unread.body.outcome).toBe('scrape_failed')
  expect((await calls.find(account, domain)).resolution_id).toBe(item.resolution_id)
})

test('the list goes on from a cursor, the surest first, and skips and repeats nothing', async () => {
  const account = await it.openAccount()
  const domains = await Promise.all(Array.from({ length: 5 }, async () => (await withReview(account)).domain))
  const scatter = `update review_item set confidence = case when domain = any ($2) then 0.71 else 0.3 end where account_id = $1`
  await it.app.db.query(scatter, [account.id, domains.slice(0, 3)])
  const pageAfter = async (status: string, cursor: string | null) => {
    const path = `/v1/reviews?status=${status}&limit=2${cursor === null ? '' : `&cursor=${cursor}`}`
    return (await it.call('GET', path, { key: account.key })).body
  }
  const walk = async (status: string) => {
    const seen: Array<{ id: string; domain: string }> = []
    let cursor: string | null = null
    for (let page = 0; page < 5; page += 1) {
      const body = await pageAfter(status, cursor)
      seen.push(...body.data)
      cursor = body.next_cursor
      expect(body.has_more).toBe(cursor !== null)
      if (cursor === null) break
    }
    return seen
  }
  const open = await walk('open')
  expect(new Set(open.slice(0, 3).map(({ domain }) => domain))).toEqual(new Set(domains.slice(0, 3)))
  expect(new Set(open.map(({ id }) => id)).size).toBe(5)
  expect((await calls.list(account, '?limit=2&page=3')).map(({ id }: { id: string }) => id)).toEqual([open[4]?.id])
  for (const { id } of open) await calls.decide(account, id, { action: 'reject' })
  expect((await walk('decided')).map(({ id }) => id)).toEqual(open.map(({ id }) => id).reverse())
  const [third = ''] = domains.slice(2)
  const only = await calls.list(account, `?status=decided&domain=${third.toUpperCase()}`)
  expect(only.map(({ domain }: { domain: string }) => domain)).toEqual([third])
  const bad = await it.call('GET', '/v1/reviews?cursor=nonsense', { key: account.key })
  expect([bad.status, bad.body.errors[0].field]).toEqual([400, 'cursor'])
  expect((await it.call('GET', '/v1/reviews?page=9999&limit=100', { key: account.key })).status).toBe(400)
})

test('a test key has an empty list and nothing to decide, and its answers are on no list', async () => {
  const { account, item, domain } = await withReview()
  const test = { ...account, key: account.testKey }
  await calls.ask(test, 'needs-review.test', { headers: {} })
  expect(await calls.list(test)).toEqual([])
  expect((await calls.list(account)).map((one: { domain: string }) => one.domain)).toEqual([domain])
  for (const refused of [
    await calls.decide(test, item.id, { action: 'reject' }),
    await calls.withdraw(test, item.id),
    await calls.dispute(test, 'res_test_matched'),
    await it.call('GET', `/v1/reviews/${item.id}`, { key: test.key }),
  ]) {
    expect([refused.status, refused.body.detail]).toEqual([404, expect.stringContaining('Use your live key')])
  }
})

test('decisions are exported as cases for the labelled set, without account or person', async () => {
  const account = await it.openAccount()
  const [accepted, rejected, taken] = [await withReview(account), await withReview(account), await withReview(account)]
  const words = `Ask ${account.email} if in doubt`
  await calls.decide(account, accepted.item.id, { action: 'accept', reviewer: 'Ann Archer', reason: words })
  await calls.decide(account, taken.item.id, { action: 'reject' })
  await calls.withdraw(account, taken.item.id)
  it.clock.advance(60)
  const since = it.clock.now().toISOString()
  await calls.decide(account, rejected.item.id, { action: 'reject' })

  const [all, newer, mistaken, help] = await Promise.all([
    it.run('review', 'export'),
    it.run('review', 'export', '--since', since),
    it.run('review', 'export', '--since', 'yesterday'),
    it.run('review', 'export', '--help'),
  ])
  expect(all.code).toBe(0)
  const cases = new Map(
    all.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((one) => [one.domain, one]),
  )
  expect(cases.get(accepted.domain)).toEqual({
    domain: accepted.domain,
    action: 'accept',
    expected: { outcome: 'matched', company_number: BRACKEN.number, not_company_number: null },
    answered: {
      outcome: 'needs_review',
      company_number: null,
      confidence: accepted.answer.confidence,
      reason: accepted.answer.reason,
      model_version: expect.any(String),
      resolved_at: accepted.answer.resolved_at,
    },
    reason: 'Ask [e-mail address] if in doubt',
    candidates: [{ company_number: BRACKEN.number, company_name: BRACKEN.name, confidence: expect.any(Number) }],
    evidence: expect.arrayContaining([expect.objectContaining({ quote: expect.any(String), url: expect.any(String) })]),
    decided_at: expect.any(String),
  })
  expect(cases.get(rejected.domain).expected).toEqual({
    outcome: 'no_match',
    company_number: null,
    not_company_number: null,
  })
  expect(cases.has(taken.domain)).toBe(false)
  for (const word of ['Ann Archer', account.email, account.id, 'acc_', '@']) expect(all.stdout).not.toContain(word)

  expect(
    newer.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).domain),
  ).toEqual([rejected.domain])
  expect(mistaken.code).toBe(2)
  for (const said of ['--output', '--since', 'labelled set', 'Examples:']) expect(help.stdout).toContain(said)
})

test('decisions cannot be changed afterwards, even in the database', async () => {
  const { account, item } = await withReview()
  await calls.decide(account, item.id, { action: 'reject' })
  for (const statement of [`update review_decision set reason = 'another'`, 'delete from review_decision']) {
    await expect(it.app.db.query(statement)).rejects.toThrow()
  }
})
