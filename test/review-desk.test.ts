/** The review desk: a long list is searched, filtered and counted, and what is alike is decided together. */
import { afterEach, expect, test } from 'vitest'
import { type PlainCompany } from '../rig/companies.ts'
import { applyPscs } from '../src/register/pscs/apply-pscs.ts'
import { toPscRow } from '../src/register/pscs/psc-row.ts'
import { ALDER, BRACKEN, page, publish, siteNaming, siteOf } from './setup/companies.ts'
import { DAY_SECONDS, type TestKeys, useTestService } from './setup/harness.ts'
import { reviewCalls } from './setup/reviews.ts'

const CEDAR: PlainCompany = { number: '09104417', name: 'CEDARWICK BASKETS LIMITED', postcode: 'HG4 1AC' }
const DAMSON: PlainCompany = { number: '09104418', name: 'DAMSONFIELD PRESERVES LIMITED', postcode: 'HG4 1AD' }
const HOLDING: PlainCompany = { number: '09104419', name: 'ELMSTEAD HOLDINGS LIMITED', postcode: 'HG4 1AF' }

const it = useTestService({ companies: [ALDER, BRACKEN, CEDAR, DAMSON, HOLDING] })
const calls = reviewCalls(it)
afterEach(() => it.expectBalanced())

interface Listed {
  id: string
  domain: string
}

/** Adds a domain whose site names a company and proves nothing. */
async function addReview(account: TestKeys, company: PlainCompany = BRACKEN, site = siteNaming(company)) {
  const domain = publish(it.web, site)
  expect((await calls.ask(account, domain)).body.outcome).toBe('needs_review')
  return (await calls.find(account, domain)) as Listed
}

const get = async ({ key }: TestKeys, path: string) => (await it.call('GET', path, { key })).body
const domainsOf = async (account: TestKeys, query: string) =>
  (await calls.list(account, query)).map(({ domain }: Listed) => domain).sort()
const decideMany = ({ key }: TestKeys, body: object) => it.call('POST', '/v1/reviews/decisions', { key, body })
const withdrawMany = ({ key }: TestKeys, ids: string[]) =>
  it.call('POST', '/v1/reviews/decisions/withdraw', { key, body: { ids } })
const decisionsOf = async ({ id }: TestKeys) =>
  (await it.app.db.query('select from review_decision where account_id = $1', [id])).length

test('the list is searched by domain and by candidate, and filtered by doubt, confidence, day and bulk job', async () => {
  const account = await it.openAccount({ credits: 9 })
  const [bracken, cedar] = [await addReview(account), await addReview(account, CEDAR)]
  const all = [bracken.domain, cedar.domain].sort()
  expect(await domainsOf(account, `?q=${cedar.domain.slice(0, 7).toUpperCase()}`)).toEqual([cedar.domain])
  expect(await domainsOf(account, '?q=mill%20text')).toEqual([bracken.domain])
  expect(await domainsOf(account, '?q=9104417')).toEqual([cedar.domain])
  expect(await domainsOf(account, '?q=nothing-of-the-kind')).toEqual([])
  expect(await domainsOf(account, '?doubt=named')).toEqual(all)
  expect(await domainsOf(account, '?doubt=several')).toEqual([])

  for (const [id, confidence] of [
    [cedar.id, 0.9],
    [bracken.id, 0.5],
  ]) {
    await it.app.db.query('update review_item set confidence = $2 where id = $1', [id, confidence])
  }
  expect(await domainsOf(account, '?confidence_min=0.8')).toEqual([cedar.domain])
  expect(await domainsOf(account, '?confidence_max=0.8')).toEqual([bracken.domain])
  const today = it.clock.now().toISOString().slice(0, 10)
  await it.app.db.query(`update review_item set created_at = created_at - interval '9 days' where id = $1`, [cedar.id])
  expect(await domainsOf(account, `?from=${today}`)).toEqual([bracken.domain])
  expect(await domainsOf(account, `?to=${today}`)).toEqual(all)

  const sent = await it.call('POST', '/v1/bulk', { key: account.key, body: { domains: [bracken.domain] } })
  await it.settle()
  expect(await domainsOf(account, `?bulk_id=${sent.body.id}`)).toEqual([bracken.domain])
  const stranger = await it.openAccount()
  await calls.ask(stranger, bracken.domain)
  expect(await domainsOf(stranger, `?bulk_id=${sent.body.id}`)).toEqual([])
  for (const wrong of ['confidence_min=2', 'doubt=grave', 'from=yesterday', 'sort=random', `q=${'x'.repeat(101)}`]) {
    expect((await it.call('GET', `/v1/reviews?${wrong}`, { key: account.key })).status, wrong).toBe(400)
  }
})

