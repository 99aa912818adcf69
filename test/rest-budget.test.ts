/** The register bans those who ask too much. Whatever number of processes asks, it never sees more than the key may send. */
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NewCompany, SIMULATED_REST_KEY, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { Database } from '../src/lib/db/db.ts'
import { LeasedLimiter } from '../src/lib/limits/leased-limiter.ts'
import { createLog } from '../src/lib/log.ts'
import { getCompanyDetails } from '../src/register/details/details.ts'
import { type Priority, RestBudget } from '../src/register/details/rest-budget.ts'
import type { RegisterApp } from '../src/register/details/rest-client.ts'
import { testConfig } from './setup/config.ts'
import { createTestDatabase } from './setup/harness.ts'

const WINDOW_MS = 300_000
const clock = {
  at: new Date('2026-11-02T10:00:00Z'),
  now() {
    return this.at
  },
  advance(ms: number) {
    this.at = new Date(this.at.getTime() + ms)
  },
}

let database: Awaited<ReturnType<typeof createTestDatabase>>
let databases: Database[]
beforeAll(async () => {
  database = await createTestDatabase()
  databases = Array.from(
    { length: 8 },
    () => new Database({ url: database.url, connectionsMax: 4, applicationName: 'test' }),
  )
})
afterAll(async () => {
  await Promise.all(databases.map((db) => db.close()))
  await database.drop()
})
beforeEach(() => clock.advance(2 * WINDOW_MS))

const take = (budget: RestBudget, priority: Priority, count: number) =>
  budget.take({ priority, count, maxWaitMs: 0, accountId: null })
/** A process's knowledge of the register before its first request. */
const startProcess = (db: Database) => ({
  db,
  clock,
  limiter: new LeasedLimiter(db),
  registerBudget: { spentUntilMs: new Map<string, number>(), pausedUntilMs: 0, statedLimit: 0 },
  documentBudget: { spentUntilMs: new Map<string, number>(), pausedUntilMs: 0, statedLimit: 0 },
})
const openBudget = (index = 0) => new RestBudget(startProcess(databases[index] as Database))
const headers = (limit: number, remain: number, resetMs: number) =>
  new Headers({
    'X-Ratelimit-Limit': String(limit),
    'X-Ratelimit-Remain': String(remain),
    'X-Ratelimit-Reset': String(Math.ceil(resetMs / 1_000)),
  })

test('processes that ask at once are granted 570 of 600 together, and the rest is told when to come back', async () => {
  const budgets = databases.map((_, index) => openBudget(index))
  const grants = await Promise.all(
    Array.from({ length: 160 }, (_, index) => take(budgets[index % 8] as RestBudget, 'user', 5)),
  )
  const granted = grants.reduce((sum, grant) => sum + (grant.kind === 'granted' ? grant.count : 0), 0)
  expect(granted).toBe(570)
  const spent = grants.find((grant) => grant.kind === 'spent')
  const waitMs = (spent?.retryAt.getTime() ?? 0) - clock.now().getTime()
  expect(waitMs).toBeGreaterThan(WINDOW_MS)
  expect(waitMs).toBeLessThanOrEqual(WINDOW_MS + 25_000)
  clock.advance(waitMs - 1)
  expect(await take(openBudget(), 'user', 1)).toMatchObject({ kind: 'spent' })
  clock.advance(1)
  expect(await take(openBudget(), 'user', 1)).toMatchObject({ kind: 'granted' })
})

test('background work leaves 150 requests to those who wait', async () => {
  const budget = openBudget()
  expect(await take(budget, 'background', 1_000)).toMatchObject({ kind: 'granted', count: 420 })
  expect(await take(budget, 'background', 1)).toMatchObject({ kind: 'spent' })
  expect(await take(budget, 'user', 1_000)).toMatchObject({ kind: 'granted', count: 150 })
})

test('one account cannot draw the whole budget: others that ask, and the background, have theirs', async () => {
  const budgets = [openBudget(0), openBudget(1)]
  const draw = async (accountId: string, requests: number) => {
    let granted = 0
    for (let asked = 0; asked < requests; asked += 5) {
      const budget = budgets[(asked / 5) % 2] as RestBudget
      const grant = await budget.take({ priority: 'user', count: 5, maxWaitMs: 0, accountId })
      granted += grant.kind === 'granted' ? grant.count : 0
    }
    return granted
  }
  // Alone it gets half of the window, and no more.
  expect(await draw('greedy', 600)).toBe(300)
  expect(await draw('modest', 60)).toBe(60)
  expect(await take(openBudget(2), 'background', 1_000)).toMatchObject({ kind: 'granted', count: 60 })
  expect(await draw('greedy', 50)).toBeLessThanOrEqual(5)
  expect(await draw('third', 60)).toBe(60)
})

test('nobody waits longer than asked, and waiting is worth it when the window moves on', async () => {
  const budget = openBudget()
  await take(budget, 'user', 570)
  const startedMs = performance.now()
  const patient = { priority: 'user', count: 1, maxWaitMs: 60_000, accountId: null } as const
  expect(await budget.take(patient)).toMatchObject({ kind: 'spent' })
  // The window frees in minutes: there is no point in waiting at all.
  expect(performance.now() - startedMs).toBeLessThan(30_000)
  clock.advance(324_900)
  const waiting = budget.take({ priority: 'user', count: 1, maxWaitMs: 10_000, accountId: null })
  clock.advance(5_000)
  expect(await waiting).toMatchObject({ kind: 'granted' })
})

