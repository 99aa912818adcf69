import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SIMULATED_STREAM_KEY, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { findCompany, startFollowing } from '../src/register/index.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import { prepare, useTestService } from './setup/harness.ts'

const TIMES = { retryMs: 50, retryMsMax: 500, refusedMs: 100, leaseRenewMs: 300, silenceMsMax: 5_000 }

const house = SimulatedCompaniesHouse.fromCompanies(
  ['01111111', '02222222', '03333333'].map((number) => ({
    number,
    name: `COMPANY ${number} LIMITED`,
    incorporatedOn: '2010-01-01',
  })),
  { stream: { heartbeatMs: 100, connectionsPerKeyMax: 50 }, imageDelayMs: null },
)
const it = useTestService({
  house,
  houseKeys: { restKey: null, streamKeys: [SIMULATED_STREAM_KEY] },
})
const account = prepare(() => it.openAccount())

const follow = () =>
  startFollowing(it.app, { times: TIMES, onApplied: async () => void (await recordQueuedChanges(it.app)) })
const nameOf = async (number: string) => (await findCompany(it.app.db, number))?.name
const status = async () => (await it.call('GET', '/v1/status')).body.register
const companiesStream = async () =>
  (await status()).streams.find((stream: { stream: string }) => stream.stream === 'companies')

test('before anyone follows, the status says so instead of guessing', async () => {
  const { streams, snapshot } = await status()
  expect(streams).toHaveLength(8)
  expect(streams[0]).toMatchObject({ lag_seconds: null, followed: false, gap_since: null })
  expect(snapshot).toBeNull()
})

test('a change in the register is in ours within a moment, with its signal, and the lag is told', async () => {
  const follower = follow()
  await expect.poll(async () => (await companiesStream()).lag_seconds).not.toBeNull()
  house.changes.touch('01111111')
  await expect.poll(() => nameOf('01111111')).toBe('COMPANY 01111111 LIMITED')
  house.changes.rename('01111111', 'ACME WIDGETS LIMITED')
  await expect.poll(() => nameOf('01111111')).toBe('ACME WIDGETS LIMITED')
  const signals = async () => {
    const { body } = await it.call('GET', '/v1/companies/01111111/signals', { key: account.key })
    return body.data.map((signal: { signal_type: string }) => signal.signal_type)
  }
  await expect.poll(signals).toEqual(['name_changed'])
  await expect.poll(async () => (await companiesStream()).lag_seconds).toBeLessThanOrEqual(2)
  expect((await companiesStream()).followed).toBe(true)
  const metrics = await it.call('GET', '/metrics')
  expect(metrics.text).toMatch(/nameplate_register_lag_seconds\{stream="companies"\} \d/)
  await follower.close()
})

test('remarks of the registrar and the default address are signals, each once', async () => {
  const follower = follow()
  const number = '03333333'
  const remarksOf = async () => (await findCompany(it.app.db, number))?.remarks
  await it.app.db.query(
    `insert into company_part (company_number, kind, fetched_at) values ($1, 'filing', now()) on conflict do nothing`,
    [number],
  )
  const listTypes = async (): Promise<string[]> => {
    const { body } = await it.call('GET', `/v1/companies/${number}/signals`, { key: account.key })
    return body.data.map((signal: { signal_type: string }) => signal.signal_type).sort()
  }
  house.changes.touch(number)
  await expect.poll(remarksOf).toEqual([])
  house.changes.setRemarks(number, { isOfficeInDispute: true })
  await expect.poll(remarksOf).toEqual(['registered-office-is-in-dispute'])
  house.changes.touch(number)
  house.changes.changeRegisteredOffice(number, { address_line_1: '1 High Street', locality: 'York' })
  house.changes.applyDefaultOffice(number)
  house.changes.applyDefaultServiceAddress(number, { officer: 'Jane Smith' })
  house.changes.applyDefaultServiceAddress(number, { psc: 'Sam Baker' })
  house.changes.upholdDefaultOffice(number)
  const types = [
    'default_office_applied',
    'default_office_upheld',
    'default_service_address_applied',
    'default_service_address_applied',
    'registered_office_changed',
    'registered_office_disputed',
  ]
  await expect.poll(listTypes).toEqual(types)
  const filings = () =>
    it.app.db.query(`select from company_item where company_number = $1 and data ->> 'type' = 'RP05'`, [number])
  await expect.poll(filings).toHaveLength(1)
  await follower.close()
  await recordQueuedChanges(it.app)
  expect(await listTypes()).toEqual(types)
})