test('each order goes on from its cursor and skips and repeats nothing; a cursor of another order is refused', async () => {
  const account = await it.openAccount({ credits: 9 })
  const items: Listed[] = []
  for (let index = 0; index < 5; index += 1) {
    items.push(await addReview(account))
    it.clock.advance(60)
  }
  const spread = 'update review_item set confidence = $2 where id = $1'
  for (const [index, { id }] of items.entries()) await it.app.db.query(spread, [id, index < 2 ? 0.4 : 0.6])
  const walk = async (sort: string) => {
    const seen: string[] = []
    let cursor: string | null = ''
    for (let at = 0; at < 5 && cursor !== null; at += 1) {
      const body: { data: Listed[]; next_cursor: string | null } = await get(
        account,
        `/v1/reviews?sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`,
      )
      seen.push(...body.data.map(({ id }) => id))
      cursor = body.next_cursor
    }
    return seen
  }
  const ids = items.map(({ id }) => id)
  expect(await walk('oldest')).toEqual(ids)
  expect(await walk('newest')).toEqual(ids.toReversed())
  expect(await walk('domain')).toEqual(items.toSorted((a, b) => (a.domain < b.domain ? -1 : 1)).map(({ id }) => id))
  const surest = await walk('surest')
  expect(new Set(surest.slice(0, 3))).toEqual(new Set(ids.slice(2)))
  expect(await walk('least_sure')).toEqual(surest.toReversed())
  const { next_cursor: byDomain } = await get(account, '/v1/reviews?sort=domain&limit=2')
  const refused = await it.call('GET', `/v1/reviews?sort=newest&cursor=${byDomain}`, { key: account.key })
  expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'cursor'])
})

test('the list counts what is open, what was decided today in London, and what the filter leaves', async () => {
  const account = await it.openAccount({ credits: 9 })
  const [first, second] = [await addReview(account), await addReview(account), await addReview(account, CEDAR)]
  const counts = async (query = '') => (await get(account, `/v1/reviews${query}`)).counts
  expect(await counts()).toEqual({ open: 3, decided_today: 0, total: 3 })
  await calls.decide(account, first.id, { action: 'reject' })
  expect(await counts('?q=cedarwick')).toEqual({ open: 2, decided_today: 1, total: 1 })
  expect(await counts('?status=decided')).toEqual({ open: 2, decided_today: 1, total: 1 })
  it.clock.advance(DAY_SECONDS)
  await calls.decide(account, second.id, { action: 'accept' })
  expect(await counts()).toEqual({ open: 1, decided_today: 1, total: 1 })
  await calls.withdraw(account, second.id)
  expect(await counts()).toEqual({ open: 2, decided_today: 0, total: 2 })
  const { body } = await it.call('GET', '/v1/reviews', { key: account.testKey })
  expect(body.counts).toEqual({ open: 0, decided_today: 0, total: 0 })
})

test('a review says its doubt, what the register has of each candidate, and where the site differs from it', async () => {
  const account = await it.openAccount({ credits: 9 })
  const words = `© 2026 ${BRACKEN.name}, 9 High Street, Leeds LS1 4AP.`
  const site = { pages: { '/': page(BRACKEN.name, words), '/legal': page('Legal', words) } }
  const { id } = await addReview(account, BRACKEN, site)
  const review = await get(account, `/v1/reviews/${id}`)
  expect([review.doubt, review.doubt_text]).toEqual(['named', 'A name without number or office'])
  expect(review.records).toHaveLength(review.candidates.length)
  const [record] = review.records
  expect(record).toMatchObject({ company_number: BRACKEN.number, company_name: BRACKEN.name })
  expect(record.registered_office).toContain(BRACKEN.postcode)
  expect(record.differences.map(({ kind }: { kind: string }) => kind)).toContain('number')
  expect(record.differences.map(({ says }: { says: string }) => says)).toContain(
    `The site does not print the number ${BRACKEN.number}.`,
  )
})

