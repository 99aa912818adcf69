/** Lists of domains that no customer waits for: what is read, how often and by whom, and what a customer gets of it. */
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { addList, listSweeps, sweepDomains, sweepResolutionsJob } from '../src/resolution/index.ts'
import { leaseDue } from '../src/resolution/sweep/due-domains.ts'
import type { Service } from '../src/service.ts'
import { ALDER, BRACKEN, publish, siteNaming, siteOf, siteWithoutCompany, whileNoWorkEnds } from './setup/companies.ts'
import {
  DAY_SECONDS,
  prepare,
  startCommand,
  startProgram,
  startWorkerOf,
  useTestService,
  WAIT,
} from './setup/harness.ts'

// Workers come and go as a test says.
const service = useTestService({ companies: [ALDER, BRACKEN], work: false, shutdownGraceSeconds: 1 })
const account = prepare(() => service.openAccount({ credits: 100 }))
const workers: Service[] = []

afterEach(async () => {
  await stopWorkers()
  await service.app.db.query('truncate sweep, sweep_domain, sweep_reading')
})

async function startWorker(): Promise<void> {
  workers.push(await startWorkerOf(service))
}
async function stopWorkers(): Promise<void> {
  await Promise.all(workers.splice(0).map((worker) => worker.close()))
}

const toList = (name: string, everyDays: number | null) => ({
  name,
  everyDays,
  onProgress: () => undefined,
  signal: AbortSignal.timeout(60_000),
})
const sweep = (domains: string[], name = 'test', everyDays: number | null = null) =>
  sweepDomains(service.app, Readable.from(domains), toList(name, everyDays))
const add = (domains: string[], name = 'test', everyDays: number | null = null) =>
  addList(service.app, Readable.from(domains), toList(name, everyDays))

interface DomainRow {
  sweep: string
  state: string
  attempts: number
  due_at: Date | null
  every_days: number | null
  outcome: string | null
}
const rowsOf = (...domains: string[]) =>
  service.app.db.query<DomainRow>(
    'select sweep, state, attempts, due_at, every_days, outcome from sweep_domain where domain = any ($1) order by domain',
    [domains],
  )
const statusOf = async (list: string) => (await listSweeps(service.app)).find((one) => one.list === list)
const requestsTo = (domain: string) => service.web.stats.byHost.get(domain) ?? 0
const answersOf = (domain: string) =>
  service.app.db.query<{ outcome: string }>('select outcome from resolution where domain = $1 order by resolved_at', [
    domain,
  ])
const keptReadings = (...domains: string[]) =>
  service.app.db.query('select domain from sweep_reading where domain = any ($1)', [domains])
const ask = (domain: string, body: object = {}) =>
  service.call('POST', '/v1/enrich', { key: account.key, body: { domain, ...body }, headers: WAIT })
/** Attempts that failed because the machine stalled are repeated at once, and not counted. */
const untilRead = async (list: string) => {
  const isDone = async () => {
    const hurry = `update sweep_domain set due_at = $2, attempts = 0 where sweep = $1 and state = 'waiting'`
    await service.app.db.query(hurry, [list, service.clock.now()])
    return (await statusOf(list))?.state
  }
  await expect.poll(isDone).toBe('done')
}

// The first, because a process of its own has the time of the machine.
test('a worker that is killed in the middle of a list loses no domain, and the others read them when the leases are over', async () => {
  const hanging = Array.from({ length: 3 }, () => publish(service.web, { http: 'hang', https: 'hang' }))
  await add(hanging)
  const worker = await startProgram(service.config, 'work')
  const reading = async () => (await rowsOf(...hanging)).filter(({ state }) => state === 'reading').length
  await expect.poll(reading).toBe(3)
  await worker.kill()
  for (const domain of hanging) service.web.setSite(domain, siteWithoutCompany())
  service.clock.advance(60)
  await startWorker()
  expect(await reading()).toBe(3)
  service.clock.advance(60)
  await untilRead('test')
  expect(await statusOf('test')).toMatchObject({ read: 3, outcomes: { no_match: 3 } })
})

test('a reading without a company is no answer; one that claims a company is one, with its claim', async () => {
  await startWorker()
  const [diary, named, own] = [siteWithoutCompany(), siteNaming(BRACKEN), siteOf(ALDER)].map((site) =>
    publish(service.web, site),
  ) as [string, string, string]
  const report = await sweep([diary, named, own])
  expect(report).toMatchObject({ read: 3, underWay: 0, outcomes: { no_match: 1, needs_review: 1, matched: 1 } })
  expect(await keptReadings(diary, named, own)).toHaveLength(2)
  expect([await answersOf(diary), await answersOf(named)]).toEqual([[], []])
  expect(await answersOf(own)).toEqual([{ outcome: 'matched' }])
  expect(await service.app.db.query('select company_number from site_claim where domain = $1', [own])).toEqual([
    { company_number: ALDER.number },
  ])
})

