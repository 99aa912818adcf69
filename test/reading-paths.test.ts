/**
 * How many files a newcomer reads to follow one request from end to end: the files of which a function runs. Plumbing
 * (src/lib) and the insides of the resolver are left out, as one reads their names and goes on.
 */
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SIMULATED_STREAM_KEY, SimulatedCompaniesHouse } from '../rig/companies-house/index.ts'
import { addDaysToDate, toLondonDate } from '../src/lib/clock.ts'
import { findCompany, startFollowing } from '../src/register/index.ts'
import { recordQueuedChanges, startDigestsJob } from '../src/signals/index.ts'
import { ALDER } from './setup/companies.ts'
import { useTestService } from './setup/harness.ts'
import { receiveAnswers } from './setup/webhooks.ts'

const FILES_MAX: Record<string, number> = { resolve_domain: 35, stream_to_digest: 20, get_company: 15 }
const PAGE = `<p>${ALDER.name} is registered in England, company number ${ALDER.number}. Registered office: 1 Mill Lane, Ripon, ${ALDER.postcode}</p>`
const DOMAINS = ['alderfinch.co.uk', 'alderfinchjoinery.co.uk', 'alderfinch-joinery.co.uk']
const NUMBER = '01111111'
const NAMES = ['ACME WIDGETS LIMITED', 'ACME GADGETS LIMITED', 'ACME LEVERS LIMITED']

const house = SimulatedCompaniesHouse.fromCompanies(
  [{ number: NUMBER, name: `COMPANY ${NUMBER} LIMITED`, incorporatedOn: '2010-01-01' }],
  { stream: { heartbeatMs: 100, connectionsPerKeyMax: 50 }, imageDelayMs: null },
)
const it = useTestService({
  companies: [ALDER],
  sites: Object.fromEntries(DOMAINS.map((domain) => [domain, { pages: { '/': PAGE } }])),
  house,
  houseKeys: { restKey: null, streamKeys: [SIMULATED_STREAM_KEY] },
})
const counted: Record<string, number> = {}
// Jobs that the clock starts belong to none of the paths.
beforeAll(async () => {
  await it.app.db.query('delete from pgboss.schedule')
  await it.settle()
})
afterAll(async () => {
  const file = process.env['READING_PATHS_FILE']
  if (file) writeFileSync(file, JSON.stringify(counted))
})

/** Returns the files of which a function ran each time. */
async function traceAll<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<string[]> {
  let common: string[] | undefined
  for (const item of items) {
    const files = await trace(() => work(item))
    common = common?.filter((file) => files.includes(file)) ?? files
  }
  return common ?? []
}

async function trace(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const ran = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  )
  const own = ran.flatMap(({ url }) => /\/(src\/(?!lib\/|resolver\/\w+\/)[\w/.-]+\.ts)$/.exec(url)?.[1] ?? [])
  return [...new Set(own)].sort()
}

function expectFew(path: string, files: string[]): void {
  counted[path] = files.length
  expect(files.length, `${path}:\n${files.join('\n')}`).toBeLessThanOrEqual(FILES_MAX[path] ?? 0)
  expect(files.length).toBeGreaterThan(4)
}

test('from a request for a domain to the webhook that reports its answer', async () => {
  const account = await it.openAccount({ credits: 5 })
  const { received } = await receiveAnswers(it, account)
  await it.settle()
  const files = await traceAll(DOMAINS, async (domain) => {
    const before = received.length
    await it.call('POST', '/v1/resolve/domain', { key: account.key, body: { domain } })
    await expect.poll(() => received.length).toBeGreaterThan(before)
    await it.settle()
  })
  expectFew('resolve_domain', files)
})

test('from an event of the register’s stream to the e-mail of the next morning', async () => {
  const account = await it.openAccount()
  const { body } = await it.call('PATCH', '/v1/account/notifications', {
    key: account.key,
    body: { daily_digest: true },
  })
  const nameOf = async () => (await findCompany(it.app.db, NUMBER))?.name
  const times = { retryMs: 50, retryMsMax: 500, refusedMs: 100, leaseRenewMs: 300, silenceMsMax: 5_000 }
  const follower = startFollowing(it.app, { times, onApplied: async () => void (await recordQueuedChanges(it.app)) })
  const streams = async () => (await it.call('GET', '/v1/status')).body.register.streams
  const isFollowed = ({ stream, lag_seconds: lag }: { stream: string; lag_seconds: number | null }) =>
    stream === 'companies' && lag !== null
  await expect.poll(async () => (await streams()).some(isFollowed)).toBe(true)
  house.changes.touch(NUMBER)
  await expect.poll(nameOf).toBe(`COMPANY ${NUMBER} LIMITED`)
  await it.call('POST', '/v1/watchlist', { key: account.key, body: { company_number: NUMBER } })
  await it.settle()
  const streamed = await traceAll(NAMES, async (name) => {
    house.changes.rename(NUMBER, name)
    const raised = () => it.app.db.query('select from signal where summary like $1', [`%${name}%`])
    await expect.poll(raised).not.toEqual([])
  })
  await follower.close()
  const now = it.clock.now()
  const morning = new Date(`${addDaysToDate(toLondonDate(now), 1)}T07:10:00Z`)
  it.clock.advance((morning.getTime() - now.getTime()) / 1_000)
  const mailed = await trace(async () => {
    const signal = AbortSignal.timeout(60_000)
    await startDigestsJob.run(it.app, {}, { id: 'x', attempt: 1, signal, finish: async () => undefined })
    await expect.poll(() => it.mailbox.mailsTo(body.email)).toHaveLength(1)
  })
  expectFew('stream_to_digest', [...new Set([...streamed, ...mailed])].sort())
})

test('from a request for a company to its profile', async () => {
  const account = await it.openAccount()
  const files = await traceAll([1, 2, 3], () => it.call('GET', `/v1/companies/${ALDER.number}`, { key: account.key }))
  expectFew('get_company', files)
})
