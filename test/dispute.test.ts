/** A match that is wrong: the credit comes back, once, and the company is not answered to that account again. */
import { afterEach, expect, test } from 'vitest'
import { type PlainCompany } from '../rig/companies.ts'
import { ALDER, BRACKEN, publish, siteNaming, siteOf, whileTableIsLocked } from './setup/companies.ts'
import { DAY_SECONDS, type TestKeys, useTestService } from './setup/harness.ts'
import { connect } from './setup/mcp-client.ts'
import { ANSWERING, costOf, reviewCalls } from './setup/reviews.ts'
import { receiveAnswers } from './setup/webhooks.ts'

const CEDAR: PlainCompany = { number: '09104417', name: 'CEDARWICK BASKETS LIMITED', postcode: 'HG4 1AC' }

const it = useTestService({ companies: [ALDER, BRACKEN, CEDAR] })
const calls = reviewCalls(it)
afterEach(() => it.expectBalanced())

/** An account that paid for a match. */
async function withMatch(account?: TestKeys) {
  const payer = account ?? (await it.openAccount())
  const domain = publish(it.web)
  const reply = await calls.ask(payer, domain)
  expect(costOf(reply)).toEqual([200, true, 'matched', '1'])
  return { account: payer, domain, answer: reply.body, id: reply.body.resolution_id as string }
}

test('one click gives the credit back and blocks the company for the domain, whether the answer was new or known', async () => {
  const first = await withMatch()
  const second = { ...first, account: await it.openAccount() }
  await calls.ask(second.account, first.domain)
  for (const { account, domain, id } of [first, second]) {
    expect((await it.creditsOf(account)).balance).toBe(24)
    const { status, body } = await calls.dispute(account, id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      domain,
      blocked_company_number: ALDER.number,
      refunded: true,
      credits_available: 25,
      decision: {
        action: 'dispute',
        company_number: null,
        previous: { outcome: 'matched', company_number: ALDER.number },
        refunded: true,
      },
    })
    expect(await it.creditsOf(account)).toEqual({ balance: 25, held: 0, available: 25 })
    expect(await it.movesOf(account)).toEqual(['hold domain_asked', 'capture matched', 'refund disputed'])
    const usage = await calls.usageOf(account)
    expect(usage.totals).toEqual({ answers: 1, credits: 0 })
    expect(usage.data).toContainEqual({ date: expect.any(String), outcome: 'refunded', answers: 0, credits: -1 })
    for (const path of ANSWERING) {
      const again = await calls.ask(account, domain, { path })
      expect(costOf(again)).toEqual([200, false, 'own_decision_free', '0'])
      expect(again.body.decided_by.action).toBe('dispute')
      expect(again.body.outcome ?? again.body.result.match_status).toBe('no_match')
      expect([again.body.company, again.body.result?.company_number]).not.toContain(ALDER.number)
    }
    expect((await calls.ask(account, domain)).body.reason).toContain(`This account disputed that it is ${ALDER.number}`)
    expect((await calls.find(account, domain, 'decided')).decision.action).toBe('dispute')
    expect(await calls.find(account, domain)).toBeUndefined()
  }
})

test('the job of a disputed answer says that it cost nothing in the end', async () => {
  const account = await it.openAccount()
  const domain = publish(it.web)
  const job = await calls.ask(account, domain, { path: '/v1/enrich', headers: {} })
  await it.settle()
  const statusOf = async () => (await it.call('GET', job.body.status_url, { key: account.key })).body
  expect(await statusOf()).toMatchObject({ charged: true, result: { match_status: 'matched' } })
  await calls.dispute(account, (await calls.ask(account, domain)).body.resolution_id)
  expect(await statusOf()).toMatchObject({
    charged: false,
    charge_reason: 'refunded',
    decided_by: { action: 'dispute' },
    result: { match_status: 'no_match', company_number: null },
  })
})

