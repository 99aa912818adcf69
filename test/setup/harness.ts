/** The whole service for a test: its own database, real sockets, a real SMTP catcher and a clock that tests move. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { type PlainCompany, putCompanies } from '../../rig/companies.ts'
import { Mailbox } from '../../rig/mailbox.ts'
import { executeSql, findFreePort } from '../../rig/postgres.ts'
import type { ListeningWeb, SimulatedSite } from '../../rig/web/index.ts'
import { revealApiKeys } from '../../src/accounts/index.ts'
import { insertAccount } from '../../src/accounts/sign-up/signup.ts'
import { markVerified } from '../../src/accounts/sign-up/verify-email.ts'
import type { Config } from '../../src/config.ts'
import { captureHold, getBalance, grantCredits, holdCredit } from '../../src/credits/index.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { type Service, type ServiceOptions, startService } from '../../src/service.ts'
import { testConfig } from './config.ts'
import { Contract } from './contract.ts'
import { environmentOf } from './environment.ts'
import { openKeptLog } from './kept-logs.ts'
import { note, noteExchange, noteMails, noteSettings } from './seen-secrets.ts'
import { openTestWeb } from './simulated-web.ts'
import { type OpenApi, statusesFile } from './statuses.ts'

export interface TestService extends AsyncDisposable {
  service: Service
  config: Config
  app: Service['app']
  mailbox: Mailbox
  /** All of the web that the service can reach. */
  web: ListeningWeb
  clock: TestClock
  /** Every line the service logged, as one text. */
  logText(): string
  /** Sends a request to the API host and holds the answer against the OpenAPI document. */
  call: Call
  /** The same to the site host; pages are not in the document. */
  visit: Call
  /** A verified account, ready to call. */
  signUp(options?: { credits?: number }): Promise<TestAccount>
  /** The same without its password and e-mail, which take most of a sign-up's time: for tests that need many. */
  openAccount(options?: { credits?: number }): Promise<TestKeys>
  /** Waits until no job is ready or running. */
  settle(): Promise<void>
}

/** What an account calls with. */
export interface TestKeys {
  id: string
  key: string
  testKey: string
}

export interface TestAccount extends TestKeys {
  email: string
  password: string
  token: string
}

export interface CallOptions {
  key?: string
  token?: string
  body?: unknown
  headers?: Record<string, string>
  /** Sent as it is instead of `body`. */
  rawBody?: string
  /** The caller's address; another one for each call unless said, so that throttles per address stay out of the way. */
  ip?: string
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies freely; the contract check has typed them
export type Reply = { status: number; headers: Headers; body: any; text: string }
export type Call = (method: string, path: string, options?: CallOptions) => Promise<Reply>

export class TestClock implements Clock {
  #offsetMs = 0
  now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }
  advance(seconds: number): void {
    this.#offsetMs += seconds * 1_000
  }
}

const SETTLE_TIMEOUT_MS = 20_000

/** A fresh clone of the migrated template database. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await onServer(`create database ${name} template ${inject('templateDatabase')} strategy file_copy`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(`drop database ${name} with (force)`) }
}

function onServer(sql: string): Promise<void> {
  return executeSql(inject('postgresUrl'), sql)
}

export interface TestServiceOptions extends Partial<Config>, Pick<ServiceOptions, 'extraRoutes' | 'extraJobs'> {
  /** By host; there are no others. */
  sites?: Record<string, SimulatedSite>
  /** What the register has. */
  companies?: readonly PlainCompany[]
  /** False leaves the jobs to workers that the test starts itself. */
  work?: boolean
}

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { extraRoutes = [], extraJobs = [], sites = {}, companies = [], work = true, ...configOverrides } = options
  const database = await createTestDatabase()
  const mailbox = new Mailbox()
  const simulated = await openTestWeb(sites)
  const port = await findFreePort()
  const config = testConfig({
    databaseUrl: database.url,
    smtpUrl: withCredentials(await mailbox.listen()),
    listen: { host: '127.0.0.1', port },
    // Two names of one address: the hosts differ as they do in production.
    baseUrl: new URL(`http://127.0.0.1:${port}`),
    siteUrl: new URL(`http://localhost:${port}`),
    trustedProxies: ['127.0.0.1'],
    simulatedWeb: simulated.config,
    ...configOverrides,
  })
  const clock = new TestClock()
  noteSettings(config)
  const lines: string[] = []
  const keptLog = openKeptLog(inject('logDirectory'))
  const write = (line: string) => {
    lines.push(line)
    keptLog.write(line)
  }
  const log = createLog({ level: 'trace', destination: { write } })
  const service = await startService(config, { serve: true, work, clock, log, extraRoutes, extraJobs })
  await putCompanies(service.app, companies)
  const document = service.server?.swagger() as unknown as OpenApi
  const contract = new Contract(document, statusesFile(inject('notesDirectory')))
  const call = createCall(config.baseUrl, contract)
  const settle = () => settleJobs(service)
  return {
    service,
    config,
    app: service.app,
    mailbox,
    web: simulated.web,
    clock,
    logText: () => lines.join(''),
    call,
    visit: createCall(config.siteUrl, null),
    settle,
    signUp: (options) => signUpVerified({ call, mailbox, settle, service }, options?.credits),
    openAccount: (options) => insertVerified(service, options?.credits),
    [Symbol.asyncDispose]: async () => {
      await service.close()
      keptLog.close()
      noteMails(mailbox)
      await mailbox.close()
      await simulated.close()
      await database.drop()
    },
  }
}

