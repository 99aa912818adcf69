/** The credit of a disputed match: it needs a reason, a fresh reading and a share that is left, or the operator. */
import { afterEach, expect, test } from 'vitest'
import { markPaid } from '../src/resolution/money/payments.ts'
import { approveRefund, refuseRefund } from '../src/review/index.ts'
import { newCompany, siteWithoutCompany } from './setup/companies.ts'
import { DAY_SECONDS, HOUR_SECONDS, type TestKeys, useTestService } from './setup/harness.ts'
import { costOf, reviewCalls } from './setup/reviews.ts'

const it = useTestService({ companies: [] })
const calls = reviewCalls(it)
afterEach(() => it.expectBalanced())

/** A match that the account paid for, of a company with one site. */
async function buyMatch(account: TestKeys) {
  const { domain, second: _, ...company } = await newCompany(it)
  const reply = await calls.ask(account, domain)
  expect(costOf(reply)).toEqual([200, true, 'matched', '1'])
  return { domain, company, id: reply.body.resolution_id as string }
}

const balanceOf = async (account: TestKeys) => (await it.creditsOf(account)).balance
const refundOf = async (account: TestKeys, domain: string) =>
  (await calls.find(account, domain, 'decided')).decision.refund_status

test('disputing every match is no free plan: without a reason nothing happens, and from the sixth on the operator decides', async () => {
  const account = await it.openAccount()
  const matches: Array<Awaited<ReturnType<typeof buyMatch>>> = []
  for (let bought = 0; bought < 7; bought += 1) matches.push(await buyMatch(account))
  for (const { id } of matches) {
    for (const body of [{}, { reason: ' ' }, undefined]) {
      const { status } = await it.call('POST', `/v1/resolutions/${id}/dispute`, { key: account.key, body })
      expect(status).toBe(400)
    }
  }
  expect(await balanceOf(account)).toBe(18)
  const statuses = []
  for (const { id } of matches) statuses.push((await calls.dispute(account, id)).body.refund_status)
  expect(statuses).toEqual([...Array.from({ length: 5 }, () => 'refunded'), 'waiting', 'waiting'])
  expect(await balanceOf(account)).toBe(23)
  // Blocked all the same, and asking again does not help.
  const last = matches[6] as (typeof matches)[number]
  expect((await calls.dispute(account, last.id)).body).toMatchObject({ refunded: false, refund_status: 'waiting' })
  expect(costOf(await calls.ask(account, last.domain))).toEqual([200, false, 'own_decision_free', '0'])
  expect(await refundOf(account, last.domain)).toBe('waiting')
  // A month later the share is there again, for what is disputed then.
  it.clock.advance(31 * DAY_SECONDS)
  const next = await buyMatch(account)
  expect((await calls.dispute(account, next.id)).body.refund_status).toBe('refunded')
})

test('what a refund gave back is not handed out any more: evidence, job, bulk and a decision for it', async () => {
  const account = await it.openAccount()
  const { domain, id, company } = await buyMatch(account)
  const job = await it.call('POST', '/v1/bulk', { key: account.key, body: { domains: [domain] } })
  await it.settle()
  expect((await calls.dispute(account, id)).body).toMatchObject({ refunded: true, refund_status: 'refunded' })
  const evidence = await it.call('GET', `/v1/resolutions/${id}/evidence`, { key: account.key })
  expect([evidence.status, evidence.body.detail]).toEqual([404, expect.stringContaining('got a refund')])
  const rows = await it.call('GET', `/v1/bulk/${job.body.id}/results?format=csv`, { key: account.key })
  expect(String(rows.body)).not.toContain(company.number)
  const item = await calls.find(account, domain, 'decided')
  const decided = await calls.decide(account, item.id, { action: 'accept', company_number: company.number })
  expect([decided.status, decided.body.detail]).toEqual([400, expect.stringContaining('take the dispute back')])
  const again = await calls.ask(account, domain)
  expect(again.body.evidence).toEqual([])
  // Others have what they paid for.
  const other = await it.openAccount()
  await calls.ask(other, domain)
  expect((await it.call('GET', `/v1/resolutions/${id}/evidence`, { key: other.key })).status).toBe(200)
})

test('a question that was free when it was asked is not free for a match that was refunded meanwhile', async () => {
  const account = await it.openAccount()
  const { domain, id, company } = await buyMatch(account)
  const asOf = it.clock.now()
  it.clock.advance(1)
  expect((await calls.dispute(account, id)).body).toMatchObject({ refunded: true })
  await calls.withdraw(account, (await calls.find(account, domain, 'decided')).id)
  const marked = await it.app.db.transaction((tx) =>
    markPaid(tx, {
      accountId: account.id,
      kind: 'company',
      subject: company.number,
      fact: { domain, companyNumber: company.number },
      reference: 'test',
      at: it.clock.now(),
      asOf,
    }),
  )
  expect(marked).toEqual({ wasRefunded: true })
})

test('a dispute that is withdrawn after its refund does not show the match for nothing, at the job’s public address either', async () => {
  const account = await it.openAccount()
  const { domain, number } = await newCompany(it)
  const job = await calls.ask(account, domain, { path: '/v1/enrich', headers: {} })
  await it.settle()
  const { body } = await calls.ask(account, domain)
  await calls.dispute(account, body.resolution_id)
  const { id } = await calls.find(account, domain, 'decided')
  await calls.withdraw(account, id)
  for (const key of [account.key, undefined]) {
    const read = await it.call('GET', job.body.status_url, key === undefined ? {} : { key })
    expect([read.status, read.body.status]).toEqual([200, 'failed'])
    expect(JSON.stringify(read.body)).not.toContain(number)
  }
  expect(costOf(await calls.ask(account, domain))).toEqual([200, true, 'matched', '1'])
  expect((await it.call('GET', job.body.status_url, { key: account.key })).body.status).toBe('completed')
})