test('100 disputes at once give one credit back', async () => {
  const { account, id, domain } = await withMatch()
  const replies = await Promise.all(Array.from({ length: 100 }, () => calls.dispute(account, id)))
  const outcomes = new Set(replies.map(({ status, body }) => [status, body.refunded, body.credits_available].join(' ')))
  expect([...outcomes]).toEqual(['200 true 25'])
  expect(new Set(replies.map(({ body }) => body.decision.id)).size).toBe(1)
  expect(await it.movesOf(account)).toEqual(['hold domain_asked', 'capture matched', 'refund disputed'])
  expect((await it.creditsOf(account)).balance).toBe(25)
  const { history } = (
    await it.call('GET', `/v1/reviews/${(await calls.find(account, domain, 'decided')).id}`, { key: account.key })
  ).body
  expect(history).toHaveLength(1)
})

test('the right company, given with the dispute, is answered from then on', async () => {
  const { account, domain, id } = await withMatch()
  const said = { company_number: '5820417', reason: 'They sold the shop.', reviewer: 'Ann' }
  const { body } = await calls.dispute(account, id, said)
  expect(body).toMatchObject({ refunded: true, decision: { company_number: BRACKEN.number, reviewer: 'Ann' } })
  const answer = await calls.ask(account, domain)
  expect(costOf(answer)).toEqual([200, false, 'own_decision_free', '0'])
  expect(answer.body).toMatchObject({ outcome: 'matched', company: { company_number: BRACKEN.number } })
  expect(answer.body.reason).toContain('They sold the shop.')
  // Said later, it is as good; what was given back stays given back once.
  const later = await withMatch()
  await calls.dispute(later.account, later.id)
  const named = await calls.dispute(later.account, later.id, { company_number: BRACKEN.number })
  expect(named.body).toMatchObject({ refunded: true, credits_available: 25 })
  expect((await calls.ask(later.account, later.domain)).body.company.company_number).toBe(BRACKEN.number)
})

test('a blocked company found again is no match and free; another company is a match like any other', async () => {
  const { account, domain, id } = await withMatch()
  await calls.dispute(account, id)
  const same = await calls.ask(account, domain, { maxAgeDays: 0 })
  expect(costOf(same)).toEqual([200, false, 'own_decision_free', '0'])
  expect(same.body).toMatchObject({ outcome: 'no_match', company: null })
  expect((await it.movesOf(account)).slice(3)).toEqual(['hold domain_asked', 'release own_decision_free'])

  it.web.setSite(domain, siteOf(BRACKEN))
  const another = await calls.ask(account, domain, { maxAgeDays: 0 })
  expect(costOf(another)).toEqual([200, true, 'matched', '1'])
  expect(another.body).toMatchObject({
    outcome: 'matched',
    company: { company_number: BRACKEN.number },
    decided_by: null,
  })
  expect((await it.creditsOf(account)).balance).toBe(24)
  // It can be as wrong: that credit comes back too, and both are blocked.
  expect((await calls.dispute(account, another.body.resolution_id)).body.credits_available).toBe(25)
  it.web.setSite(domain, siteOf(ALDER))
  expect((await calls.ask(account, domain, { maxAgeDays: 0 })).body.outcome).toBe('no_match')
  expect((await it.creditsOf(account)).balance).toBe(25)
})

test('a dispute concerns nobody else', async () => {
  const { account, domain, id } = await withMatch()
  const other = await it.openAccount()
  const before = (await calls.ask(other, domain)).body
  await calls.dispute(account, id, { company_number: BRACKEN.number, reason: 'Ours alone.', reviewer: 'Zoe' })
  const after = await calls.ask(other, domain)
  expect(after.body).toEqual({ ...before, charged: false, charge_reason: 'already_paid' })
  const pack = await it.call('GET', `/v1/resolutions/${id}/evidence`, { key: other.key })
  expect(pack.body).toMatchObject({ outcome: 'matched', decided_by: null })
  await using agent = await connect(it, { 'x-api-key': other.key })
  const result = await agent.ask('find_company_behind_domain', { domain })
  expect(result.structured).toMatchObject({ outcome: 'matched', decided_by: null })
  expect(JSON.stringify([after.body, pack.body, result])).not.toMatch(/Zoe|Ours alone|05820417/)
  expect((await it.creditsOf(other)).balance).toBe(24)
})

