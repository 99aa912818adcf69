/** Readings that no customer waits for are in databases beside the main one, and customers get answers all the same. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { findFreePort } from '../rig/postgres.ts'
import type { Config } from '../src/config.ts'
import { createLog } from '../src/lib/log.ts'
import { listSweeps, pauseSweep, sweepDomains } from '../src/resolution/index.ts'
import { migrateDatabase, type Service, type ServiceOptions, startService } from '../src/service.ts'
import { ALDER, BRACKEN, publish, siteNaming, siteOf, siteWithoutCompany } from './setup/companies.ts'
import { useCrawlStores } from './setup/crawl-stores.ts'
import { DAY_SECONDS, prepare, startCommand, useTestService, WAIT } from './setup/harness.ts'

// Only the workers that a test starts have crawl stores; the API knows none.
const it = useTestService({ companies: [ALDER, BRACKEN], work: false, shutdownGraceSeconds: 1 })
const account = prepare(() => it.openAccount({ credits: 100 }))
const { stores, migrated, addressOf, configOf } = useCrawlStores(it)
const workers: Service[] = []

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()))
})

async function startWorker(config: Config, more: Partial<ServiceOptions> = {}): Promise<Service> {
  const worker = await startService(config, { serve: false, work: true, clock: it.clock, log: it.app.log, ...more })
  workers.push(worker)
  return worker
}

const sweep = ({ app }: Service, domains: string[], name = 'test') =>
  sweepDomains(app, Readable.from(domains), {
    name,
    ahead: 50,
    onProgress: () => undefined,
    signal: AbortSignal.timeout(60_000),
  })
const write = async (text: string) => {
  const path = join(tmpdir(), `nameplate-list-${randomBytes(6).toString('hex')}.txt`)
  await writeFile(path, text)
  return path
}
const ask = (domain: string, body: object = {}) =>
  it.call('POST', '/v1/enrich', { key: account.key, body: { domain, ...body }, headers: WAIT })
const requestsTo = (domain: string) => it.web.stats.byHost.get(domain) ?? 0
const answersOf = (domain: string) =>
  it.app.db.query<{ id: string; outcome: string }>('select id, outcome from resolution where domain = $1', [domain])
const rowsOf = async (name: string) =>
  (await stores
    .get(name)
    ?.query<{ domain: string; state: string; outcome: string | null }>(
      'select domain, state, outcome from crawl_domain order by domain',
    )) ?? []
const readingsIn = async (name: string) =>
  (await stores
    .get(name)
    ?.query<{ domain: string; reading_id: string }>('select domain, reading_id from crawl_reading')) ?? []

test('migrating makes the tables of every store', async () => {
  expect(migrated).toEqual(['c1: crawl/0001_crawl.sql', 'c2: crawl/0001_crawl.sql'])
  expect(await migrateDatabase(configOf(['c1', 'c2']), createLog({ level: 'silent' }))).toEqual([])
})

test('a reading without a company stays in its store; one that claims a company is an answer for all', async () => {
  const worker = await startWorker(configOf(['c1', 'c2']))
  const diaries = Array.from({ length: 6 }, () => publish(it.web, siteWithoutCompany()))
  const [own, named] = [publish(it.web, siteOf(ALDER)), publish(it.web, siteNaming(BRACKEN))]
  const report = await sweep(worker, [...diaries, own, named])
  expect(report).toMatchObject({ read: 8, underWay: 0, outcomes: { no_match: 6, matched: 1, needs_review: 1 } })
  const kept = [...(await readingsIn('c1')), ...(await readingsIn('c2'))].map(({ domain }) => domain)
  expect(kept.sort()).toEqual([...diaries, named].sort())
  for (const name of ['c1', 'c2']) {
    const owned = (await rowsOf(name)).map(({ domain }) => worker.app.crawl.ownerOf(domain).name)
    expect(new Set(owned)).toEqual(new Set([name]))
  }
  expect(await answersOf(own)).toMatchObject([{ outcome: 'matched' }])
  expect(await answersOf(diaries[0] ?? '')).toEqual([])
  expect(await it.app.db.query('select from crawl_domain')).toEqual([])
})

test('a customer gets the reading of a store under its id, without the site being read again, and once', async () => {
  const worker = await startWorker(configOf(['c1', 'c2']))
  const domain = publish(it.web, siteNaming(BRACKEN))
  await sweep(worker, [domain])
  const before = requestsTo(domain)
  const [mine, again] = [await ask(domain), await ask(domain)]
  expect([mine.body.result.match_status, again.body.result.match_status]).toEqual(['needs_review', 'needs_review'])
  expect(requestsTo(domain)).toBe(before)
  const kept = [...(await readingsIn('c1')), ...(await readingsIn('c2'))].find((one) => one.domain === domain)
  expect((await answersOf(domain)).map(({ id }) => id)).toEqual([kept?.reading_id])
  await it.expectBalanced()
})

test('a customer who wants a newer answer than the store has makes us read the site', async () => {
  const worker = await startWorker(configOf(['c1', 'c2']))
  const domain = publish(it.web, siteWithoutCompany())
  await sweep(worker, [domain])
  it.clock.advance(2 * DAY_SECONDS)
  const before = requestsTo(domain)
  expect((await ask(domain, { max_age_days: 1 })).body.result.match_status).toBe('no_match')
  expect(requestsTo(domain)).toBeGreaterThan(before)
})

test('a domain that changed hands: the new reading replaces the answer that customers get', async () => {
  const worker = await startWorker(configOf(['c1', 'c2']))
  const domain = publish(it.web, siteOf(ALDER))
  expect((await ask(domain)).body.result.match_status).toBe('matched')
  it.web.setSite(domain, siteWithoutCompany())
  it.clock.advance(31 * DAY_SECONDS)
  expect(await sweep(worker, [domain])).toMatchObject({ outcomes: { no_match: 1 } })
  expect((await answersOf(domain)).map(({ outcome }) => outcome).sort()).toEqual(['matched', 'no_match'])
  expect(await it.app.db.query('select outcome from known_domain where domain = $1', [domain])).toEqual([
    { outcome: 'no_match' },
  ])
})

test('a store that is away delays no customer, and the others are read meanwhile', async () => {
  const away = { name: 'away', url: `postgresql://x:x@127.0.0.1:${await findFreePort()}/x` }
  const config = { ...it.config, crawl: { stores: [addressOf('c1'), away], previous: [] } }
  const worker = await startWorker(config)
  const domains = Array.from({ length: 12 }, () => publish(it.web, siteOf(ALDER)))
  const ownedBy = (name: string) => domains.filter((domain) => worker.app.crawl.ownerOf(domain).name === name)
  const startedAt = performance.now()
  expect((await ask(ownedBy('away')[0] ?? '')).body.result.match_status).toMatch(/matched|needs_review/)
  expect(performance.now() - startedAt).toBeLessThan(8_000)
  const list = await write(domains.join('\n'))
  const settings = { CRAWL_DATABASE_URLS: `c1=${stores.get('c1')?.url},away=${away.url}` }
  const added = await startCommand(it.config, ['sweep', 'add', list, '--json'], settings).ended
  expect(added.code).toBe(1)
  expect(added.stderr).toMatch(/did not answer, so not all was added. Add the list again/)
  expect(JSON.parse(added.stdout)).toMatchObject({ read: 12, notAdded: ownedBy('away').length - 1, known: 1 })
  const states = async () => (await rowsOf('c1')).filter(({ domain }) => domains.includes(domain))
  await expect
    .poll(async () => (await states()).filter(({ state }) => state === 'read').length)
    .toBe(ownedBy('c1').length)
  const paused = await startCommand(it.config, ['sweep', 'pause', basename(list)], settings).ended
  expect(paused.stderr).toMatch(/away did not answer; the other stores did as asked/)
  const isPaused = await stores
    .get('c1')
    ?.query('select from crawl_sweep where name = $1 and is_paused', [basename(list)])
  expect(isPaused).toHaveLength(1)
})

test('one store becomes two while customers ask: every domain ends in its own store, and is read once', async () => {
  const first = await startWorker(configOf(['main']))
  const domains = Array.from({ length: 30 }, () => publish(it.web, siteWithoutCompany()))
  await sweep(first, domains.slice(0, 20), 'moved')
  await pauseSweep(first.app, { name: 'moved', isPaused: true })
  void sweep(first, domains.slice(20), 'moved').catch(() => undefined)
  await expect.poll(() => it.app.db.query(`select from crawl_domain where state = 'waiting'`)).toHaveLength(10)
  const before = requestsTo(domains[0] ?? '')
  const second = await startWorker(configOf(['c1', 'c2'], ['main']))
  // Every process has the new list before domains move: one with the old list alone would read sites again.
  await first.close()
  expect((await ask(domains[0] ?? '')).body.result.match_status).toBe('no_match')
  expect(requestsTo(domains[0] ?? '')).toBe(before)
  const list = (names: string[]) => names.map((name) => `${name}=${stores.get(name)?.url}`).join()
  const settings = { CRAWL_DATABASE_URLS: list(['c1', 'c2']), CRAWL_DATABASE_URLS_PREVIOUS: 'main' }
  const moved = await startCommand(it.config, ['sweep', 'move', '--json'], settings).ended
  expect(JSON.parse(moved.stdout)).toMatchObject({ isFinished: true })
  expect(await it.app.db.query('select from crawl_domain')).toEqual([])
  expect((await ask(domains[1] ?? '')).body.result.match_status).toBe('no_match')
  expect(requestsTo(domains[1] ?? '')).toBe(before)
  const resumed = await startCommand(it.config, ['sweep', 'resume', 'moved'], settings).ended
  expect(resumed.code).toBe(0)
  const left = async () => (await listSweeps(second.app)).find((one) => one.list === 'moved' && one.store === null)
  await expect.poll(async () => (await left())?.state).toBe('done')
  expect(await left()).toMatchObject({ read: 30, waiting: 0, queued: 0, outcomes: { no_match: 30 } })
  expect(new Set(domains.map(requestsTo))).toEqual(new Set([before]))
})

test('a list is shown, paused and resumed by its name; an unknown one is not found', async () => {
  const worker = await startWorker(configOf(['c1', 'c2']))
  const settings = { CRAWL_DATABASE_URLS: ['c1', 'c2'].map((name) => `${name}=${stores.get(name)?.url}`).join() }
  const run = (...argv: string[]) => startCommand(it.config, argv, settings).ended
  const domains = Array.from({ length: 4 }, () => publish(it.web, siteWithoutCompany()))
  await sweep(worker, domains, 'shown')
  expect((await run('sweep', 'pause', 'no-such-list')).stderr).toMatch(/There is no list no-such-list/)
  expect((await run('sweep', 'pause', 'shown')).code).toBe(0)
  const late = publish(it.web, siteWithoutCompany())
  const added = startCommand(it.config, ['sweep', 'add', '-', '--list', 'shown', '--json'], settings)
  added.child.stdin?.end(`${late}\n`)
  expect(JSON.parse((await added.ended).stdout)).toMatchObject({ read: 1, added: 1 })
  const rows = JSON.parse((await run('sweep', 'status', '--json')).stdout) as Array<Record<string, unknown>>
  const all = rows.find(({ list, store }) => list === 'shown' && store === 'all')
  expect(all).toMatchObject({ state: 'paused', waiting: 1, read: 4, outcomes: { no_match: 4 }, done_at: 'paused' })
  expect(requestsTo(late)).toBe(0)
  expect((await run('sweep', 'resume', 'shown')).code).toBe(0)
  await expect.poll(() => requestsTo(late)).toBeGreaterThan(0)
})