test('a customer gets the reading of a list without the site being read again, and it becomes one answer', async () => {
  await startWorker()
  const domain = publish(service.web, siteNaming(BRACKEN))
  await sweep([domain])
  const before = requestsTo(domain)
  const answers = [await ask(domain), await ask(domain)].map(({ body }) => body.result.match_status)
  expect(answers).toEqual(['needs_review', 'needs_review'])
  expect(requestsTo(domain)).toBe(before)
  expect(await answersOf(domain)).toEqual([{ outcome: 'needs_review' }])
  await service.expectBalanced()
})

test('a customer who wants a newer answer than the reading, or comes when it has expired, makes us read the site', async () => {
  await startWorker()
  const [asked, expired] = [publish(service.web, siteWithoutCompany()), publish(service.web, siteWithoutCompany())]
  await sweep([asked, expired])
  const before = [requestsTo(asked), requestsTo(expired)]
  service.clock.advance(2 * DAY_SECONDS)
  expect((await ask(asked, { max_age_days: 1 })).body.result.match_status).toBe('no_match')
  service.clock.advance(6 * DAY_SECONDS)
  expect((await ask(expired)).body.result.match_status).toBe('no_match')
  expect(requestsTo(asked)).toBeGreaterThan(before[0] ?? 0)
  expect(requestsTo(expired)).toBeGreaterThan(before[1] ?? 0)
})

test('a domain that changed hands: the reading of a list replaces the answer that customers get', async () => {
  await startWorker()
  const domain = publish(service.web, siteOf(ALDER))
  expect((await ask(domain)).body.result.match_status).toBe('matched')
  service.web.setSite(domain, siteWithoutCompany())
  service.clock.advance(31 * DAY_SECONDS)
  expect(await sweep([domain])).toMatchObject({ outcomes: { no_match: 1 } })
  expect(await answersOf(domain)).toEqual([{ outcome: 'matched' }, { outcome: 'no_match' }])
  expect((await ask(domain)).body.result.match_status).toBe('no_match')
})

test('a customer who asks while a list reads the domain is charged once, and the list has that answer', async () => {
  const domain = publish(service.web, siteOf(ALDER))
  const customer = await service.openAccount({ credits: 10 })
  await startWorker()
  const jobId = await whileNoWorkEnds(service.app, async () => {
    await add([domain])
    await expect.poll(() => rowsOf(domain)).toMatchObject([{ state: 'reading' }])
    const asked = await service.call('POST', '/v1/resolve/domain', { key: customer.key, body: { domain } })
    expect(asked.status).toBe(202)
    return asked.body.job_id as string
  })
  const job = () => service.app.db.query('select status from resolution_job where id = $1', [jobId])
  await expect.poll(job).toEqual([{ status: 'completed' }])
  await untilRead('test')
  expect(await rowsOf(domain)).toMatchObject([{ outcome: 'matched' }])
  const moves = await service.movesOf(customer)
  expect(moves.filter((move) => move.startsWith('capture'))).toEqual(['capture matched'])
  expect(await answersOf(domain)).toEqual([{ outcome: 'matched' }])
})

test('a domain whose every worker dies is given up, and due again where its list repeats', async () => {
  const domain = publish(service.web, siteWithoutCompany())
  await add([domain], 'weekly', 7)
  await service.app.db.query(
    `update sweep_domain set state = 'reading', lease = gen_random_uuid(), attempts = 4, due_at = $1 where domain = $2`,
    [service.clock.now(), domain],
  )
  await startWorker()
  await untilRead('weekly')
  const [row] = await rowsOf(domain)
  expect(row).toMatchObject({ state: 'read', outcome: 'given_up', attempts: 0 })
  expect(row?.due_at?.getTime()).toBeGreaterThan(service.clock.now().getTime())
  expect(requestsTo(domain)).toBe(0)
})

test('a late worker whose lease is another’s by now stores nothing', async () => {
  const domain = publish(service.web, siteOf(ALDER))
  await startWorker()
  await whileNoWorkEnds(service.app, async () => {
    await add([domain])
    await expect.poll(() => rowsOf(domain)).toMatchObject([{ state: 'reading' }])
    await expect.poll(() => requestsTo(domain)).toBeGreaterThan(0)
    await service.app.db.query('update sweep_domain set lease = gen_random_uuid(), due_at = $1 where domain = $2', [
      new Date(service.clock.now().getTime() + 3_600_000),
      domain,
    ])
  })
  await stopWorkers()
  expect(await answersOf(domain)).toEqual([])
  expect(await rowsOf(domain)).toMatchObject([{ state: 'reading' }])
})