test('a site that was disputed to be a company’s is not found as its web site either, by that account', async () => {
  const [account, other] = [await it.openAccount(), await it.openAccount()]
  const domain = publish(it.web, siteOf(CEDAR))
  await calls.dispute(account, (await calls.ask(account, domain)).body.resolution_id)
  const receiver = await receiveAnswers(it, account)
  const search = async ({ key }: TestKeys) => {
    const body = { company_number: CEDAR.number }
    const reply = await it.call('POST', '/v1/resolve/company', { key, body, headers: { prefer: 'wait=50' } })
    const { status, domain: found, charged, charge_reason: reason } = reply.body.website
    return [status, found, charged, reason]
  }
  const nothing = ['not_found', null, false, 'own_decision_free']
  expect(await search(account)).toEqual(nothing)
  await receiver.waitFor(1)
  const event = JSON.parse(receiver.received[0]?.body ?? '').data
  expect(event).toMatchObject({ outcome: 'not_found', domain: null, charged: false })
  expect((await it.call('GET', event.status_url, { key: account.key })).body.website.status).toBe('not_found')
  expect(await search(other)).toEqual(['verified', domain, true, 'verified'])
  expect(await search(account)).toEqual(nothing)
  expect((await it.creditsOf(account)).balance).toBe(25)
})

test('a dispute that is withdrawn leaves the shared answer, which costs its credit again', async () => {
  const { account, domain, id } = await withMatch()
  await calls.dispute(account, id)
  const item = await calls.find(account, domain, 'decided')
  expect((await calls.withdraw(account, item.id)).body).toMatchObject({ status: 'closed', decision: null })
  // Nothing is paid now, so nothing comes back.
  expect((await calls.dispute(account, id)).body).toMatchObject({ refunded: false, credits_available: 25 })
  await calls.withdraw(account, item.id)
  expect(costOf(await calls.ask(account, domain))).toEqual([200, true, 'matched', '1'])
  expect((await calls.dispute(account, id)).body).toMatchObject({ refunded: true, credits_available: 25 })
})

test('a decision of one’s own can be taken back and disputed again, and a refunded company is not accepted for nothing', async () => {
  const { account, domain, id } = await withMatch()
  await calls.dispute(account, id, { company_number: BRACKEN.number })
  const { id: itemId } = await calls.find(account, domain, 'decided')
  // Its credit came back, so it is not had for nothing.
  const accepted = await calls.decide(account, itemId, { action: 'accept', company_number: ALDER.number })
  expect(accepted.status).toBe(400)
  await calls.decide(account, itemId, { action: 'reassign', company_number: CEDAR.number })
  expect((await calls.ask(account, domain)).body.company.company_number).toBe(CEDAR.number)
  await calls.dispute(account, id)
  await calls.withdraw(account, itemId)
  await calls.dispute(account, id)
  expect((await calls.ask(account, domain)).body).toMatchObject({
    outcome: 'no_match',
    decided_by: { action: 'dispute' },
  })
})

test('only a match that the account was given can be disputed, and the right company must be another that exists', async () => {
  const { account, id } = await withMatch()
  const stranger = await it.openAccount()
  const review = await calls.ask(account, publish(it.web, siteNaming(BRACKEN)))
  for (const refused of [
    await calls.dispute(stranger, id),
    await calls.dispute(account, review.body.resolution_id),
    await calls.dispute(account, 'res_nobodys'),
  ]) {
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
  }
  const same = await calls.dispute(account, id, { company_number: ALDER.number })
  expect([same.status, same.body.errors[0].field]).toEqual([400, 'company_number'])
  const unknown = await calls.dispute(account, id, { company_number: '00000001' })
  expect([unknown.status, unknown.body.code]).toEqual([404, 'company_not_found'])
  expect(await calls.list(account, '?status=decided')).toEqual([])
  expect((await it.creditsOf(account)).balance).toBe(24)
})