test('what happened while nobody followed is caught up from the stored place', async () => {
  house.changes.rename('01111111', 'WHILE AWAY LIMITED')
  const follower = follow()
  await expect.poll(() => nameOf('01111111')).toBe('WHILE AWAY LIMITED')
  await follower.close()
})

test('of two followers one leads each stream, and the other takes over when it goes', async () => {
  const first = follow()
  const followed = async () => (await status()).streams.map((stream: { followed: boolean }) => stream.followed)
  await expect.poll(followed).toEqual(Array(8).fill(true))
  const second = follow()
  // It asks for the lease, and is refused, at least once.
  await sleep(2 * TIMES.leaseRenewMs)
  const leaders = await it.app.db.query<{ leader: string }>('select distinct leader from register_stream')
  expect(leaders).toHaveLength(1)
  await expect.poll(() => house.stats.stream.connections['companies']?.open).toBe(1)
  await first.close()
  house.changes.rename('01111111', 'TAKEN OVER LIMITED')
  await expect.poll(() => nameOf('01111111')).toBe('TAKEN OVER LIMITED')
  await second.close()
})

test('a follower that ends gives its streams up although its leases are being renewed', async () => {
  // The statement that renews a lease comes late, as it does at a busy database.
  const query: typeof it.app.db.query = async (text, params) => {
    if (text.startsWith('insert into register_stream')) await sleep(TIMES.leaseRenewMs / 2)
    return it.app.db.query(text, params)
  }
  const db = new Proxy(it.app.db, { get: (of, name) => (name === 'query' ? query : Reflect.get(of, name)) })
  const follower = startFollowing({ ...it.app, db }, { times: TIMES })
  const leaders = () => it.app.db.query('select from register_stream where leader is not null')
  await expect.poll(leaders).toHaveLength(8)
  // Some renewal is under way now, as each takes half of the time between two.
  await sleep(1.25 * TIMES.leaseRenewMs)
  await follower.close()
  await sleep(TIMES.leaseRenewMs)
  expect(await leaders()).toEqual([])
})

test('a timepoint that is gone is told as a gap, and following goes on', async () => {
  house.changes.rename('01111111', 'MISSED LIMITED')
  house.forgetEvents('companies')
  const follower = follow()
  await expect.poll(async () => (await companiesStream()).gap_since).not.toBeNull()
  await expect.poll(async () => (await companiesStream()).followed).toBe(true)
  expect(it.logText()).toContain('register.stream_gap')
  house.changes.rename('02222222', 'AFTER THE GAP LIMITED')
  await expect.poll(() => nameOf('02222222')).toBe('AFTER THE GAP LIMITED')
  await follower.close()
})

test('half a line, a repeated event and a refused connection change nothing but the time it takes', async () => {
  const follower = follow()
  house.faults.stream.set({
    halfLine: { next: 1 },
    duplicate: { next: 2 },
    answer503: { next: 2 },
    answer429: { next: 1 },
  })
  house.changes.rename('03333333', 'ONCE LIMITED')
  house.changes.rename('03333333', 'TWICE LIMITED')
  await expect.poll(() => nameOf('03333333')).toBe('TWICE LIMITED')
  house.faults.clear()
  await follower.close()
})
