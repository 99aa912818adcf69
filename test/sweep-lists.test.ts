/** Lists that are read again and again, lists that share domains, and stores that changed while domains moved. */
import { Readable } from 'node:stream'
import { afterEach, expect, inject, test } from 'vitest'
import { executeSql, findFreePort } from '../rig/postgres.ts'
import type { Config } from '../src/config.ts'
import { addList, listSweeps, moveAll, pauseSweep, sweepDomains } from '../src/resolution/index.ts'
import { type Service, startService } from '../src/service.ts'
import { ALDER, publish, siteOf, siteWithoutCompany } from './setup/companies.ts'
import { useCrawlStores } from './setup/crawl-stores.ts'
import { DAY_SECONDS, prepare, useTestService, WAIT } from './setup/harness.ts'

const it = useTestService({ companies: [ALDER], work: false, shutdownGraceSeconds: 1 })
const account = prepare(() => it.openAccount({ credits: 100 }))
const workers: Service[] = []
const { stores, addressOf, configOf } = useCrawlStores(it)

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()))
  for (const db of [it.app.db, ...stores.values()]) {
    await db.query('truncate crawl_domain, crawl_reading, crawl_sweep, crawl_move')
  }
})

const dbOf = (name: string) => stores.get(name) ?? it.app.db

/** A process of the service; one without work adds lists and moves domains, and reads nothing. */
async function start(config: Config, work = true): Promise<Service> {
  const service = await startService(config, { serve: false, work, clock: it.clock, log: it.app.log })
  workers.push(service)
  return service
}

const newList = (name: string, everyDays: number | null = null) => ({
  name,
  ahead: null,
  everyDays,
  onProgress: () => undefined,
  signal: AbortSignal.timeout(60_000),
})
const domainsOf = (name: string) =>
  dbOf(name).query<{ domain: string; sweep: string; state: string; due_at: Date | null; every_days: number | null }>(
    'select domain, sweep, state, due_at, every_days from crawl_domain order by domain',
  )
const inDays = (days: number) => new Date(it.clock.now().getTime() + days * DAY_SECONDS * 1_000)
const requestsTo = (domain: string) => it.web.stats.byHost.get(domain) ?? 0
const statusOf = async ({ app }: Service, list: string) =>
  (await listSweeps(app)).find((one) => one.list === list && one.store === null)

test('a domain that is known when a repeated list is added is read when the list wants it again', async () => {
  const worker = await start(configOf(['main']))
  const domain = publish(it.web, siteOf(ALDER))
  await it.call('POST', '/v1/enrich', { key: account.key, body: { domain }, headers: WAIT })
  const before = requestsTo(domain)
  expect(await sweepDomains(worker.app, Readable.from([domain]), newList('monthly', 20))).toMatchObject({ known: 1 })
  expect(await domainsOf('main')).toMatchObject([{ domain, state: 'read', every_days: 20 }])
  expect(requestsTo(domain)).toBe(before)
  it.clock.advance(21 * DAY_SECONDS)
  await expect.poll(() => requestsTo(domain)).toBeGreaterThan(before)
})

test('a list that is read once takes no domain from a repeated one, nor does adding it again', async () => {
  const worker = await start(configOf(['main']))
  const domain = publish(it.web, siteWithoutCompany())
  await sweepDomains(worker.app, Readable.from([domain]), newList('weekly', 7))
  await sweepDomains(worker.app, Readable.from([domain]), newList('weekly'))
  await sweepDomains(worker.app, Readable.from([domain]), newList('once'))
  expect(await domainsOf('main')).toMatchObject([{ sweep: 'weekly', state: 'read', every_days: 7 }])
  it.clock.advance(31 * DAY_SECONDS)
  await worker.close()
  const idle = await start(configOf(['main']), false)
  await addList(idle.app, Readable.from([domain]), newList('once'))
  expect(await domainsOf('main')).toMatchObject([{ sweep: 'once', state: 'waiting', every_days: 7 }])
  const reader = await start(configOf(['main']))
  await expect.poll(async () => (await statusOf(reader, 'once'))?.state).toBe('done')
  const [row] = await domainsOf('main')
  expect(Math.abs((row?.due_at?.getTime() ?? 0) - inDays(7).getTime())).toBeLessThan(60_000)
})