export function createCall(origin: URL, contract: Contract | null): Call {
  return async (method, path, options = {}) => {
    const headers = new Headers(options.headers)
    headers.set('x-forwarded-for', options.ip ?? randomAddress())
    if (options.key) headers.set('x-api-key', options.key)
    if (options.token) headers.set('authorization', `Bearer ${options.token}`)
    const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
    const url = new URL(path, origin)
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const contentType = response.headers.get('content-type') ?? ''
    const parsed: unknown = contentType.startsWith('application/json') ? JSON.parse(text) : text
    noteExchange({ url, sent: body, cookies: headers.get('cookie'), headers: response.headers, body: parsed })
    contract?.check({ method, path: path.split('?')[0] ?? '', status: response.status, contentType, body: parsed })
    return { status: response.status, headers: response.headers, body: parsed, text }
  }
}

/** The real program on the same database and web, as a process of its own. */
export interface Program {
  child: ChildProcess
  /** Sends a request to its API host. */
  call: Call
  logText: () => string
  kill: () => Promise<void>
}

const MAIN = join(import.meta.dirname, '../../src/main.ts')
/** Whatever becomes of the test. */
const PROGRAM_LIFE_MS = 120_000

export async function startProgram(config: Config, command: 'work' | 'all'): Promise<Program> {
  const origin = new URL(`http://127.0.0.1:${await findFreePort()}`)
  const env = environmentOf(config, {
    BASE_URL: origin.origin,
    SITE_URL: `http://localhost:${origin.port}`,
    HOST: origin.hostname,
    PORT: origin.port,
    DATABASE_CONNECTIONS_MAX: '10',
    LOG_LEVEL: 'trace',
    REGISTER_REST_URL: config.register.restUrl.origin,
  })
  const life = { timeout: PROGRAM_LIFE_MS, killSignal: 'SIGKILL' } as const
  const child = spawn(process.execPath, [MAIN, command], { env, stdio: ['ignore', 'pipe', 'inherit'], ...life })
  const lines: string[] = []
  const keptLog = openKeptLog(inject('logDirectory'))
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`nameplate ${command} ended with ${code}`)))
    child.stdout.on('data', (chunk: Buffer) => {
      keptLog.write(chunk)
      lines.push(chunk.toString())
      if (chunk.includes('service.started')) resolve()
    })
  })
  const kill = async () => {
    if (child.kill('SIGKILL')) await once(child, 'exit')
  }
  return { child, call: createCall(origin, null), logText: () => lines.join(''), kill }
}

async function settleJobs(service: Service): Promise<void> {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS
  while (Date.now() < deadline) {
    const queues = await service.app.jobs.listQueues()
    if (queues.every((queue) => queue.ready === 0 && queue.active === 0)) return
    await sleep(20)
  }
  throw new Error('jobs did not settle')
}

/** The mailbox asks for none; what is configured must stay out of the log all the same. */
function withCredentials(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  url.username = 'nameplate'
  url.password = `planted-${randomBytes(12).toString('hex')}`
  return url.href
}

function randomAddress(): string {
  return `198.18.${randomBytes(1)[0]}.${randomBytes(1)[0]}`
}

let accountCount = 0

function newEmail(): string {
  accountCount += 1
  return `person${accountCount}-${randomBytes(3).toString('hex')}@customer.test`
}

async function signUpVerified(
  parts: Pick<TestService, 'call' | 'mailbox' | 'settle' | 'service'>,
  credits?: number,
): Promise<TestAccount> {
  const email = newEmail()
  const password = 'plum orchard seventeen'
  const signup = await parts.call('POST', '/v1/auth/signup', { body: { email, password } })
  if (signup.status !== 201) throw new Error(`sign-up answered ${signup.status}: ${signup.text}`)
  await parts.settle()
  await parts.call('GET', verificationIn(parts.mailbox, email))
  const login = await parts.call('POST', '/v1/auth/login', { body: { email, password } })
  if (login.status !== 200) throw new Error(`login answered ${login.status}: ${login.text}`)
  const id = login.body.account.account_id as string
  if (credits !== undefined) await setCredits(parts.service.app, id, credits)
  return { id, email, password, token: login.body.token, key: login.body.api_key, testKey: login.body.test_api_key }
}

async function insertVerified({ app }: Service, credits?: number): Promise<TestKeys> {
  const at = app.clock.now()
  const id = await app.db.transaction(async (tx) => {
    const account = { email: newEmail(), passwordHash: 'nobody signs in', verifiedAt: at }
    const accountId = (await insertAccount(app, tx, account)) ?? ''
    await markVerified(tx, { accountId, at })
    return accountId
  })
  if (credits !== undefined) await setCredits(app, id, credits)
  const { live, test } = await revealApiKeys(app, id)
  note('API key', live)
  note('test API key', test)
  return { id, key: live, testKey: test }
}

/** Makes the balance exactly this, through the ledger. */
async function setCredits({ db, clock }: Service['app'], accountId: string, credits: number): Promise<void> {
  await db.transaction(async (tx) => {
    const at = clock.now()
    const { balance } = await getBalance(tx, accountId)
    if (credits > balance) {
      await grantCredits(tx, { accountId, amountCredits: credits - balance, reason: 'operator', reference: 'test', at })
    }
    for (let spent = credits; spent < balance; spent += 1) {
      const hold = await holdCredit(tx, { accountId, reference: `test:${spent}`, reason: 'test', lifeSeconds: 60, at })
      await captureHold(tx, { holdId: hold.id, outcome: 'matched', at })
    }
  })
}

/** The endpoint that does what the button behind the newest link does. */
export function verificationIn(mailbox: Mailbox, email: string): string {
  return `/v1/auth/verify-email${linkIn(mailbox, email).search}`
}

/** The link in the newest e-mail to this address. */
export function linkIn(mailbox: Mailbox, email: string): URL {
  const mail = mailbox.mailsTo(email).at(-1)
  const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0]
  if (!link) throw new Error(`no link in a mail to ${email}`)
  return new URL(link)
}