test('a refusal stops every process until the register’s reset', async () => {
  const [here, there] = [openBudget(0), openBudget(1)]
  const resetMs = Math.ceil(clock.now().getTime() / 1_000) * 1_000 + 120_000
  await here.learn({ status: 429, headers: headers(600, 0, resetMs) })
  expect(await take(there, 'user', 1)).toEqual({ kind: 'spent', retryAt: new Date(resetMs + 1_000) })
  clock.advance(122_001)
  expect(await take(there, 'user', 1)).toMatchObject({ kind: 'granted' })
})

test.each([
  ['a ban of the address', 403, new Headers()],
  ['a refusal without a reset', 429, new Headers()],
  ['a reset long ago', 429, headers(600, 0, 1_000)],
  ['a reset in a year', 429, headers(600, 0, 4_102_444_800_000)],
])('%s stops for five minutes', async (_, status, answered) => {
  const budget = openBudget()
  await budget.learn({ status, headers: answered })
  expect(await take(openBudget(1), 'user', 1)).toEqual({
    kind: 'spent',
    retryAt: new Date(clock.now().getTime() + WINDOW_MS + 1_000),
  })
})

test('when someone else spends the same key, all stop before it is used up', async () => {
  await openBudget().learn({ status: 200, headers: headers(600, 30, clock.now().getTime() + 60_000) })
  expect(await take(openBudget(1), 'user', 1)).toMatchObject({ kind: 'granted' })
  await openBudget().learn({ status: 200, headers: headers(600, 29, clock.now().getTime() + 60_000) })
  expect(await take(openBudget(1), 'user', 1)).toMatchObject({ kind: 'spent' })
})

test('a raised limit is learnt from the answers', async () => {
  await openBudget().learn({ status: 200, headers: headers(1_200, 1_000, clock.now().getTime() + 60_000) })
  expect(await take(openBudget(1), 'user', 2_000)).toMatchObject({ kind: 'granted', count: 1_140 })
  await openBudget().learn({ status: 200, headers: headers(600, 500, clock.now().getTime() + 60_000) })
})

function tick(everyMs: number, advanceMs: number): Disposable {
  const timer = setInterval(() => clock.advance(advanceMs), everyMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

const COMPANIES = 500
const WORKERS_PER_PROCESS = 4
/** Also a request that a busy machine did not answer in time. A refusal would be a 429. */
const ASKED_AGAIN = new Set<string>(['budget_spent', 'register_unavailable'])

test('8 processes fetch 500 companies: at most 600 requests in any five minutes, and never a refusal', async () => {
  const numbers = Array.from({ length: COMPANIES }, (_, index) => String(4_000_000 + index).padStart(8, '0'))
  const companies = numbers.map((number): NewCompany => ({ number, name: `COMPANY ${number}` }))
  await using house = SimulatedCompaniesHouse.fromCompanies(companies, { clock, imageDelayMs: null })
  const { restUrl } = await house.listen()
  const base = testConfig({})
  const register = { ...base.register, restUrl: new URL(restUrl), restKey: SIMULATED_REST_KEY }
  const worlds = databases.map(
    (db): RegisterApp => ({
      ...startProcess(db),
      config: { ...base, register },
      log: createLog({ level: 'silent' }),
      registerFetches: new Map(),
    }),
  )
  await databases[0]?.query(
    `insert into company (number, name, name_key, status, type, source, changed_at)
     select number, number, number, 'active', 'ltd', 'snapshot', $2 from unnest($1::text[]) as number`,
    [numbers, clock.now()],
  )

  // Time goes on while they work, twice as fast as ours.
  using _ticking = tick(50, 100)
  const startedAt = clock.now()
  let rounds = 0
  let waiting = [...numbers]
  const failed: string[] = []
  while (waiting.length > 0 && rounds < 1_000) {
    rounds += 1
    const queue = waiting
    const again: string[] = []
    waiting = again
    const work = async (world: RegisterApp, priority: Priority) => {
      for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
        const details = await getCompanyDetails(world, number, { priority, maxWaitMs: 5_000, accountId: null })
        const { officers, charges, insolvency, pscs, filings } = details
        const missing = [officers, charges, insolvency, pscs, filings].flatMap((part) => part.missing ?? [])
        if (missing.length > 0) again.push(number)
        failed.push(...missing.flatMap(({ reason }) => (ASKED_AGAIN.has(reason) ? [] : reason)))
        // Every request is refused until time passes; going through the whole queue would show nothing more.
        if (missing.length > 0) break
      }
    }
    await Promise.all(
      worlds.flatMap((world, index) =>
        Array.from({ length: WORKERS_PER_PROCESS }, () => work(world, index < 2 ? 'user' : 'background')),
      ),
    )
    again.push(...queue)
    await setImmediate()
    // Uneven steps, so that windows begin anywhere.
    clock.advance(2_000 + ((rounds * 7_919) % 41_000))
  }

  const { rest } = house.stats
  const seconds = (clock.now().getTime() - startedAt.getTime()) / 1_000
  expect(failed).toEqual([])
  expect(waiting).toEqual([])
  expect(rest.byStatus[429]).toBeUndefined()
  expect(rest.busiestWindow(WINDOW_MS)).toBeLessThanOrEqual(600)
  // Careful, but not idle.
  expect(rest.total / (seconds / 300)).toBeGreaterThan(400)
  expect(rest.total).toBeGreaterThanOrEqual(COMPANIES * 5)
})
