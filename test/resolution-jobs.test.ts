/** A job always ends, and ends right: whatever breaks under it, is killed, comes back late or never comes. */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { findUnbalancedAccounts } from '../src/credits/index.ts'
import { queueNewDomains, sweepResolutionsJob } from '../src/resolution/index.ts'
import { scrubAddress } from '../src/resolver/index.ts'
import type { Service } from '../src/service.ts'
import {
  ALDER,
  publish,
  siteOf,
  waitUntilRead,
  whileNoWorkEnds,
  whileRegisterIsBroken,
  whileTableIsLocked,
} from './setup/companies.ts'
import {
  type CallOptions,
  DAY_SECONDS,
  type Program,
  startProgram,
  startWorkerOf,
  type TestKeys,
  useTestService,
} from './setup/harness.ts'

// Workers come and go as a test says; one that stops gives what it is at a second to end.
const it = useTestService({ companies: [ALDER], work: false, shutdownGraceSeconds: 1 })
let account: TestKeys
let accounts: TestKeys[]
beforeAll(async () => {
  accounts = await Promise.all(Array.from({ length: 4 }, () => it.openAccount()))
  account = await it.openAccount({ credits: 100 })
})
afterEach(async () => {
  await stopWorkers()
  await Promise.all(programs.splice(0).map((program) => program.kill()))
  await expectBalanced()
})

/** Jobs may wait for a worker here, so this does not wait for them. */
async function expectBalanced(): Promise<void> {
  expect(await findUnbalancedAccounts(it.app.db)).toEqual([])
}

const workers: Service[] = []
async function startWorker(): Promise<void> {
  workers.push(await startWorkerOf(it))
}
async function stopWorkers(): Promise<void> {
  await Promise.all(workers.splice(0).map((worker) => worker.close()))
}

const programs: Program[] = []
async function start(command: 'work' | 'all'): Promise<Program> {
  const program = await startProgram(it.config, command)
  programs.push(program)
  return program
}

const ask = (domain: string, { key } = account, options: CallOptions = {}) =>
  it.call('POST', '/v1/enrich', { key, body: { domain }, ...options })
const read = (url: string) => it.call('GET', url, { key: account.key })
const heldBy = async ({ key }: TestKeys) => (await it.call('GET', '/v1/auth/me', { key })).body.credits.held
const sweep = () => it.runJob(sweepResolutionsJob)

async function movesOf(jobId: string): Promise<string[]> {
  const moves = 'select kind from ledger_entry where reference = $1 order by id'
  return (await it.app.db.query<{ kind: string }>(moves, [jobId])).map(({ kind }) => kind)
}

/** Every state the job is seen in, in their order, until `last` is. */
async function watch(url: string, last: string): Promise<string[]> {
  const seen: string[] = []
  const deadline = Date.now() + 60_000
  while (seen.at(-1) !== last && Date.now() < deadline) {
    const { status } = (await read(url)).body
    if (seen.at(-1) !== status) seen.push(status)
    await sleep(15)
  }
  return seen
}

/** The queue waits by the machine's clock, not by the test's: for the pause before a retry… */
const hurryRetries = () => it.app.db.query(`update pgboss.job set start_after = now() where state = 'retry'`)
/** …and for the silence of a worker that is gone. */
const hurrySilence = () =>
  it.app.db.query(`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`)

/** …and for the end of a transaction that sleeps. */
const endBlockers = () =>
  it.app.db.query(
    `select pg_terminate_backend(blocker) from pg_stat_activity, unnest(pg_blocking_pids(pid)) as blocker
     where datname = current_database()`,
  )

test('a worker killed in the middle of a crawl: another reads the site again, and it is charged once', async () => {
  const domain = publish(it.web, siteOf(ALDER, { responses: { '/': { delay_ms: 2_500 } } }))
  const { body } = await ask(domain)
  const victim = await start('work')
  await waitUntilRead(it.web, domain)
  await victim.kill()
  expect([(await read(body.status_url)).body.status, await heldBy(account)]).toEqual(['processing', 1])
  const requests = it.web.stats.byHost.get(domain) ?? 0
  it.web.setSite(domain, siteOf(ALDER))
  await startWorker()
  await hurrySilence()
  expect((await watch(body.status_url, 'completed')).at(-1)).toBe('completed')
  expect((await read(body.status_url)).body).toMatchObject({ charged: true, charge_reason: 'matched' })
  expect(it.web.stats.byHost.get(domain)).toBeGreaterThan(requests)
  expect(await movesOf(body.job_id)).toEqual(['hold', 'capture'])
})

