/** An answer costs one credit for a match, once in 30 days, however many ask and however often at the same time. */
import { afterEach, expect, test } from 'vitest'
import {
  ALDER,
  BRACKEN,
  publish,
  SITES,
  siteWithoutCompany,
  waitUntilRead,
  whileNoWorkEnds,
  whileTableIsLocked,
} from './setup/companies.ts'
import { type CallOptions, DAY_SECONDS, type Reply, type TestKeys, useTestService, WAIT } from './setup/harness.ts'
import { costOf } from './setup/reviews.ts'

const it = useTestService({
  companies: [ALDER, BRACKEN],
  sites: SITES,
})

afterEach(() => it.expectBalanced())

const PATHS = ['/v1/enrich', '/v1/resolve/domain', '/v1/partner/enrich-company']

function ask({ key }: TestKeys, domain: string, options: CallOptions & { path?: string } = {}): Promise<Reply> {
  const { path = '/v1/enrich', ...call } = options
  return it.call('POST', path, { key, body: { domain }, ...call })
}
const OUTCOMES = [
  ['alderfinch.co.uk', 'matched', 1],
  ['brackenmill.co.uk', 'needs_review_free', 0],
  ['garden-diary.co.uk', 'no_match_free', 0],
  ['holzwerk.de', 'non_uk_entity_free', 0],
  ['not-there-at-all.co.uk', 'scrape_failed_free', 0],
] as const

test.each(OUTCOMES)('%s: %s costs %i, when it is new and when it is known', async (domain, reason, cost) => {
  const answer = [200, cost === 1, reason, String(cost)]
  const [first, second] = [await it.openAccount(), await it.openAccount()]
  const found = await ask(first, domain, { headers: WAIT })
  expect(costOf(found)).toEqual(answer)
  expect(found.headers.get('credits-remaining')).toBe(String(25 - cost))
  expect(await it.movesOf(first)).toEqual(['hold domain_asked', `${cost === 1 ? 'capture' : 'release'} ${reason}`])

  const known = await ask(second, domain)
  expect(costOf(known)).toEqual(answer)
  expect(known.headers.get('credits-remaining')).toBe(String(25 - cost))
  expect(await it.movesOf(second)).toEqual(cost === 1 ? ['hold domain_asked', 'capture matched'] : [])
  for (const account of [first, second]) {
    expect(await it.creditsOf(account)).toEqual({ balance: 25 - cost, held: 0, available: 25 - cost })
    const { body } = await it.call('GET', '/v1/account/usage', { key: account.key })
    expect(body.data).toEqual([expect.objectContaining({ outcome: reason, answers: 1, credits: cost })])
  }
})

test('a free answer that a job of the account ended with is read again for nothing: counted once, and without credits', async () => {
  const account = await it.openAccount({ credits: 1 })
  const free = publish(it.web, siteWithoutCompany())
  expect(costOf(await ask(account, free, { headers: WAIT }))).toEqual([200, false, 'no_match_free', '0'])
  await ask(account, publish(it.web), { headers: WAIT })
  expect((await it.creditsOf(account)).available).toBe(0)
  expect(costOf(await ask(account, free))).toEqual([200, false, 'no_match_free', '0'])
  const { body } = await it.call('GET', '/v1/account/usage', { key: account.key })
  expect(body.data).toContainEqual(expect.objectContaining({ outcome: 'no_match_free', answers: 1, credits: 0 }))
})

test('a credit is set aside while the site is read, under the job’s id', async () => {
  const account = await it.openAccount({ credits: 5 })
  const queued = await whileNoWorkEnds(it.app, async () => {
    const reply = await ask(account, publish(it.web))
    expect(costOf(reply)).toEqual([202, false, 'pending', '0'])
    expect(reply.headers.get('credits-remaining')).toBe('4')
    expect(await it.creditsOf(account)).toEqual({ balance: 5, held: 1, available: 4 })
    return reply.body
  })
  await it.settle()
  expect(await it.creditsOf(account)).toEqual({ balance: 4, held: 0, available: 4 })
  const ledger = await it.call('GET', '/v1/account/ledger?limit=2', { key: account.key })
  const references = ledger.body.data.map(({ reference }: { reference: string }) => reference)
  expect(references).toEqual([queued.job_id, queued.job_id])
})