test('a domain that is due again counts as waiting, and a list whose domains another list took over ends', async () => {
  const worker = await start(configOf(['main']))
  const domains = Array.from({ length: 3 }, () => publish(it.web, siteWithoutCompany()))
  await sweepDomains(worker.app, Readable.from(domains), newList('weekly', 7))
  await worker.close()
  it.clock.advance(31 * DAY_SECONDS)
  const idle = await start(configOf(['main']), false)
  expect(await statusOf(idle, 'weekly')).toMatchObject({ state: 'running', waiting: 3, read: 0 })
  const following = sweepDomains(idle.app, Readable.from(domains.slice(0, 2)), newList('weekly'))
  await expect.poll(async () => (await statusOf(idle, 'weekly'))?.waiting).toBe(3)
  await addList(idle.app, Readable.from(domains), newList('other'))
  expect(await following).toMatchObject({ underWay: 0, outcomes: {} })
})

test('a domain that was given up is due again where its list repeats', async () => {
  const worker = await start(configOf(['main']), false)
  const domain = publish(it.web, siteWithoutCompany())
  await addList(worker.app, Readable.from([domain]), newList('weekly', 7))
  const at = new Date(it.clock.now().getTime() - 120_000)
  await it.app.db.query(
    `update crawl_domain set state = 'queued', job_id = gen_random_uuid(), queued_at = $1, deaths = 2`,
    [at],
  )
  await start(configOf(['main']))
  await expect.poll(() => domainsOf('main')).toMatchObject([{ state: 'read' }])
  const [row] = await domainsOf('main')
  expect(row?.due_at?.getTime()).toBeGreaterThan(it.clock.now().getTime())
})

const NAMES = Array.from({ length: 40 }, (_, index) => `move-${index}.co.uk`)
const NEVER = new AbortController().signal

test('domains that a process with the old list adds after the move are moved by the next one', async () => {
  const old = await start(configOf(['main']), false)
  await addList(old.app, Readable.from(NAMES.slice(0, 20)), newList('moved'))
  const mover = await start(configOf(['c1', 'c2'], ['main']), false)
  expect(await moveAll(mover.app, { signal: NEVER })).toMatchObject({ moved: 20, isFinished: true })
  await addList(old.app, Readable.from(NAMES.slice(20)), newList('moved'))
  expect(await moveAll(mover.app, { signal: NEVER })).toMatchObject({ moved: 0, isFinished: true })
  expect(await moveAll(mover.app, { signal: NEVER, isThorough: true })).toMatchObject({ moved: 20, isFinished: true })
  expect(await domainsOf('main')).toEqual([])
  expect((await domainsOf('c1')).length + (await domainsOf('c2')).length).toBe(40)
  const lists = await Promise.all(['c1', 'c2'].map((name) => dbOf(name).query('select from crawl_sweep')))
  expect(lists.map((rows) => rows.length)).toEqual([1, 1])
})

test('a move whose setting is taken back leaves no domain that is never read', async () => {
  const old = await start(configOf(['c1']), false)
  await addList(old.app, Readable.from(NAMES), newList('back'))
  await dbOf('c1').query('update crawl_domain set is_moving = true')
  expect(await moveAll(old.app, { signal: NEVER })).toMatchObject({ moved: 0, isFinished: true, away: [] })
  expect(await dbOf('c1').query('select from crawl_domain where is_moving')).toEqual([])
  // The store is no former one, and still gives away what was marked.
  await dbOf('c1').query('update crawl_domain set is_moving = true')
  const both = await start(configOf(['c1', 'c2']), false)
  const { moved } = await moveAll(both.app, { signal: NEVER })
  expect(moved).toBe((await domainsOf('c2')).length)
  expect(moved).toBeGreaterThan(5)
})

test('a store that is away delays the move of its own domains only', async () => {
  const away = { name: 'away', url: `postgresql://x:x@127.0.0.1:${await findFreePort()}/x` }
  const old = await start(configOf(['main']), false)
  await addList(old.app, Readable.from(NAMES), newList('moved'))
  const config = { ...it.config, crawl: { stores: [addressOf('c1'), away], previous: [addressOf('main')] } }
  const mover = await start(config, false)
  const { moved, isFinished, away: names } = await moveAll(mover.app, { signal: NEVER })
  expect([isFinished, names]).toEqual([false, ['away']])
  expect((await domainsOf('c1')).map(({ domain }) => mover.app.crawl.ownerOf(domain).name)).toEqual(
    Array.from({ length: moved }, () => 'c1'),
  )
  expect(moved).toBeGreaterThan(5)
  expect(await domainsOf('main')).toHaveLength(NAMES.length - moved)
  expect(await it.app.db.query('select from crawl_domain where is_moving')).toEqual([])
})

