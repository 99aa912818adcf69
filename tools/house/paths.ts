/** The files that run on three paths of the service, from end to end, while a real service in this process walks them. */
import { openAccounts } from '../../rig/accounts.ts'
import { createCall } from '../../rig/call.ts'
import { type PlainCompany, putCompanies } from '../../rig/companies.ts'
import { SIMULATED_STREAM_KEY, SimulatedCompaniesHouse } from '../../rig/companies-house/index.ts'
import { findFreePort } from '../../rig/postgres.ts'
import { NOT_DURABLE, ScratchDatabase } from '../../rig/scratch-database.ts'
import { databaseSettings, listenSettings } from '../../rig/settings.ts'
import { openSurroundings } from '../../rig/stage.ts'
import { until } from '../../rig/until.ts'
import { Receiver } from '../../rig/web/index.ts'
import { loadConfig } from '../../src/config.ts'
import { addDaysToDate, toLondonDate } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { findCompany } from '../../src/register/index.ts'
import { migrateDatabase, type Service, startService } from '../../src/service.ts'
import { startDigestsJob } from '../../src/signals/index.ts'
import { CodeCoverage } from './coverage.ts'

export interface TracedPath {
  name: string
  files: string[]
}

const COMPANY: PlainCompany = { number: '07214938', name: 'ALDERFINCH JOINERY LIMITED', postcode: 'HG4 1AA' }
const PAGE = `<p>${COMPANY.name} is registered in England, company number ${COMPANY.number}. Registered office: 1 Mill Lane, Ripon, ${COMPANY.postcode}</p>`
/** The first is asked for before anything is traced: it starts the threads. */
const DOMAINS = ['alderfinch.co.uk', 'alderfinchjoinery.co.uk', 'alderfinch-joinery.co.uk', 'alder-finch.co.uk']
const FOLLOWED = '01111111'
const FIRST_NAME = 'ACME LIMITED'
const NAMES = ['ACME WIDGETS LIMITED', 'ACME GADGETS LIMITED', 'ACME LEVERS LIMITED']
const STREAM_TIMES = { retryMs: 50, retryMsMax: 500, refusedMs: 100, leaseRenewMs: 300, silenceMsMax: 5_000 }

export async function tracePaths(): Promise<TracedPath[]> {
  await using opened = new AsyncDisposableStack()
  const receiver = new Receiver()
  const site = { pages: { '/': PAGE } }
  const sites = { ...Object.fromEntries(DOMAINS.map((domain) => [domain, site])), 'receiver-1.co.uk': { receiver } }
  const { settings, mailbox } = opened.use(await openSurroundings(sites))
  const house = opened.adopt(
    SimulatedCompaniesHouse.fromCompanies([{ number: FOLLOWED, name: FIRST_NAME, incorporatedOn: '2010-01-01' }], {
      stream: { heartbeatMs: 100, connectionsPerKeyMax: 50 },
      imageDelayMs: null,
    }),
    (each) => each.close(),
  )
  const database = opened.use(await ScratchDatabase.open(NOT_DURABLE))
  const { streamUrl } = await house.listen()
  const config = loadConfig({
    ...databaseSettings(database.url),
    ...listenSettings(await findFreePort()),
    ...settings,
    SIMULATED: 'mailbox,register,web',
    REGISTER_STREAM_URL: streamUrl,
    REGISTER_STREAM_KEYS: SIMULATED_STREAM_KEY,
    TRUSTED_PROXIES: '127.0.0.1',
  })
  const log = createLog({ level: 'error', destination: process.stderr })
  await migrateDatabase(config, log)
  const roles = { serve: true, work: true, follow: true, followTimes: STREAM_TIMES }
  const service = opened.adopt(await startService(config, { ...roles, log }), (each) => each.close())
  const { app } = service
  // Jobs that the clock starts belong to none of the paths.
  await app.db.query('delete from pgboss.schedule')
  await putCompanies(app, [COMPANY])
  const [account] = await openAccounts(app, { count: 1, plan: 'scale' })
  if (!account) throw new Error('no account was opened')
  const call = createCall(config.baseUrl)
  const key = account.key
  await call('POST', '/v1/partner/webhooks', {
    key,
    body: { webhook_url: 'https://receiver-1.co.uk/in', signal_type: 'resolution_completed' },
  })

  const resolve = async (domain: string) => {
    const before = receiver.arrived
    await call('POST', '/v1/resolve/domain', { key, body: { domain } })
    await until(() => receiver.arrived > before, `no webhook about ${domain}`, { everyMs: 10 })
    await untilIdle(service)
  }
  const [first = '', ...domains] = DOMAINS
  await resolve(first)
  house.changes.rename(FOLLOWED, FIRST_NAME)
  await until(async () => (await findCompany(app.db, FOLLOWED)) !== null, 'the stream was not followed')
  await call('POST', '/v1/watchlist', { key, body: { company_number: FOLLOWED } })
  const { body: notified } = await call('PATCH', '/v1/account/notifications', { key, body: { daily_digest: true } })
  await untilIdle(service)

  using coverage = await CodeCoverage.start()
  const resolved = await traceEach(coverage, domains, resolve)
  const streamed = await traceEach(coverage, NAMES, async (name) => {
    house.changes.rename(FOLLOWED, name)
    const raised = () => app.db.query('select from signal where summary like $1', [`%${name}%`])
    await until(async () => (await raised()).length > 0, `no signal about ${name}`, { everyMs: 10 })
  })
  const tomorrow = new Date(`${addDaysToDate(toLondonDate(app.clock.now()), 1)}T07:10:00Z`)
  const morning = { ...app, clock: { now: () => tomorrow } }
  const mails = () => mailbox.mailsTo(notified.email).length
  const mailsBefore = mails()
  const mailed = await coverage.trace(async () => {
    const signal = AbortSignal.timeout(60_000)
    await startDigestsJob.run(morning, {}, { id: 'x', attempt: 1, signal, finish: async () => undefined })
    await until(() => mails() > mailsBefore, 'no digest came', { everyMs: 10 })
    await untilIdle(service)
  })
  const shown = await traceEach(coverage, NAMES, () => call('GET', `/v1/companies/${COMPANY.number}`, { key }))
  return [
    { name: 'a domain is resolved, and a webhook says so', files: [...resolved].sort() },
    { name: 'the register changes a company, and a digest says so', files: [...streamed.union(mailed)].sort() },
    { name: 'the profile of a company is shown', files: [...shown].sort() },
  ]
}

/** Returns the files that run each time: what runs by the clock meanwhile is left out. */
async function traceEach<Item>(
  coverage: CodeCoverage,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<Set<string>> {
  const traced: Array<Set<string>> = []
  for (const item of items) traced.push(await coverage.trace(() => work(item)))
  return traced.reduce((common, files) => common.intersection(files))
}

async function untilIdle({ app }: Service): Promise<void> {
  const isIdle = async () => (await app.jobs.listQueues()).every(({ ready, active }) => ready + active === 0)
  await until(isIdle, 'jobs did not end', { everyMs: 20 })
}