test('asking again is free for 30 days at every endpoint, even without credits, and costs a credit after that', async () => {
  const account = await it.openAccount({ credits: 1 })
  const domain = publish(it.web)
  expect(costOf(await ask(account, domain, { headers: WAIT }))).toEqual([200, true, 'matched', '1'])
  it.clock.advance(29 * DAY_SECONDS)
  for (const path of PATHS) {
    expect(costOf(await ask(account, domain, { path }))).toEqual([200, false, 'already_paid', '0'])
  }
  // What was paid for is read again for nothing, too.
  const body = { domain, max_age_days: 1 }
  const fresh = await it.call('POST', '/v1/enrich', { key: account.key, body, headers: WAIT })
  expect(costOf(fresh)).toEqual([200, false, 'already_paid', '0'])
  it.clock.advance(DAY_SECONDS + 60)
  expect((await ask(account, domain)).status).toBe(402)
  const richer = await it.openAccount({ credits: 2 })
  await ask(richer, domain)
  it.clock.advance(30 * DAY_SECONDS + 60)
  expect(costOf(await ask(richer, domain, { headers: WAIT }))).toEqual([200, true, 'matched', '1'])
  expect((await it.creditsOf(richer)).balance).toBe(0)
})

test('an account without credits is refused what could cost one, is told what is left, and leaves nothing behind', async () => {
  const poor = await it.openAccount({ credits: 0 })
  const [rich, matched, fresh] = [await it.openAccount(), publish(it.web), publish(it.web)]
  await ask(rich, matched, { headers: WAIT })
  for (const path of PATHS) {
    for (const domain of [fresh, matched]) {
      const refused = await ask(poor, domain, { path })
      expect([refused.status, refused.body.code]).toEqual([402, 'insufficient_credits'])
      expect([refused.headers.get('credits-spent'), refused.headers.get('credits-remaining')]).toEqual(['0', '0'])
    }
  }
  expect(await it.app.db.query('select from resolution_job where account_id = $1', [poor.id])).toEqual([])
  await it.settle()
  expect(it.web.stats.byHost.get(fresh)).toBeUndefined()
  expect(await it.movesOf(poor)).toEqual([])
})

test.each(OUTCOMES.slice(1))('a known free answer (%s, %s) is given at balance 0', async (domain, reason) => {
  await ask(await it.openAccount(), domain, { headers: WAIT })
  const poor = await it.openAccount({ credits: 0 })
  for (const path of PATHS) expect(costOf(await ask(poor, domain, { path }))).toEqual([200, false, reason, '0'])
  expect(await it.movesOf(poor)).toEqual([])
})

test('the last credit is spent once, whether two answers are known or two sites have to be read', async () => {
  const [rich, known, alsoKnown] = [await it.openAccount(), publish(it.web), publish(it.web)]
  for (const domain of [known, alsoKnown]) await ask(rich, domain, { headers: WAIT })
  for (const [domains, status] of [
    [[known, alsoKnown], 200],
    [[publish(it.web), publish(it.web)], 202],
  ] as const) {
    const account = await it.openAccount({ credits: 1 })
    const replies = await whileNoWorkEnds(it.app, () => Promise.all(domains.map((domain) => ask(account, domain))))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([status, 402]))
    await it.settle()
    expect(await it.creditsOf(account)).toEqual({ balance: 0, held: 0, available: 0 })
  }
})

test('50 accounts that ask at once: one crawl, 50 jobs, 50 credits held, 50 spent', async () => {
  const accounts = await Promise.all(Array.from({ length: 50 }, () => it.openAccount()))
  const ids = accounts.map(({ id }) => id)
  const alone = publish(it.web)
  await ask(await it.openAccount(), alone, { headers: WAIT })
  const oneCrawl = it.web.stats.byHost.get(alone)

  const [one, other] = [publish(it.web), publish(it.web)]
  const askAll = () =>
    Promise.all([
      ...accounts.map((account) => ask(account, one)),
      ...accounts.toReversed().map((account) => ask(account, other)),
    ])
  // Two at once, asked for in opposite order: they are paid at the same moment and must not wait for each other.
  const replies = await whileTableIsLocked(it.app, 'paid_subject', async (untilStopped) => {
    const asked = await whileNoWorkEnds(it.app, askAll)
    await untilStopped(2)
    const sums = 'select sum(held)::int as held, sum(balance)::int as balance from credit_balance'
    const held = await it.app.db.query(`${sums} where account_id = any ($1)`, [ids])
    expect(held).toEqual([{ held: 100, balance: 1_250 }])
    return asked
  })
  expect(replies.filter(({ status }) => status !== 202)).toEqual([])
  expect(new Set(replies.map(({ body }) => body.job_id)).size).toBe(100)

  await it.settle()
  for (const domain of [one, other]) expect([domain, it.web.stats.byHost.get(domain)]).toEqual([domain, oneCrawl])
  const ended = await Promise.all(replies.map(({ body }) => it.call('GET', body.status_url)))
  const answers = new Set(ended.map(({ body }) => [body.status, body.charged, body.charge_reason].join(' ')))
  expect([...answers]).toEqual(['completed true matched'])
  for (const account of accounts) {
    expect(await it.creditsOf(account)).toEqual({ balance: 23, held: 0, available: 23 })
    const moves = await it.movesOf(account)
    expect(moves.sort()).toEqual(['capture matched', 'capture matched', 'hold domain_asked', 'hold domain_asked'])
  }
  expect(it.logText()).not.toContain('deadlock')
})