test('a store that takes no writes leaves the domains due where they are', async () => {
  const old = await start(configOf(['c1']), false)
  await addList(old.app, Readable.from(NAMES), newList('moved'))
  const mover = await start(configOf(['c1', 'c2'], ['c1']), false)
  const database = new URL(dbOf('c2').url).pathname.slice(1)
  await executeSql(inject('postgresUrl'), `alter database ${database} set default_transaction_read_only = on`)
  const first = await moveAll(mover.app, { signal: NEVER })
  await executeSql(inject('postgresUrl'), `alter database ${database} reset default_transaction_read_only`)
  expect(first).toMatchObject({ moved: 0, isFinished: false, away: ['c2'] })
  const again = await moveAll(await start(configOf(['c1', 'c2'], ['c1']), false).then(({ app }) => app), {
    signal: NEVER,
  })
  expect(again).toMatchObject({ isFinished: true, away: [] })
  expect(again.moved).toBe((await domainsOf('c2')).length)
  expect(again.moved).toBeGreaterThan(5)
})

test('a domain that was copied and read before its move was repeated is not read again', async () => {
  const old = await start(configOf(['main']), false)
  await addList(old.app, Readable.from(NAMES.slice(0, 1)), newList('once'))
  const both = await start(configOf(['c1']), false)
  await addList(both.app, Readable.from(NAMES.slice(0, 1)), newList('once'))
  await dbOf('c1').query(`update crawl_domain set state = 'read', due_at = null, outcome = 'no_match', read_at = $1`, [
    inDays(1),
  ])
  const mover = await start(configOf(['c1'], ['main']), false)
  expect(await moveAll(mover.app, { signal: NEVER })).toMatchObject({ moved: 1, isFinished: true })
  expect(await domainsOf('c1')).toMatchObject([{ state: 'read', due_at: null }])
})

test('a domain that a process with the old list wants now is due now after the move', async () => {
  const both = await start(configOf(['c1']), false)
  await addList(both.app, Readable.from(NAMES.slice(0, 1)), newList('monthly', 30))
  await dbOf('c1').query(`update crawl_domain set state = 'read', due_at = $1, outcome = 'no_match', read_at = $2`, [
    inDays(20),
    inDays(-10),
  ])
  it.clock.advance(60)
  const old = await start(configOf(['main']), false)
  await addList(old.app, Readable.from(NAMES.slice(0, 1)), newList('urgent'))
  const mover = await start(configOf(['c1'], ['main']), false)
  expect(await moveAll(mover.app, { signal: NEVER })).toMatchObject({ moved: 1 })
  const [row] = await domainsOf('c1')
  expect(row).toMatchObject({ sweep: 'urgent', every_days: 30 })
  expect(row?.due_at?.getTime()).toBeLessThanOrEqual(it.clock.now().getTime())
})

test('a paused list stays paused in a store that is new to it', async () => {
  const old = await start(configOf(['c1']), false)
  await addList(old.app, Readable.from(NAMES), newList('quiet'))
  await pauseSweep(old.app, { name: 'quiet', isPaused: true })
  const both = await start(configOf(['c1', 'c2'], ['c1']), false)
  await addList(both.app, Readable.from(NAMES), newList('quiet'))
  await moveAll(both.app, { signal: NEVER })
  expect(await dbOf('c2').query('select is_paused from crawl_sweep')).toEqual([{ is_paused: true }])
  expect(await statusOf(both, 'quiet')).toMatchObject({ state: 'paused', waiting: 40 })
})

test('a repetition survives a move to a store that has the domain already', async () => {
  const old = await start(configOf(['main']), false)
  await addList(old.app, Readable.from(NAMES), newList('weekly', 7))
  const both = await start(configOf(['c1', 'c2']), false)
  await addList(both.app, Readable.from(NAMES), newList('once'))
  const mover = await start(configOf(['c1', 'c2'], ['main']), false)
  expect(await moveAll(mover.app, { signal: NEVER })).toMatchObject({ moved: 40, isFinished: true })
  const rows = [...(await domainsOf('c1')), ...(await domainsOf('c2'))]
  expect(new Set(rows.map(({ every_days }) => every_days))).toEqual(new Set([7]))
})