test('the site is read again before a refund: one that no longer names the company gives the credit back whatever the share', async () => {
  const account = await it.openAccount()
  for (let used = 0; used < 5; used += 1) await calls.dispute(account, (await buyMatch(account)).id)
  const [same, changed] = [await buyMatch(account), await buyMatch(account)]
  it.clock.advance(HOUR_SECONDS)
  it.web.setSite(changed.domain, siteWithoutCompany())
  for (const { id } of [same, changed]) {
    expect((await calls.dispute(account, id)).body).toMatchObject({ refunded: false, refund_status: 'checking' })
  }
  await it.settle()
  expect(await refundOf(account, same.domain)).toBe('waiting')
  expect(await refundOf(account, changed.domain)).toBe('refunded')
  const rows = 'select finding from refund_request where account_id = $1 and domain = $2'
  for (const [{ domain }, finding] of [
    [same, 'same'],
    [changed, 'changed'],
  ] as const) {
    expect(await it.app.db.query(rows, [account.id, domain])).toEqual([{ finding }])
  }
})

test('the operator gives a credit back, or refuses; a refusal leaves what was paid for when the dispute is withdrawn', async () => {
  const account = await it.openAccount()
  for (let used = 0; used < 5; used += 1) await calls.dispute(account, (await buyMatch(account)).id)
  const [good, bad] = [await buyMatch(account), await buyMatch(account)]
  for (const { id } of [good, bad]) await calls.dispute(account, id)
  const before = await balanceOf(account)
  const listed = JSON.parse((await it.run('refunds', 'list', '--json')).stdout) as Array<Record<string, string>>
  const idOf = (domain: string) => listed.find((one) => one['domain'] === domain)?.['refund'] ?? ''
  expect(listed.find((one) => one['domain'] === good.domain)).toMatchObject({ status: 'waiting', site_says: 'same' })
  expect((await it.run('refunds', 'approve', idOf(good.domain), '--by', 'Ann')).code).toBe(0)
  const refused = await it.run(
    'refunds',
    'refuse',
    idOf(bad.domain),
    '--by',
    'Ann',
    '--note',
    'The site prints the number.',
  )
  expect(refused.code).toBe(0)
  const word = { operator: 'Ann', note: null }
  await expect(approveRefund(it.app, { id: idOf(bad.domain), ...word })).rejects.toThrow('is refused')
  await expect(refuseRefund(it.app, { id: 'rfd_nobodys', ...word })).rejects.toThrow('There is no refund')
  expect(await balanceOf(account)).toBe(before + 1)
  expect([await refundOf(account, good.domain), await refundOf(account, bad.domain)]).toEqual(['refunded', 'refused'])
  const { id } = await calls.find(account, bad.domain, 'decided')
  await calls.withdraw(account, id)
  expect(costOf(await calls.ask(account, bad.domain))).toEqual([200, false, 'already_paid', '0'])
  // What was refused once is the operator's to decide.
  expect((await calls.dispute(account, bad.id)).body.refund_status).toBe('waiting')
})

test('a refunded company is not found by its number or its confidence in the search of rows', async () => {
  const account = await it.openAccount()
  const { domain, number, name } = await newCompany(it)
  const job = await it.call('POST', '/v1/bulk', { key: account.key, body: { domains: [domain, 'no-such-site.co.uk'] } })
  await it.settle()
  const find = async (query: string) => {
    const { body } = await it.call('GET', `/v1/bulk/${job.body.id}/rows?${query}`, { key: account.key })
    return [body.total, body.data.map(({ row }: { row: number }) => row)]
  }
  const queries = [`q=${number}`, `q=${encodeURIComponent(name)}`, 'confidence_from=0.1']
  for (const query of queries) expect([query, await find(query)]).toEqual([query, [1, [1]]])
  const { data } = (await it.call('GET', `/v1/bulk/${job.body.id}/rows`, { key: account.key })).body
  expect((await calls.dispute(account, data[0].resolution_id)).body.refund_status).toBe('refunded')
  for (const query of queries) expect([query, await find(query)]).toEqual([query, [0, []]])
  expect(await find(`q=${domain}`)).toEqual([1, [1]])
  expect(await find('sort=company')).toEqual([2, [1, 2]])
})

test('what a bulk job spent is the sum of its rows, also after a refund', async () => {
  const account = await it.openAccount()
  const { domain, second: _ } = await newCompany(it)
  const job = await it.call('POST', '/v1/bulk', { key: account.key, body: { domains: [domain] } })
  await it.settle()
  const spent = async () => {
    const { body } = await it.call('GET', `/v1/bulk/${job.body.id}`, { key: account.key })
    const { data } = (await it.call('GET', `/v1/bulk/${job.body.id}/rows`, { key: account.key })).body
    return [body.credits_spent, data.filter(({ charged }: { charged: boolean }) => charged).length]
  }
  await expect.poll(spent).toEqual([1, 1])
  const { data } = (await it.call('GET', `/v1/bulk/${job.body.id}/rows`, { key: account.key })).body
  expect((await calls.dispute(account, data[0].resolution_id)).body.refund_status).toBe('refunded')
  expect(await spent()).toEqual([0, 0])
})