test('a review whose site names no company compares nothing and claims no agreement', async () => {
  const account = await it.openAccount({ credits: 9 })
  const title = 'Brackenmill Textiles'
  const site = { pages: { '/': page(title, '© 2026'), '/legal': page(title, 'Terms') } }
  const { id } = await addReview(account, BRACKEN, site)
  const review = await get(account, `/v1/reviews/${id}`)
  expect(review.doubt).toBe('namesake')
  expect(review.records).toMatchObject([{ company_number: BRACKEN.number, compared: [], differences: [] }])
  const other = await addReview(account)
  const [named] = (await get(account, `/v1/reviews/${other.id}`)).records
  expect(named.compared).toEqual(['name', 'number', 'postcode'])
  const alike = await get(account, `/v1/reviews/${other.id}/similar`)
  expect(alike.data).toMatchObject([{ id, compared: [], differences: [] }])
})

test('what is alike is listed with a preview: the same company, then its group, then the same doubt', async () => {
  const account = await it.openAccount({ credits: 20 })
  const owned = (id: string, { number }: PlainCompany) => ({
    row: toPscRow(number, id, {
      kind: 'corporate-entity-person-with-significant-control',
      name: HOLDING.name,
      natures_of_control: ['ownership-of-shares-75-to-100-percent'],
      notified_on: '2020-01-02',
      identification: { country_registered: 'England', registration_number: HOLDING.number },
    }),
    isDeletion: false,
    rowHash: null,
    timepoint: 1,
    at: it.clock.now(),
    reference: 'test',
  })
  await it.app.db.transaction((tx) =>
    applyPscs(tx, [owned('a', BRACKEN), owned('b', CEDAR)], {
      source: 'stream',
      isBaseline: true,
      isStale: () => false,
    }),
  )
  await it.app.db.query(
    `insert into register_snapshot (product, as_of, state, started_at, finished_at, source)
     select 'pscs', '2026-11-01', 'finished', now(), now(), 'test'`,
  )
  const first = await addReview(account)
  const same = [await addReview(account), await addReview(account)].map(({ domain }) => domain)
  const sister = await addReview(account, CEDAR)
  const stranger = await addReview(account, DAMSON)
  await addReview(await it.openAccount({ credits: 2 }))
  const alike = await get(account, `/v1/reviews/${first.id}/similar`)
  expect(alike.kinds).toEqual([
    { alike_by: 'company', says: `Their best candidate is ${BRACKEN.name} too.`, count: 2, has_more: false },
    {
      alike_by: 'group',
      says: `Their best candidate belongs to the group of ${HOLDING.name}.`,
      count: 1,
      has_more: false,
    },
    { alike_by: 'doubt', says: 'The doubt is the same: a name without number or office.', count: 1, has_more: false },
  ])
  const preview = Object.groupBy(alike.data as Array<Listed & { alike_by: string }>, (one) => one.alike_by)
  expect(preview['company']?.map(({ domain }) => domain).sort()).toEqual(same.sort())
  expect(preview['company']?.[0]).toMatchObject({ company_number: BRACKEN.number, company_name: BRACKEN.name })
  expect(preview['group']).toMatchObject([{ domain: sister.domain, company_number: CEDAR.number }])
  expect(preview['doubt']).toMatchObject([{ domain: stranger.domain, company_number: DAMSON.number }])
  expect(alike.data[0].differences.map(({ kind }: { kind: string }) => kind)).toContain('number')

  const rejected = await get(account, `/v1/reviews/${first.id}/similar?action=reject`)
  expect(new Set(rejected.data.map((one: { company_number: string | null }) => one.company_number))).toEqual(
    new Set([null]),
  )
  const refused = await it.call('GET', `/v1/reviews/${first.id}/similar?company_number=${HOLDING.number}`, {
    key: account.key,
  })
  expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'company_number'])
})