test('an account may dispute 50 answers in a day; the same again is not counted', async () => {
  const { account, id } = await withMatch()
  const next = await withMatch(account)
  await calls.dispute(account, id)
  await it.app.db.query(
    `insert into review_decision (id, account_id, domain, resolution_id, action, previous_outcome, reviewer, decided_at)
     select 'dec_' || n, $1, 'x', $2, 'dispute', 'matched', 'x', $3::timestamptz - n * interval '1 minute'
     from generate_series(1, 49) n`,
    [account.id, id, it.clock.now()],
  )
  expect((await calls.dispute(account, id)).status).toBe(200)
  const refused = await calls.dispute(account, next.id)
  expect([refused.status, refused.body.detail]).toEqual([429, expect.stringContaining('50 answers in 24 hours')])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
  expect((await it.creditsOf(account)).balance).toBe(24)
  it.clock.advance(DAY_SECONDS)
  // A day old, so the site is read again first.
  expect((await calls.dispute(account, next.id)).body).toMatchObject({ refunded: false, refund_status: 'checking' })
  await it.settle()
  expect((await it.creditsOf(account)).available).toBe(25)
})

test.each(['charge', 'dispute'])(
  'a match that is charged at the moment it is disputed costs nothing in the end (the %s begins)',
  async (first) => {
    const { account, domain, id } = await withMatch()
    // Nothing is paid any more: the next answer is held for and charged.
    await it.app.db.query('delete from paid_subject where account_id = $1', [account.id])
    await it.app.db.query('delete from paid_fact where account_id = $1', [account.id])
    const ask = async () => expect((await calls.ask(account, domain, { maxAgeDays: 0, headers: {} })).status).toBe(202)
    const { disputing } = await whileTableIsLocked(it.app, 'paid_subject', async (untilStopped) => {
      if (first === 'charge') await ask()
      if (first === 'charge') await untilStopped(1)
      const disputing = calls.dispute(account, id)
      await untilStopped(first === 'charge' ? 2 : 1)
      if (first === 'dispute') await ask()
      await untilStopped(2)
      return { disputing }
    })
    const { status, body } = await disputing
    expect(status).toBe(200)
    await it.settle()
    expect((await calls.ask(account, domain)).body.outcome).toBe('no_match')
    expect(await it.creditsOf(account)).toEqual({ balance: 24, held: 0, available: 24 })
    const last = (await it.movesOf(account)).at(-1)
    // Which of them the database lets go first is its own affair.
    expect(last).toBe(body.refunded ? 'refund disputed' : 'release own_decision_free')
  },
)

test('disputes are exported for the labelled set with what it is not, and what it is where that is known', async () => {
  const [plain, named] = [await withMatch(), await withMatch()]
  await calls.dispute(plain.account, plain.id, { reviewer: 'Zoe', reason: 'Not them.' })
  await calls.dispute(named.account, named.id, { company_number: BRACKEN.number, reason: 'Sold.' })
  const { stdout } = await it.run('review', 'export')
  const cases = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const caseOf = (domain: string) => cases.find((one) => one.domain === domain)
  expect(caseOf(plain.domain)).toMatchObject({
    action: 'dispute',
    expected: { outcome: null, company_number: null, not_company_number: ALDER.number },
    answered: { outcome: 'matched', company_number: ALDER.number, confidence: plain.answer.confidence },
    evidence: expect.arrayContaining([expect.objectContaining({ supports: ALDER.number })]),
  })
  expect(caseOf(named.domain)).toMatchObject({
    expected: { outcome: 'matched', company_number: BRACKEN.number, not_company_number: ALDER.number },
    reason: 'Sold.',
  })
  expect(stdout).not.toContain('Zoe')
})
