/** The watchers of a company get its changes: its details are read once, without signals, and followed from then on. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type NewCompany,
  SIMULATED_REST_KEY,
  SIMULATED_STREAM_KEY,
  SimulatedCompaniesHouse,
} from '../rig/companies-house/index.ts'
import { changePlan } from '../src/accounts/index.ts'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { findCompany, STREAM_NAMES, startFollowing } from '../src/register/index.ts'
import { followMissedJob, followWatchedJob, recordQueuedChanges, startFollowingMissed } from '../src/signals/index.ts'
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

const house = SimulatedCompaniesHouse.fromCompanies(COMPANIES, {
  stream: { heartbeatMs: 100, connectionsPerKeyMax: 50 },
  imageDelayMs: null,
})
const it = useTestService({ house, houseKeys: { restKey: SIMULATED_REST_KEY, streamKeys: [SIMULATED_STREAM_KEY] } })
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
const listTypes = async (number: string): Promise<string[]> => {
  const { body } = await it.call('GET', `/v1/companies/${number}/signals`, { key: account.key })
  return body.data.map((signal: { signal_type: string }) => signal.signal_type)
}
/** Follows with short pauses; every stream is connected. */
async function follow() {
  const opened = () => Object.values(house.stats.stream.connections).filter((each) => each?.open === 1).length
  const follower = startFollowing(it.app, {
    onApplied: async () => void (await recordQueuedChanges(it.app)),
    onGap: (tx) => startFollowingMissed(it.app, tx),
    times: { retryMs: 50, retryMsMax: 500, refusedMs: 100, leaseRenewMs: 300, silenceMsMax: 5_000 },
  })
  await expect.poll(opened).toBe(STREAM_NAMES.length)
  return follower
}
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
  expect([await countParts([number]), requestsFor(number)]).toEqual([5, 6])
  await recordQueuedChanges(it.app)
  expect((await it.call('GET', '/v1/signals', { key: account.key })).body.data).toEqual([])
  await it.runJob(followWatchedJob, { companyNumbers: [number], priority: 0 })
  await it.call('DELETE', `/v1/watchlist/${number}`, { key: account.key })
  await watch(number)
  await it.settle()
  expect(requestsFor(number)).toBe(6)
})

test('the first remark of the registrar on a company of the snapshot is a signal', async () => {
  const [number = ''] = await takeKnown(1)
  await watch(number)
  await it.settle()
  const follower = await follow()
  house.changes.setRemarks(number, { isOfficeInDispute: true })
  await expect.poll(() => listTypes(number)).toContain('registered_office_disputed')
  await follower.close()
})

test('remarks that a company already has are on its profile and make no signal', async () => {
  const [number = ''] = await takeKnown(1)
  house.changes.setRemarks(number, { isOfficeInDispute: true })
  const { body } = await it.call('GET', `/v1/companies/${number}`, { key: account.key })
  expect(body.warnings.map(({ code }: { code: string }) => code)).toContain('office_in_dispute')
  await recordQueuedChanges(it.app)
  expect(await listTypes(number)).toEqual([])
})

test('after a stream missed events, watched companies are read again and filings still make signals', async () => {
  const [number = ''] = await takeKnown(1)
  await watch(number)
  await it.settle()
  const first = await follow()
  house.changes.fileAccounts(number)
  const position = `select from register_stream where name = 'filings' and timepoint is not null`
  await expect.poll(async () => (await it.app.db.query(position)).length).toBe(1)
  await first.close()
  house.changes.upholdDefaultOffice(number)
  house.forgetEvents('filings')
  const follower = await follow()
  await expect.poll(() => countParts([number])).toBe(4)
  await expect.poll(async () => (await it.app.db.query(position)).length).toBe(0)
  await expect.poll(async () => house.stats.stream.connections['filings']?.open).toBe(1)
  house.changes.applyDefaultServiceAddress(number, { officer: 'Jane Smith' })
  await expect.poll(() => listTypes(number)).toContain('default_service_address_applied')
  await it.settle()
  expect(await countParts([number])).toBe(5)
  // Another run finds nothing left to read.
  const asked = house.stats.rest.total
  await it.runJob(followMissedJob, {})
  await it.settle()
  expect([house.stats.rest.total, await queued()]).toMatchObject([asked, { ready: 0, deferred: 0 }])
  await follower.close()
})

test('companies that are watched and were never read whole are found, and while readings wait nothing more is queued', async () => {
  const numbers = await takeKnown(3)
  for (const number of numbers) await watch(number)
  await it.settle()
  await it.app.db.query('delete from company_part where company_number = $1', [numbers[0]])
  await it.app.db.query('update company set remarks = null where number = $1', [numbers[1]])
  await spendBudget()
  await it.runJob(followMissedJob, {})
  await it.settle()
  expect(await queued()).toMatchObject({ deferred: 1 })
  await it.runJob(followMissedJob, {})
  expect(await queued()).toMatchObject({ ready: 0, deferred: 1 })
  it.clock.advance(400)
  await it.app.db.query(`update pgboss.job set start_after = now() where name = $1`, [followWatchedJob.name])
  await it.settle()
  expect(await countParts(numbers)).toBe(15)
  expect((await findCompany(it.app.db, numbers[1] ?? ''))?.remarks).toEqual([])
})

test('companies of an import do not wait behind what a spent budget left of a recovery', async () => {
  const [missed = '', watched = ''] = await takeKnown(2)
  await watch(missed)
  await it.settle()
  await it.app.db.query('delete from company_part where company_number = $1', [missed])
  await spendBudget()
  await it.runJob(followMissedJob, {})
  await it.call('POST', '/v1/watchlist/bulk', { key: account.key, body: { company_numbers: [watched] } })
  const left = (number: string) =>
    it.app.db.query<{ priority: number }>(
      `select priority from pgboss.job where name = $1 and state = 'created' and start_after > now() and data @> $2`,
      [followWatchedJob.name, { companyNumbers: [number] }],
    )
  for (const run of ['first', 'second']) {
    await it.settle()
    const [[ofMissed], [ofWatched]] = [await left(missed), await left(watched)]
    expect([run, (ofMissed?.priority ?? 0) < (ofWatched?.priority ?? 0)]).toEqual([run, true])
    await it.app.db.query(`update pgboss.job set start_after = now() where name = $1`, [followWatchedJob.name])
  }
  it.clock.advance(400)
  await it.settle()
  expect(await countParts([missed, watched])).toBe(10)
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
  expect(job?.data).toMatchObject({ companyNumbers: numbers })
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
  const follow = () => it.runJob(followWatchedJob, { companyNumbers: numbers, priority: 0 })
  await expect(follow()).rejects.toThrow(numbers[0])
  expect([await countParts([numbers[0] ?? '']), await countParts(numbers.slice(1))]).toEqual([0, 10])
  await follow()
  expect(await countParts(numbers)).toBe(15)
})