test('many are decided in one request: what is refused is reported, the rest is in force, and twice is once', async () => {
  const account = await it.openAccount({ credits: 9 })
  const [first, second, third] = [await addReview(account), await addReview(account), await addReview(account, CEDAR)]
  const theirs = await addReview(await it.openAccount({ credits: 2 }))
  const body = {
    items: [
      { id: first.id, action: 'accept', company_number: BRACKEN.number },
      { id: second.id, action: 'reject' },
      { id: third.id, action: 'accept', company_number: BRACKEN.number },
      { id: theirs.id, action: 'reject' },
    ],
    reviewer: 'Ann Archer',
    reason: 'Checked together.',
  }
  const { status, body: done } = await decideMany(account, body)
  expect(status).toBe(200)
  expect(done).toMatchObject({
    done: 2,
    data: [
      { id: first.id, result: 'done', company_number: BRACKEN.number, problem: null },
      { id: second.id, result: 'done', company_number: null, problem: null },
      { id: third.id, result: 'refused', problem: { code: 'invalid_request' } },
      { id: theirs.id, result: 'refused', problem: { code: 'not_found' } },
    ],
  })
  expect((await calls.ask(account, first.domain)).body).toMatchObject({
    outcome: 'matched',
    decided_by: { action: 'accept', reviewer: 'Ann Archer', reason: 'Checked together.' },
  })
  expect(await decisionsOf(account)).toBe(2)
  const again = (await decideMany(account, body)).body
  expect([again.done, again.data.map(({ result }: { result: string }) => result)]).toEqual([
    0,
    ['unchanged', 'unchanged', 'refused', 'refused'],
  ])
  expect(await decisionsOf(account)).toBe(2)
  const log = await get(account, '/v1/account/audit')
  const acts = log.data.filter(({ act }: { act: string }) => act === 'decision_made')
  expect(acts).toHaveLength(2)
})

test('an undo can put back what a decision replaced: the result has it, with its reviewer and its reason', async () => {
  const account = await it.openAccount({ credits: 9 })
  const [first, second] = [await addReview(account), await addReview(account)]
  const ids = [first.id, second.id]
  const reason = 'A reseller.'
  await decideMany(account, { items: [{ id: first.id, action: 'reject', reviewer: 'Ben Baker' }], reason })
  const before = { action: 'reject', company_number: null, reviewer: 'Ben Baker', reason }
  const accepted = (await decideMany(account, { items: ids.map((id) => ({ id, action: 'accept' })) })).body
  expect(accepted.data).toMatchObject([
    { id: first.id, replaced: before },
    { id: second.id, replaced: null },
  ])
  const { company_number: _none, ...again } = before
  await decideMany(account, { items: [{ id: first.id, ...again }], reviewer: 'Ann Archer', reason: 'Undone.' })
  expect((await calls.ask(account, first.domain)).body.decided_by).toMatchObject({
    action: 'reject',
    reviewer: 'Ben Baker',
    reason,
  })
  expect((await withdrawMany(account, ids)).body.data).toMatchObject([
    { replaced: before },
    { replaced: { action: 'accept', company_number: BRACKEN.number, reason: null } },
  ])
})

test('a decision that was made after the preview stays: the one that was sent is refused', async () => {
  const account = await it.openAccount({ credits: 9 })
  const [first, second] = [await addReview(account), await addReview(account)]
  await decideMany(account, { items: [{ id: first.id, action: 'reject' }] })
  const decide = async (seen: object | null) => {
    const items = [first, second].map(({ id }) => ({ id, action: 'accept', seen_decision: seen }))
    return (await decideMany(account, { items })).body.data.map(({ result }: { result: string }) => result)
  }
  expect(await decide(null)).toEqual(['refused', 'done'])
  expect((await calls.ask(account, first.domain)).body.decided_by).toMatchObject({ action: 'reject' })
  expect(await decide({ action: 'reject', company_number: null })).toEqual(['done', 'unchanged'])
})

