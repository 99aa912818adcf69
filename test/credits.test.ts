import { expect, test } from 'vitest'
import {
  captureHold,
  chargeCredit,
  findUnbalancedAccounts,
  getBalance,
  grantCredits,
  holdCredit,
  releaseExpiredHoldsJob,
  releaseHold,
} from '../src/credits/index.ts'
import { DomainError } from '../src/errors.ts'
import { useTestService } from './setup/harness.ts'

const it = useTestService()

const hold = (accountId: string, reference: string, lifeSeconds = 3_600) =>
  it.app.db.transaction((tx) =>
    holdCredit(tx, { accountId, reference, reason: 'enrich', lifeSeconds, at: it.clock.now() }),
  )
const capture = (accountId: string, holdId: string) =>
  it.app.db.transaction((tx) => captureHold(tx, { accountId, holdId, outcome: 'matched', at: it.clock.now() }))
const release = (accountId: string, holdId: string) =>
  it.app.db.transaction((tx) => releaseHold(tx, { accountId, holdId, outcome: 'no_match_free', at: it.clock.now() }))

/** Returns the newest entries: kind, reason, reference, and the balance and what is held after each. */
async function readLedger(key: string): Promise<unknown[][]> {
  const { body } = await it.call('GET', '/v1/account/ledger', { key })
  return body.data.map((entry: Record<string, unknown>) =>
    ['kind', 'reason', 'reference', 'balance_after', 'held_after'].map((member) => entry[member]),
  )
}

test('200 concurrent spends on 50 credits: exactly 50 succeed and the ledger sums to the balance', async () => {
  const account = await it.openAccount({ credits: 50 })
  const spends = Array.from({ length: 200 }, async (_, index) => {
    try {
      const { id } = await hold(account.id, `spend:${index}`)
      await capture(account.id, id)
      return 'spent'
    } catch (error) {
      if (error instanceof DomainError) return error.code
      throw error
    }
  })
  const outcomes = await Promise.all(spends)
  expect(outcomes.filter((outcome) => outcome === 'spent')).toHaveLength(50)
  expect(outcomes.filter((outcome) => outcome === 'insufficient_credits')).toHaveLength(150)
  expect(await getBalance(it.app.db, account.id)).toEqual({ balance: 0, held: 0, available: 0 })
  const [sum] = await it.app.db.query<{ sum: number }>(
    'select sum(balance_delta)::bigint as sum from ledger_entry where account_id = $1',
    [account.id],
  )
  expect(sum?.sum).toBe(0)
  expect(await findUnbalancedAccounts(it.app.db)).toEqual([])
})

test('200 answers that are known, charged at once on 50 credits: exactly 50 are, each as a hold and a capture', async () => {
  const account = await it.openAccount({ credits: 50 })
  const charge = (index: number) =>
    it.app.db.transaction((tx) =>
      chargeCredit(tx, {
        accountId: account.id,
        reference: `answer:${index}`,
        reason: 'domain_asked',
        outcome: 'matched',
        lifeSeconds: 60,
        at: it.clock.now(),
      }),
    )
  const charged = await Promise.allSettled(Array.from({ length: 200 }, (_, index) => charge(index)))
  const left = charged.flatMap((each) => (each.status === 'fulfilled' ? [each.value.available] : []))
  expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index))
  const refused = charged.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
  expect(refused).toEqual(Array.from({ length: 150 }, () => 'insufficient_credits'))
  expect(await getBalance(it.app.db, account.id)).toEqual({ balance: 0, held: 0, available: 0 })
  expect(await findUnbalancedAccounts(it.app.db)).toEqual([])

  const [last, first] = await readLedger(account.key)
  expect(last?.slice(3)).toEqual([0, 0])
  expect(first?.slice(3)).toEqual([1, 1])
  expect([last?.slice(0, 2), first?.slice(0, 2)]).toEqual([
    ['capture', 'matched'],
    ['hold', 'domain_asked'],
  ])
  expect(last?.[2]).toBe(first?.[2])
  const usage = await it.app.db.query('select answers, credits, outcome from usage_day where account_id = $1', [
    account.id,
  ])
  expect(usage).toEqual([{ answers: 50, credits: 50, outcome: 'matched' }])
})

test('a hold is set aside, then captured or released, once; every step is in the ledger with its reason', async () => {
  const account = await it.openAccount()
  const first = await hold(account.id, 'job:1')
  const second = await hold(account.id, 'job:2')
  expect(await getBalance(it.app.db, account.id)).toEqual({ balance: 25, held: 2, available: 23 })
  expect((await capture(account.id, first.id)).kind).toBe('settled')
  expect((await release(account.id, second.id)).kind).toBe('settled')
  expect((await capture(account.id, first.id)).kind).toBe('already_settled')
  expect((await release(account.id, first.id)).kind).toBe('already_settled')

  expect(await readLedger(account.key)).toEqual([
    ['release', 'no_match_free', 'job:2', 24, 0],
    ['capture', 'matched', 'job:1', 24, 1],
    ['hold', 'enrich', 'job:2', 25, 2],
    ['hold', 'enrich', 'job:1', 25, 1],
    ['grant', 'welcome', 'welcome', 25, 0],
  ])
})

test('a hold asked for twice under one reference is the same hold', async () => {
  const account = await it.openAccount()
  const holds = await Promise.all(Array.from({ length: 10 }, () => hold(account.id, 'job:same')))
  expect(new Set(holds.map(({ id }) => id)).size).toBe(1)
  expect((await getBalance(it.app.db, account.id)).held).toBe(1)
})