test('a site over which two workers died takes no third: the job fails, nobody pays, and nothing is kept of the site', async () => {
  const domain = publish(it.web, siteOf(ALDER, { responses: { '/': { delay_ms: 5_000 } } }))
  const { body } = await ask(domain)
  for (let death = 1; death <= 2; death += 1) {
    const requests = it.web.stats.byHost.get(domain) ?? 0
    const victim = await start('work')
    if (death > 1) await hurrySilence()
    await expect.poll(() => it.web.stats.byHost.get(domain) ?? 0).toBeGreaterThan(requests)
    await victim.kill()
  }
  const requests = it.web.stats.byHost.get(domain)
  await startWorker()
  await hurrySilence()
  await watch(body.status_url, 'failed')
  expect((await read(body.status_url)).body).toMatchObject({ charged: false, charge_reason: 'failed_free' })
  expect(it.web.stats.byHost.get(domain)).toBe(requests)
  expect(await movesOf(body.job_id)).toEqual(['hold', 'release'])
  expect(await it.app.db.query('select from known_domain where domain = $1', [domain])).toEqual([])
})

test('a worker that comes back after its work was given to another changes nothing', async () => {
  const domain = publish(it.web)
  const { body } = await ask(domain)
  const sleeper = await start('work')
  // It falls asleep with its answer half written.
  await whileTableIsLocked(it.app, 'resolution', async (untilStopped) => {
    await untilStopped(1)
    sleeper.child.kill('SIGSTOP')
  })
  await startWorker()
  await hurrySilence()
  // The sleeper holds its transaction, and with it the other worker, until the database ends it.
  expect(await it.app.db.query('show idle_in_transaction_session_timeout')).toEqual([
    { idle_in_transaction_session_timeout: '30s' },
  ])
  await expect.poll(endBlockers).not.toEqual([])
  expect((await watch(body.status_url, 'completed')).at(-1)).toBe('completed')
  const answers = () => it.app.db.query('select * from resolution where domain = $1', [domain])
  const [answer, found] = [await read(body.status_url), await answers()]

  sleeper.child.kill('SIGCONT')
  await expect.poll(sleeper.logText).toMatch(/"resolution\.resolve_domain".*"outcome":"/)
  // It finds its attempt closed, or its connection: the database ends a transaction that sleeps.
  expect(sleeper.logText()).toMatch(/"resolution\.resolve_domain".*"outcome":"(?:lost|failed)"/)
  expect((await read(body.status_url)).body).toEqual(answer.body)
  expect([await answers(), found.length]).toEqual([found, 1])
  expect(await movesOf(body.job_id)).toEqual(['hold', 'capture'])
})

test('two processes are one service: either is asked, either does the work, the site is read and paid for once', async () => {
  const alone = publish(it.web)
  await startWorker()
  await ask(alone, account, { headers: { prefer: 'wait=30' } })
  await stopWorkers()

  const [one, other] = await Promise.all([start('all'), start('all')])
  const domain = publish(it.web)
  const askBoth = ({ key }: TestKeys, headers: Record<string, string>) =>
    [one, other].map(({ call }) =>
      call('POST', '/v1/enrich', { key, body: { domain }, headers: { prefer: 'wait=30', ...headers } }),
    )
  const [keyed = account, ...others] = accounts
  const { underKey, theirs } = await whileNoWorkEnds(it.app, async () => {
    const underKey = askBoth(keyed, { 'idempotency-key': 'row-1' })
    expect((await Promise.race(underKey)).status).toBe(409)
    const theirs = others.flatMap((each) => askBoth(each, {}))
    await waitUntilRead(it.web, domain)
    return { underKey, theirs }
  })
  expect(new Set((await Promise.all(underKey)).map(({ status }) => status))).toEqual(new Set([200, 409]))
  const reasons = (await Promise.all(theirs)).map(({ status, body }) => `${status} ${body.charge_reason}`)
  expect(reasons.sort()).toEqual([...others.map(() => '200 already_paid'), ...others.map(() => '200 matched')])
  expect(it.web.stats.byHost.get(domain)).toBe(it.web.stats.byHost.get(alone))
  for (const { key } of accounts) {
    const { body } = await it.call('GET', '/v1/auth/me', { key })
    expect(body.credits).toEqual({ balance: 24, held: 0, available: 24 })
  }
})

test('a job is pending, then processing, then completed', async () => {
  const { body } = await ask(publish(it.web))
  expect(await watch(body.status_url, 'pending')).toEqual(['pending'])
  await whileNoWorkEnds(it.app, async () => {
    await startWorker()
    expect((await watch(body.status_url, 'processing')).at(-1)).toBe('processing')
  })
  expect((await watch(body.status_url, 'completed')).at(-1)).toBe('completed')
})

test('somebody who waits overtakes work in the background, and the site is still read once', async () => {
  const [alone, domain] = [publish(it.web), publish(it.web)]
  const { id: accountId } = await it.openAccount({ credits: 5 })
  const record = async () => undefined
  await queueNewDomains(it.app, { accountId, domains: [{ domain, input: scrubAddress(domain) }], record })
  const { body } = await ask(domain)
  await startWorker()
  await ask(alone, account, { headers: { prefer: 'wait=30' } })
  expect((await watch(body.status_url, 'completed')).at(-1)).toBe('completed')
  await it.settle()
  expect(it.web.stats.byHost.get(domain)).toBe(it.web.stats.byHost.get(alone))
})

test('an attempt that breaks is tried again: the job is pending until then, and charged once', async () => {
  const { body } = await ask(publish(it.web))
  await whileRegisterIsBroken(it.app, async () => {
    await startWorker()
    await expect.poll(async () => (await it.app.jobs.listQueues()).some(({ deferred }) => deferred > 0)).toBe(true)
    expect((await watch(body.status_url, 'pending')).at(-1)).toBe('pending')
    expect(await heldBy(account)).toBe(1)
  })
  await hurryRetries()
  expect((await watch(body.status_url, 'completed')).at(-1)).toBe('completed')
  expect((await read(body.status_url)).body).toMatchObject({ charged: true, charge_reason: 'matched' })
  expect(await movesOf(body.job_id)).toEqual(['hold', 'capture'])
})

test('a job whose attempts are spent has failed, says so and gives the credit back; the next one starts anew', async () => {
  const [stranger = account] = accounts
  const domain = publish(it.web)
  const mine = await ask(domain)
  const waiting = ask(domain, stranger, { headers: { prefer: 'wait=30' } })
  await whileRegisterIsBroken(it.app, async () => {
    await startWorker()
    const hurry = () => hurryRetries().then(() => read(mine.body.status_url))
    await expect.poll(async () => (await hurry()).body.status, { interval: 100 }).toBe('failed')
  })
  const waited = await waiting
  expect([waited.status, waited.headers.get('credits-spent'), waited.headers.get('location')]).toEqual([202, '0', null])
  for (const { body } of [mine, waited]) {
    const failed = await it.call('GET', body.status_url)
    expect(failed.body).toMatchObject({ status: 'failed', charged: false, charge_reason: 'failed_free' })
    expect(failed.body.error_message).toMatch(/Nothing was charged/)
    expect(failed.headers.get('retry-after')).toBeNull()
    expect(await movesOf(body.job_id)).toEqual(['hold', 'release'])
  }
  const givenUp = it
    .logText()
    .split('\n')
    .filter((line) => line.includes('"event":"resolution.given_up"'))
  expect(givenUp.filter((line) => line.includes(domain))).toHaveLength(1)
  expect(await it.app.jobs.listDeadLetters(10)).toEqual([])

  const again = await ask(domain)
  expect([again.status, (await watch(again.body.status_url, 'completed')).at(-1)]).toEqual([202, 'completed'])
})

test('work that nobody ended is given up after 15 minutes, and what comes late finds nothing to do', async () => {
  const domain = publish(it.web)
  const { body } = await ask(domain)
  it.clock.advance(14 * 60)
  await sweep()
  expect((await read(body.status_url)).body.status).toBe('pending')
  it.clock.advance(61)
  await sweep()
  await sweep()
  expect((await read(body.status_url)).body).toMatchObject({ status: 'failed', charge_reason: 'failed_free' })
  expect(await movesOf(body.job_id)).toEqual(['hold', 'release'])

  await startWorker()
  await it.settle()
  expect(it.web.stats.byHost.get(domain)).toBeUndefined()
  expect((await read(body.status_url)).body.status).toBe('failed')
})

test('a job is its account’s at the partner endpoint, anyone’s who has its id at the other, and gone after 30 days', async () => {
  await startWorker()
  const { body } = await ask(publish(it.web))
  const [open, own] = [`/v1/enrich/status/${body.job_id}`, `/v1/partner/enrich-company/${body.job_id}`]
  await watch(open, 'completed')
  expect((await it.call('GET', open)).body.status).toBe('completed')
  expect((await read(own)).body.status).toBe('completed')
  expect((await it.call('GET', own, { key: accounts[1]?.key ?? '' })).status).toBe(404)
  it.clock.advance(29 * DAY_SECONDS)
  expect((await it.call('GET', open)).status).toBe(200)
  it.clock.advance(2 * DAY_SECONDS)
  for (const url of [open, own, `${open}x`, `${own}x`]) {
    const gone = await read(url)
    expect([url, gone.status, gone.body.code]).toEqual([url, 404, 'not_found'])
  }
  await sweep()
  expect(await it.app.db.query('select from resolution_job where id = $1', [body.job_id])).toEqual([])
  for (const url of ['/v1/enrich/status', '/v1/partner/enrich-company']) {
    expect((await read(`${url}/${'x'.repeat(65)}`)).status).toBe(400)
  }
})

test('a job that ended late can be read for 30 days from its end, and the sweep leaves it alone', async () => {
  const { body } = await ask(publish(it.web))
  it.clock.advance(31 * DAY_SECONDS)
  await sweep()
  const late = await read(body.status_url)
  expect([late.status, late.body.status, late.body.charged]).toEqual([200, 'failed', false])
  it.clock.advance(31 * DAY_SECONDS)
  expect((await read(body.status_url)).status).toBe(404)
})

test('nobody can go through job ids: questions from one address are counted', async () => {
  const empty = `insert into rate_bucket values ($1, 0, 0, clock_timestamp() + interval '1 minute')`
  await it.app.db.query(empty, ['status:203.0.113.9'])
  const refused = await it.call('GET', '/v1/enrich/status/job_1', { ip: '203.0.113.9' })
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1'])
  expect((await it.call('GET', '/v1/enrich/status/job_1', { ip: '203.0.113.10' })).status).toBe(404)
})
