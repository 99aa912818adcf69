/** The watchers of a company get its changes: its details are read once, without signals, and followed from then on. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type NewCompany, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { changePlan } from '../src/accounts/index.ts'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { followWatchedJob, recordQueuedChanges } from '../src/signals/index.ts'
import { type TestKeys, useTestService } from './setup/harness.ts'

const justAppointed = (number: string) => ({
  name: 'NEWLY, Jo',
  officer_role: 'director',
  appointed_on: addDaysToDate(toLondonDate(new Date()), -1),
  links: { self: `/company/${number}/appointments/jo` },
})

const COMPANIES: NewCompany[] = Array.from({ length: 400 }, (_, index) => {
  const number = String(2_000_000 + index).padStart(8, '0')
  return { number, name: `COMPANY ${index} LIMITED`, officers: [justAppointed(number)] }
})

const house = SimulatedCompaniesHouse.fromCompanies(COMPANIES, { imageDelayMs: null })
const it = useTestService({
  house,
})
let account: TestKeys
/** Companies that no test has used. */
let fresh: string[]
beforeAll(async () => {
  fresh = COMPANIES.map(({ number }) => number)
})
beforeEach(async () => {
  house.faults.clear()
  // What an earlier test spent of the budget leaves the window.
  it.clock.advance(400)
  account = await it.openAccount()
})

const watch = (number: string) =>
  it.call('POST', '/v1/watchlist', { key: account.key, body: { company_number: number } })
const requestsFor = (number: string) => house.stats.rest.requests.filter(({ path }) => path.includes(number)).length
const countParts = async (numbers: string[]) =>
  (await it.app.db.query('select from company_part where company_number = any ($1)', [numbers])).length
/** All of it in the last five seconds, which is a slot. */
const spendBudget = () =>
  it.app.db.query('update register_rest_budget set slot = $1, granted[65] = 570', [
    Math.floor(it.clock.now().getTime() / 5_000),
  ])
const queued = async () => (await it.app.jobs.listQueues()).find(({ name }) => name === followWatchedJob.name)

/** The register's snapshot has them; their details were never fetched. */
async function takeKnown(count: number): Promise<string[]> {
  const numbers = fresh.splice(0, count)
  await it.app.db.query(
    `insert into company (number, name, name_key, status, type, source, changed_at)
     select number, number, number, 'active', 'ltd', 'snapshot', now() from unnest($1::text[]) number`,
    [numbers],
  )
  return numbers
}

test('the details of a watched company are read once, and what is already so stays silent', async () => {
  const [number = ''] = await takeKnown(1)
  expect((await watch(number)).status).toBe(201)
  await it.settle()
  expect([await countParts([number]), requestsFor(number)]).toEqual([5, 5])
  await recordQueuedChanges(it.app)
  expect((await it.call('GET', '/v1/signals', { key: account.key })).body.data).toEqual([])
  await it.runJob(followWatchedJob, { companyNumbers: [number] })
  await it.call('DELETE', `/v1/watchlist/${number}`, { key: account.key })
  await watch(number)
  await it.settle()
  expect(requestsFor(number)).toBe(5)
})

test('a company that only the register knows is looked up; one that it does not know is not found', async () => {
  const [number = ''] = fresh.splice(0, 1)
  const { status, body } = await watch(number)
  expect([status, body.company_number, body.company_status]).toEqual([201, number, 'active'])
  const unknown = await watch('09999999')
  expect([unknown.status, unknown.body.code]).toEqual([404, 'company_not_found'])
  const asked = house.stats.rest.total
  expect((await watch('TS000001')).status).toBe(404)
  const many = { key: account.key, body: { company_numbers: fresh.slice(0, 20) } }
  const bulk = await it.call('POST', '/v1/watchlist/bulk', many)
  expect(bulk.body.counts.not_found).toBe(20)
  expect(house.stats.rest.total).toBe(asked)
})

test('when the register cannot be asked, an unknown company is 503 and nothing is watched', async () => {
  house.faults.rest.set({ drop: { next: 1_000 } })
  const [number = ''] = fresh.splice(0, 1)
  expect(await watch(number)).toMatchObject({ status: 503, body: { code: 'unavailable', retryable: true } })
  const onList = { key: account.key, body: { company_number: number } }
  expect((await it.call('POST', '/v1/watchlists/default/companies', onList)).status).toBe(503)
  expect((await it.call('GET', '/v1/watchlist', { key: account.key })).body.data).toEqual([])
})

test('when the budget is spent, reading goes on later and nothing fails', async () => {
  const numbers = await takeKnown(3)
  await spendBudget()
  const body = { company_numbers: numbers }
  expect((await it.call('POST', '/v1/watchlist/bulk', { key: account.key, body })).body.counts.watched).toBe(3)
  await it.settle()
  expect([await countParts(numbers), await queued()]).toMatchObject([0, { deferred: 1, dead: 0 }])
  const [job] = await it.app.db.query<{ wait: number; data: object }>(
    `select extract(epoch from start_after - now())::float8 as wait, data from pgboss.job
     where name = $1 and state = 'created'`,
    [followWatchedJob.name],
  )
  expect(job?.data).toEqual({ companyNumbers: numbers })
  expect(job?.wait).toBeGreaterThan(60)
  it.clock.advance(400)
  await it.app.db.query(`update pgboss.job set start_after = now() where name = $1`, [followWatchedJob.name])
  await it.settle()
  expect([await countParts(numbers), await queued()]).toMatchObject([15, { ready: 0, deferred: 0 }])
})

test('a long list is read in jobs of a hundred', async () => {
  await changePlan(it.app, { accountId: account.id, plan: 'starter' })
  const numbers = await takeKnown(250)
  await spendBudget()
  const reply = await it.call('PUT', '/v1/watchlist', { key: account.key, body: { company_numbers: numbers } })
  expect(reply.body.added).toHaveLength(250)
  await it.settle()
  expect(await queued()).toMatchObject({ deferred: 3, dead: 0 })
  // They are unwatched before there is budget again.
  await it.call('PUT', '/v1/watchlist', { key: account.key, body: { company_numbers: [] } })
  it.clock.advance(400)
  const asked = house.stats.rest.total
  await it.app.db.query(`update pgboss.job set start_after = now() where name = $1`, [followWatchedJob.name])
  await it.settle()
  expect([house.stats.rest.total, await queued()]).toMatchObject([asked, { ready: 0, deferred: 0, dead: 0 }])
})

test('a company the register stumbles over does not hold up the others, and is tried again', async () => {
  const numbers = await takeKnown(3)
  for (const number of numbers) await watch(number)
  await it.settle()
  await it.app.db.query('delete from company_part where company_number = any ($1)', [numbers])
  // As many as the first company's five parts are tried.
  house.faults.rest.set({ answer503: { next: 15 } })
  const follow = () => it.runJob(followWatchedJob, { companyNumbers: numbers })
  await expect(follow()).rejects.toThrow(numbers[0])
  expect([await countParts([numbers[0] ?? '']), await countParts(numbers.slice(1))]).toEqual([0, 10])
  await follow()
  expect(await countParts(numbers)).toBe(15)
})