test('a domain that is known when a repeated list is added is read when the list wants it again', async () => {
  await startWorker()
  const domain = publish(service.web, siteOf(ALDER))
  await ask(domain)
  const before = requestsTo(domain)
  expect(await sweep([domain], 'monthly', 20)).toMatchObject({ known: 1, underWay: 0 })
  expect(await rowsOf(domain)).toMatchObject([{ state: 'read', every_days: 20 }])
  expect(requestsTo(domain)).toBe(before)
  service.clock.advance(21 * DAY_SECONDS)
  await expect.poll(() => requestsTo(domain)).toBeGreaterThan(before)
})

test('a list that is read once takes no domain from a repeated one, nor does adding it again', async () => {
  await startWorker()
  const domain = publish(service.web, siteWithoutCompany())
  await sweep([domain], 'weekly', 7)
  await sweep([domain], 'weekly')
  await sweep([domain], 'once')
  expect(await rowsOf(domain)).toMatchObject([{ sweep: 'weekly', state: 'read', every_days: 7 }])
  await stopWorkers()
  service.clock.advance(31 * DAY_SECONDS)
  await add([domain], 'once')
  expect(await rowsOf(domain)).toMatchObject([{ sweep: 'once', state: 'waiting', every_days: 7 }])
  await startWorker()
  await untilRead('once')
  const [row] = await rowsOf(domain)
  const inDays = ((row?.due_at?.getTime() ?? 0) - service.clock.now().getTime()) / (DAY_SECONDS * 1_000)
  expect(Math.round(inDays)).toBe(7)
})

test('a domain that is due again counts as waiting, and a list whose domains another list took over ends', async () => {
  await startWorker()
  const domains = Array.from({ length: 3 }, () => publish(service.web, siteWithoutCompany()))
  await sweep(domains, 'weekly', 7)
  await stopWorkers()
  service.clock.advance(31 * DAY_SECONDS)
  expect(await statusOf('weekly')).toMatchObject({ state: 'running', waiting: 3, read: 0 })
  const following = sweep(domains.slice(0, 2), 'weekly')
  const added = () => service.app.db.query(`select from sweep_domain where state = 'waiting'`)
  await expect.poll(added).toHaveLength(2)
  await add(domains, 'other')
  expect(await following).toMatchObject({ underWay: 0, outcomes: {} })
})

test('a large list that was added first does not keep a small one waiting', async () => {
  await add(
    Array.from({ length: 400 }, (_, index) => `large-list-${index}.co.uk`),
    'large',
  )
  service.clock.advance(60)
  await add(['small-list.co.uk'], 'small')
  const at = service.clock.now()
  const leased: string[] = []
  for (let round = 0; round < 5; round += 1) {
    const rows = await leaseDue(service.app.db, { count: 28, until: new Date(at.getTime() + 90_000), at })
    leased.push(...rows.map(({ domain }) => domain))
  }
  expect(leased).toContain('small-list.co.uk')
  expect(new Set(leased).size).toBe(leased.length)
})

test('a list is shown, paused and resumed by its name; an unknown one is not found', async () => {
  await startWorker()
  await sweep(
    Array.from({ length: 4 }, () => publish(service.web, siteWithoutCompany())),
    'shown',
  )
  expect((await service.run('sweep', 'pause', 'no-such-list')).stderr).toMatch(/There is no list no-such-list/)
  expect((await service.run('sweep', 'pause', 'shown')).code).toBe(0)
  const late = publish(service.web, siteWithoutCompany())
  const added = startCommand(service.config, ['sweep', 'add', '-', '--list', 'shown', '--json'])
  added.child.stdin?.end(`${late}\n`)
  expect(JSON.parse((await added.ended).stdout)).toMatchObject({ read: 1, added: 1 })
  const rows = JSON.parse((await service.run('sweep', 'status', '--json')).stdout) as Array<Record<string, unknown>>
  expect(rows).toMatchObject([
    { list: 'shown', state: 'paused', waiting: 1, reading: 0, read: 4, outcomes: { no_match: 4 }, done_at: 'paused' },
  ])
  expect(requestsTo(late)).toBe(0)
  expect((await service.run('sweep', 'resume', 'shown')).code).toBe(0)
  await expect.poll(() => requestsTo(late)).toBeGreaterThan(0)
})

test('readings that have expired are deleted', async () => {
  await startWorker()
  const domain = publish(service.web, siteWithoutCompany())
  await sweep([domain])
  expect(await keptReadings(domain)).toHaveLength(1)
  service.clock.advance(8 * DAY_SECONDS)
  await service.runJob(sweepResolutionsJob)
  expect(await keptReadings(domain)).toEqual([])
})