test('who asks at the moment an answer is written gets it, and the site is not read again', async () => {
  const [first, late, domain] = [await it.openAccount(), await it.openAccount(), publish(it.web)]
  const queued = await ask(first, domain)
  const { asking } = await whileTableIsLocked(it.app, 'paid_subject', async (untilStopped) => {
    await untilStopped(1)
    const asking = ask(late, domain)
    await untilStopped(2)
    return { asking }
  })
  expect([queued.status, ...costOf(await asking)]).toEqual([202, 200, true, 'matched', '1'])
  await it.settle()
  expect(await it.app.db.query('select from resolution where domain = $1', [domain])).toHaveLength(1)
  for (const account of [first, late])
    expect(await it.movesOf(account)).toEqual(['hold domain_asked', 'capture matched'])
})

test('one account that asks ten times at once for a new domain pays once', async () => {
  const account = await it.openAccount({ credits: 10 })
  const domain = publish(it.web)
  const replies = await Promise.all(Array.from({ length: 10 }, () => ask(account, domain, { headers: WAIT })))
  const reasons = replies.map((reply) => costOf(reply).join(' ')).sort()
  expect(reasons).toEqual([...Array.from({ length: 9 }, () => '200 false already_paid 0'), '200 true matched 1'])
  expect(await it.creditsOf(account)).toEqual({ balance: 9, held: 0, available: 9 })
})

test('requests at once for a known domain by one account: one of them is charged', async () => {
  const domain = publish(it.web)
  await ask(await it.openAccount(), domain, { headers: WAIT })
  const account = await it.openAccount({ credits: 3 })
  const replies = await Promise.all(Array.from({ length: 8 }, () => ask(account, domain)))
  expect(replies.filter(({ body }) => body.charge_reason === 'matched')).toHaveLength(1)
  expect(replies.filter(({ body }) => body.charge_reason === 'already_paid')).toHaveLength(7)
  expect(await it.creditsOf(account)).toEqual({ balance: 2, held: 0, available: 2 })
})

test('a table of 60 rows may be sent at once, and a row that is told to wait costs nothing', async () => {
  const path = '/v1/partner/enrich-company'
  const account = await it.openAccount({ credits: 60 })
  const rows = Array.from({ length: 60 }, (_, row) => ask(account, `not-there-${row}.co.uk`, { path }))
  expect((await Promise.all(rows)).filter(({ status }) => status !== 202)).toEqual([])

  const [busy, domain] = [await it.openAccount(), publish(it.web)]
  // Nothing left, and nothing comes back before then.
  const empty = `insert into rate_bucket values ($1, 0, 0, clock_timestamp() + interval '1 minute')`
  await it.app.db.query(empty, [`partner:${busy.id}`])
  const refused = await ask(busy, domain, { path })
  expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([429, 'rate_limited', true])
  expect(refused.headers.get('retry-after')).toBe('1')
  await it.settle()
  expect([it.web.stats.byHost.get(domain), await it.movesOf(busy)]).toEqual([undefined, []])
})

test.each(PATHS)(
  'POST %s: a request repeated under its Idempotency-Key gets the same answer and is charged once',
  async (path) => {
    const account = await it.openAccount({ credits: 5 })
    const domain = publish(it.web)
    const keyed = { path, headers: { ...WAIT, 'idempotency-key': 'row-1' } }
    const { running } = await whileNoWorkEnds(it.app, async () => {
      const running = ask(account, domain, keyed)
      await waitUntilRead(it.web, domain)
      const early = await ask(account, domain, keyed)
      expect([early.status, early.body.code]).toEqual([409, 'idempotency_key_in_use'])
      return { running }
    })
    const first = await running
    expect(costOf(first)).toEqual([200, true, 'matched', '1'])

    const again = await ask(account, domain, keyed)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(again.body).toEqual(first.body)
    expect([again.headers.get('credits-spent'), again.headers.get('credits-remaining')]).toEqual(['0', '4'])

    const reused = await ask(account, 'alderfinch.co.uk', keyed)
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(await it.movesOf(account)).toEqual(['hold domain_asked', 'capture matched'])
  },
)

test('a queued job repeated under its key is the same job, asked for at the same place, with one credit held', async () => {
  const account = await it.openAccount({ credits: 5 })
  const domain = publish(it.web)
  const keyed = { headers: { 'idempotency-key': 'row-2' } }
  await whileNoWorkEnds(it.app, async () => {
    const [first, again] = [await ask(account, domain, keyed), await ask(account, domain, keyed)]
    expect([first.status, again.status, again.body.job_id]).toEqual([202, 202, first.body.job_id])
    for (const header of ['retry-after', 'location', 'credits-remaining']) {
      expect([header, again.headers.get(header)]).toEqual([header, first.headers.get(header)])
    }
    expect((await it.creditsOf(account)).held).toBe(1)
  })
})