test('a grant asked for twice under one reference is given once', async () => {
  const account = await it.openAccount()
  const grant = () =>
    it.app.db.transaction((tx) =>
      grantCredits(tx, {
        accountId: account.id,
        amountCredits: 10,
        reason: 'operator',
        reference: 'invoice 17',
        at: it.clock.now(),
      }),
    )
  const answers = await Promise.all(Array.from({ length: 8 }, grant))
  expect(answers.filter((answer) => answer !== null)).toHaveLength(1)
  expect((await getBalance(it.app.db, account.id)).balance).toBe(35)
})

test('a hold whose work was lost is given back when it expires', async () => {
  const account = await it.openAccount()
  const { id } = await hold(account.id, 'job:lost', 60)
  await it.runJob(releaseExpiredHoldsJob)
  expect((await getBalance(it.app.db, account.id)).held).toBe(1)
  it.clock.advance(61)
  await it.runJob(releaseExpiredHoldsJob)
  await it.runJob(releaseExpiredHoldsJob)
  expect(await getBalance(it.app.db, account.id)).toEqual({ balance: 25, held: 0, available: 25 })
  // Work that ends after its hold expired finds it settled and spends nothing.
  expect((await capture(account.id, id)).kind).toBe('already_settled')
})

test('the database itself refuses a negative balance and any change to the ledger', async () => {
  const account = await it.openAccount()
  const refused = (sql: string) => expect(it.app.db.query(sql, [account.id])).rejects
  await refused('update credit_balance set balance = -1 where account_id = $1').toThrow('check constraint')
  await refused('update credit_balance set held = balance + 1 where account_id = $1').toThrow('available_not_negative')
  await refused('update ledger_entry set amount = 1000 where account_id = $1').toThrow('append-only')
  await refused('delete from ledger_entry where account_id = $1').toThrow('append-only')
  await refused(
    `insert into ledger_entry (account_id, kind, amount, reason, reference, balance_delta, held_delta, balance_after, held_after, created_at)
     values ($1, 'grant', 5, 'welcome', 'twice as much', 10, 0, 35, 0, now())`,
  ).toThrow('deltas_follow_kind')
})

test('the ledger is paged by number and by a cursor that stays stable while entries arrive', async () => {
  const account = await it.openAccount()
  for (let job = 0; job < 7; job += 1) await hold(account.id, `job:${job}`)
  const page = await it.call('GET', '/v1/account/ledger?limit=3&page=2', { token: account.token })
  expect([page.body.page, page.body.limit, page.body.has_more, page.body.data.length]).toEqual([2, 3, true, 3])

  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`
    const reply = await it.call('GET', `/v1/account/ledger?limit=3${query}`, { token: account.token })
    seen.push(...reply.body.data.map((entry: { reference: string }) => entry.reference))
    cursor = reply.body.next_cursor
    await hold(account.id, `later:${seen.length}`)
  } while (cursor !== null)
  expect(seen).toEqual(['job:6', 'job:5', 'job:4', 'job:3', 'job:2', 'job:1', 'job:0', 'welcome'])

  for (const bad of ['limit=0', 'limit=101', 'page=0', 'page=x', 'cursor=x']) {
    expect((await it.call('GET', `/v1/account/ledger?${bad}`, { token: account.token })).status, bad).toBe(400)
  }
})

test('usage counts answers and credits per London day and outcome', async () => {
  const account = await it.openAccount()
  for (let job = 0; job < 3; job += 1) await capture(account.id, (await hold(account.id, `job:${job}`)).id)
  await release(account.id, (await hold(account.id, 'job:free')).id)
  const usage = await it.call('GET', '/v1/account/usage', { key: account.key })
  const rows = usage.body.data.map((row: Record<string, unknown>) => [row['outcome'], row['answers'], row['credits']])
  expect(rows).toEqual([
    ['matched', 3, 3],
    ['no_match_free', 1, 0],
  ])
  expect(usage.body.totals).toEqual({ answers: 4, credits: 3 })
  for (const bad of [
    'from=2026-02-30',
    'from=yesterday',
    'from=2026-02-02&to=2026-02-01',
    'from=2024-01-01&to=2026-01-01',
    // A month before the first day of the calendar was an error of ours.
    'to=0001-01-01',
    'from=9999-12-31&to=9999-12-31',
  ]) {
    expect((await it.call('GET', `/v1/account/usage?${bad}`, { key: account.key })).status, bad).toBe(400)
  }
})

test('a plan gives its month of credits on the day it starts and on every renewal, once', async () => {
  const { changePlan } = await import('../src/accounts/index.ts')
  const { renewPlansJob } = await import('../src/accounts/index.ts')
  const account = await it.openAccount()
  await changePlan(it.app, { accountId: account.id, plan: 'starter' })
  const profile = async () => (await it.call('GET', '/v1/auth/me', { key: account.key })).body
  expect((await profile()).credits.balance).toBe(525)
  expect((await profile()).subscription).toMatchObject({ plan: 'starter', status: 'active', monthly_credits: 500 })
  await it.runJob(renewPlansJob)
  expect((await profile()).credits.balance).toBe(525)
  it.clock.advance(32 * 86_400)
  await Promise.all([it.runJob(renewPlansJob), it.runJob(renewPlansJob)])
  expect((await profile()).credits.balance).toBe(1_025)
  expect((await profile()).watchlist.limit).toBe(500)
})