test('one request takes them back, and takes back nothing the second time', async () => {
  const account = await it.openAccount({ credits: 9 })
  const [first, second] = [await addReview(account), await addReview(account)]
  const ids = [first.id, second.id]
  await decideMany(account, { items: ids.map((id) => ({ id, action: 'reject' })) })
  expect(await calls.list(account)).toEqual([])
  expect((await withdrawMany(account, ids)).body).toMatchObject({ done: 2 })
  expect(await domainsOf(account, '')).toEqual([first.domain, second.domain].sort())
  expect((await withdrawMany(account, [...ids, 'rev_none'])).body).toMatchObject({
    done: 0,
    data: [{ result: 'unchanged' }, { result: 'unchanged' }, { result: 'refused', problem: { code: 'not_found' } }],
  })
})

test('a decision that was made after the one that is taken back stays, and the response says which', async () => {
  const account = await it.openAccount({ credits: 9 })
  const [first, second, third] = [await addReview(account), await addReview(account), await addReview(account)]
  const ids = [first.id, second.id, third.id]
  await decideMany(account, { items: ids.map((id) => ({ id, action: 'accept' })) })
  const made = { action: 'accept', company_number: BRACKEN.number }
  await calls.decide(account, first.id, { action: 'reassign', company_number: CEDAR.number })
  await calls.withdraw(account, third.id)
  const items = ids.map((id) => ({ id, seen_decision: made }))
  const undo = (body: object) => it.call('POST', '/v1/reviews/decisions/withdraw', { key: account.key, body })
  expect((await undo({ items })).body).toMatchObject({
    done: 1,
    data: [
      { id: first.id, result: 'refused', decided_since: true, problem: { code: 'invalid_request' } },
      { id: second.id, result: 'done', decided_since: false, replaced: made },
      { id: third.id, result: 'unchanged', decided_since: false },
    ],
  })
  expect((await calls.ask(account, first.domain)).body.company.company_number).toBe(CEDAR.number)
  const again = { id: first.id, action: 'reject', seen_decision: made }
  expect((await decideMany(account, { items: [again, { id: 'rev_none', action: 'reject' }] })).body.data).toMatchObject(
    [
      { result: 'refused', decided_since: true },
      { result: 'refused', decided_since: false },
    ],
  )
  for (const body of [{ ids, items }, {}, { items: [] }]) expect((await undo(body)).status).toBe(400)
})

test('a dispute that was made since then stays, and so does its refund, where the decision before it is taken back', async () => {
  const account = await it.openAccount({ credits: 9 })
  const domain = publish(it.web, siteOf(ALDER))
  const match = (await calls.ask(account, domain)).body.resolution_id
  it.web.setSite(domain, siteNaming(BRACKEN))
  await calls.ask(account, domain, { maxAgeDays: 0 })
  const { id } = await calls.find(account, domain)
  const made = { action: 'reassign', company_number: CEDAR.number }
  await decideMany(account, { items: [{ id, ...made }] })
  expect((await calls.dispute(account, match)).status).toBe(200)
  expect((await calls.ask(account, domain)).body.company.company_number).toBe(CEDAR.number)

  const body = { items: [{ id, seen_decision: made }] }
  const undone = await it.call('POST', '/v1/reviews/decisions/withdraw', { key: account.key, body })
  expect(undone.body.data).toMatchObject([{ result: 'refused', decided_since: true }])
  for (const seen of [made, null]) {
    const { data } = (await decideMany(account, { items: [{ id, action: 'reject', seen_decision: seen }] })).body
    expect(data).toMatchObject([{ result: 'refused', decided_since: true }])
  }
  const { decision } = await get(account, `/v1/reviews/${id}`)
  expect(decision.action).toBe('dispute')
  expect(decision.refund_status).not.toBe('withdrawn')
})

test('too many at once, and a test key, are refused', async () => {
  const account = await it.openAccount()
  const items = Array.from({ length: 101 }, (_, index) => ({ id: `rev_${index}`, action: 'reject' }))
  expect((await decideMany(account, { items })).status).toBe(400)
  expect((await decideMany(account, { items: [] })).status).toBe(400)
  const ids = items.map(({ id }) => id)
  expect((await withdrawMany(account, ids)).status).toBe(400)
  const test = { ...account, key: account.testKey }
  expect((await decideMany(test, { items: items.slice(0, 1) })).status).toBe(404)
  expect((await withdrawMany(test, ids.slice(0, 1))).status).toBe(404)
})
