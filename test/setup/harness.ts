/** The whole service for a test: its own database, real sockets, a real SMTP catcher and a clock that tests move. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest'
import { openSession } from '../../rig/accounts.ts'
import { type Call, createCall } from '../../rig/call.ts'
import { type PlainCompany, putCompanies } from '../../rig/companies.ts'
import { SIMULATED_REST_KEY, type SimulatedCompaniesHouse, STORAGE_HOST } from '../../rig/companies-house/index.ts'
import type { Mailbox } from '../../rig/mailbox.ts'
import { NoPace } from '../../rig/no-pace.ts'
import { executeSql, findFreePort } from '../../rig/postgres.ts'
import * as rig from '../../rig/program.ts'
import { type Settings, toSettings } from '../../rig/settings.ts'
import { openSurroundings } from '../../rig/stage.ts'
import type { ListeningWeb, SimulatedSite } from '../../rig/web/index.ts'
import { revealApiKeys } from '../../src/accounts/index.ts'
import { hashPassword } from '../../src/accounts/passwords/passwords.ts'
import { insertAccount } from '../../src/accounts/sign-up/signup.ts'
import { markVerified } from '../../src/accounts/sign-up/verify-email.ts'
import type { App } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { findUnbalancedAccounts, grantCredits } from '../../src/credits/index.ts'
import { openTypesetters } from '../../src/evidence/index.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { defineJob, JobRun } from '../../src/lib/jobs/jobs.ts'
import { createLog } from '../../src/lib/log.ts'
import { openReaderThreads } from '../../src/resolver/index.ts'
import { type Service, type ServiceOptions, startService } from '../../src/service.ts'
import { type Ran, runCommand } from './commands.ts'
import { testConfig } from './config.ts'
import { Contract } from './contract.ts'
import { listenAt } from './house-addresses.ts'
import { openKeptLog } from './kept-logs.ts'
import { note, noteCall, noteMails, noteSettings } from './seen-secrets.ts'
import { readOpenApi, statusesFile } from './statuses.ts'

export type { Call, CallOptions, Reply } from '../../rig/call.ts'

export interface TestService extends AsyncDisposable {
  service: Service
  config: Config
  app: App
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
  /** A verified account whose person is signed in, with the welcome credits or exactly these. No request is sent for it. */
  openAccount(options?: { credits?: number }): Promise<TestAccount>
  /** The same by the way that a person goes: sign-up, the link in the e-mail, sign-in. */
  signUp(): Promise<TestAccount>
  /** Waits until no job is ready or running. */
  settle(): Promise<void>
  /** Runs `nameplated` with these arguments on the same database and web, as an operator does. */
  run(...argv: string[]): Promise<Ran>
  /** Runs a job here and now, as a worker does. */
  runJob<Payload extends object>(job: Job<Payload>, payload?: Payload, run?: Partial<JobRun>): Promise<unknown>
  /** Returns the account's credits: balance, held and available. */
  creditsOf(account: Pick<TestKeys, 'key'>): Promise<{ balance: number; held: number; available: number }>
  /** Returns what jobs have moved in the account's ledger, as `kind reason`, from the first to the last. */
  movesOf(account: Pick<TestKeys, 'key'>): Promise<string[]>
  /** Waits for the jobs. Then every balance is the sum of its ledger. */
  expectBalanced(): Promise<void>
}

/** An account with the keys it calls with. */
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

type Job<Payload extends object> = ReturnType<typeof defineJob<Payload, App>>

export class TestClock implements Clock {
  #offsetMs = 0
  readonly #heldAt: Date | null

  /** With a time it stands still there until it is advanced. */
  constructor(heldAt: Date | null = null) {
    this.#heldAt = heldAt
  }

  now(): Date {
    return new Date((this.#heldAt ?? new Date()).getTime() + this.#offsetMs)
  }

  advance(seconds: number): void {
    this.#offsetMs += seconds * 1_000
  }
}

const SETTLE_TIMEOUT_MS = 120_000
export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400
/** Waits for the answer in the same request. */
export const WAIT = { prefer: 'wait=30' }

/** A fresh clone of the migrated template database. */
export const createTestDatabase = () => createDatabase(`template ${inject('templateDatabase')} strategy file_copy`)

/** One without tables. */
export const createEmptyDatabase = () => createDatabase('')

async function createDatabase(options: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await onServer(`create database ${name} ${options}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(`drop database ${name} with (force)`) }
}

function onServer(sql: string): Promise<void> {
  return executeSql(inject('postgresUrl'), sql)
}

export interface TestServiceOptions extends Partial<Config>, Pick<ServiceOptions, 'extraRoutes' | 'extraJobs'> {
  /** By host; there are no others but those of the world. */
  sites?: Record<string, SimulatedSite>
  /** A world folder, whose sites are there too. */
  world?: string
  clock?: TestClock
  /** The register's companies. */
  companies?: readonly PlainCompany[]
  /** The simulated services of the register, to which the service is led. They end with it. */
  house?: SimulatedCompaniesHouse
  /** The keys for them; that of the REST API alone unless given. */
  houseKeys?: Pick<Config['register'], 'restKey' | 'streamKeys'>
  /** False leaves the jobs to workers that the test starts itself. */
  work?: boolean
}

/**
 * Makes something before the tests of the file or block, and ends it after them. Hooks and tests use the result as the thing
 * itself; outside them it is not there yet.
 */
export function prepare<Thing extends object>(
  make: () => Promise<Thing>,
  end: (thing: Thing) => PromiseLike<void> | undefined = () => undefined,
): Thing {
  let thing: Thing | undefined
  beforeAll(async () => {
    thing = await make()
  })
  afterAll(() => thing && end(thing))
  return standInFor(() => thing)
}

/** The same before each test. */
export function prepareEach<Thing extends object>(make: () => Promise<Thing>): Thing {
  let thing: Thing | undefined
  beforeEach(async () => {
    thing = await make()
  })
  return standInFor(() => thing)
}

function standInFor<Thing extends object>(find: () => Thing | undefined): Thing {
  return new Proxy({} as Thing, {
    get: (_, name) => {
      const thing = find()
      if (thing === undefined) throw new Error(`${String(name)} is used before the tests begin`)
      const member: unknown = Reflect.get(thing, name)
      return typeof member === 'function' ? member.bind(thing) : member
    },
    set: (_, name, value) => Reflect.set(find() ?? {}, name, value),
  })
}

/** The service for the tests of a file or block. */
export function useTestService(options: TestServiceOptions = {}): TestService {
  return prepare(
    () => startTestService(options),
    (service) => service[Symbol.asyncDispose](),
  )
}

/** Another API process on the database of the service, for the tests of a file or block. */
export function useOtherProcess(it: TestService): { app: App; call: Call } {
  return prepare(
    async () => {
      const port = await findFreePort()
      const baseUrl = new URL(`http://127.0.0.1:${port}`)
      const config = { ...it.config, listen: { host: '127.0.0.1', port }, baseUrl }
      const service = await startService(config, { serve: true, work: false, clock: it.clock, log: it.app.log })
      return { service, app: service.app, call: createPlainCall(baseUrl) }
    },
    ({ service }) => service.close(),
  )
}

/** Starts a worker process on the database of the service. Whoever starts it closes it. */
export async function startWorkerOf({ config, clock, app }: TestService): Promise<Service> {
  const worker = await startService(config, { serve: false, work: true, clock, log: app.log })
  worker.app.pace = new NoPace()
  return worker
}

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { extraRoutes = [], extraJobs = [], sites = {}, companies = [], work = true, ...more } = options
  const { world, clock = new TestClock(), ...other } = more
  const { house, houseKeys = { restKey: SIMULATED_REST_KEY, streamKeys: [] }, ...configOverrides } = other
  const database = await createTestDatabase()
  const storage = house ? { [STORAGE_HOST]: { serve: house.documents.storage } } : {}
  const surroundings = await openSurroundings({ ...storage, ...sites }, world)
  const { mailbox, web, settings } = surroundings
  const port = await findFreePort()
  const { SIMULATED_WEB = '', SMTP_URL = '' } = settings
  const config = testConfig(
    {
      databaseUrl: database.url,
      smtpUrl: withCredentials(SMTP_URL),
      listen: { host: '127.0.0.1', port },
      // Two names of one address: the hosts differ as they do in production.
      baseUrl: new URL(`http://127.0.0.1:${port}`),
      siteUrl: new URL(`http://localhost:${port}`),
      trustedProxies: ['127.0.0.1'],
      ...(house ? { register: { ...houseKeys, ...(await listenAt(house)) } } : {}),
      ...configOverrides,
    },
    { SIMULATED_WEB },
  )
  noteSettings(config)
  const lines: string[] = []
  const keptLog = openKeptLog(inject('logDirectory'))
  const write = (line: string) => {
    lines.push(line)
    keptLog.write(line)
  }
  const log = createLog({ level: 'trace', destination: { write } })
  const service = await startService(config, { serve: true, work, clock, log, extraRoutes, extraJobs })
  service.app.pace = new NoPace()
  const { readerThreads, typesetters } = service.app
  Object.assign(service.app, threads)
  await putCompanies(service.app, companies)
  const call = createCall(config.baseUrl, (called) => {
    noteCall(called)
    getContract().check(called)
  })
  const settle = () => settleJobs(service)
  return {
    service,
    config,
    app: service.app,
    mailbox,
    web,
    clock,
    logText: () => lines.join(''),
    call,
    visit: createCall(config.siteUrl, noteCall),
    settle,
    run: (...argv) => runCommand(toSettings(config), argv),
    runJob: async (job, payload, run) => job.run(service.app, payload ?? ({} as never), { ...newRun(), ...run }),
    creditsOf: async ({ key }) => (await call('GET', '/v1/auth/me', { key })).body.credits,
    movesOf: async ({ key }) => {
      const { body } = await call('GET', '/v1/account/ledger?limit=100', { key })
      const entries = body.data as Array<{ kind: string; reason: string; reference: string }>
      const moves = entries.filter(({ reference }) => reference.startsWith('job_')).reverse()
      return moves.map(({ kind, reason }) => `${kind} ${reason}`)
    },
    expectBalanced: async () => {
      await settle()
      expect(await findUnbalancedAccounts(service.app.db)).toEqual([])
    },
    openAccount: (options) => insertVerified(service, options?.credits),
    signUp: () => signUpVerified({ call, mailbox, settle }),
    [Symbol.asyncDispose]: async () => {
      Object.assign(service.app, { readerThreads, typesetters })
      await service.close()
      keptLog.close()
      noteMails(mailbox)
      await surroundings[Symbol.asyncDispose]()
      await database.drop()
      await house?.close()
    },
  }
}

/** For all services of the process, as threads start slowly and keep nothing of what they read. */
const threads = { readerThreads: openReaderThreads(), typesetters: openTypesetters() }

let contract: Contract | undefined

/** One for all services of the process: it compiles the schema of each answer once. */
function getContract(): Contract {
  return (contract ??= new Contract(readOpenApi(), statusesFile(inject('notesDirectory'))))
}

/** A call to a host of the service that is not held against the OpenAPI document. */
export const createPlainCall = (origin: URL | string) => createCall(origin, noteCall)

/** The real program on the same database and web, as a process of its own. */
export interface Program extends rig.Program {
  /** Sends a request to its API host. */
  call: Call
  logText: () => string
}

/** Whatever becomes of the test. */
const PROGRAM_LIFE_MS = 300_000

export async function startProgram(config: Config, command: 'work' | 'all'): Promise<Program> {
  const lines: string[] = []
  const keptLog = openKeptLog(inject('logDirectory'))
  const program = await rig.startProgram(command, toSettings(config), {
    more: {
      DATABASE_CONNECTIONS_MAX: '10',
      LOG_LEVEL: 'trace',
      REGISTER_REST_URL: config.register.restUrl.origin,
    },
    lifeMs: PROGRAM_LIFE_MS,
    onLog: (chunk) => {
      keptLog.write(chunk)
      lines.push(chunk.toString())
    },
  })
  return { ...program, call: createPlainCall(program.url), logText: () => lines.join('') }
}

const MAIN = join(import.meta.dirname, '../../src/main.ts')

/** Starts `nameplated` on the service's database and web as a process alone, with some settings changed. */
export function startCommand(config: Config, argv: readonly string[], change: Settings = {}) {
  const env = { ...rig.programEnvironment(), ...toSettings(config), ...change }
  const { promise: ended, resolve } = Promise.withResolvers<Ran>()
  const options = { env, timeout: PROGRAM_LIFE_MS, killSignal: 'SIGKILL' } as const
  const child = execFile(process.execPath, [MAIN, ...argv], options, (error, stdout, stderr) =>
    resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
  )
  return { child, ended }
}

function newRun(): JobRun {
  return { id: 'x', attempt: 1, signal: AbortSignal.timeout(120_000), finish: async () => undefined }
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

let accountCount = 0

function newEmail(): string {
  accountCount += 1
  return `person${accountCount}-${randomBytes(3).toString('hex')}@customer.test`
}

const PASSWORD = 'plum orchard seventeen'

async function signUpVerified({
  call,
  mailbox,
  settle,
}: Pick<TestService, 'call' | 'mailbox' | 'settle'>): Promise<TestAccount> {
  const email = newEmail()
  const signup = await call('POST', '/v1/auth/signup', { body: { email, password: PASSWORD } })
  if (signup.status !== 201) throw new Error(`sign-up answered ${signup.status}: ${signup.text}`)
  await settle()
  await call('GET', verificationIn(mailbox, email))
  const login = await call('POST', '/v1/auth/login', { body: { email, password: PASSWORD } })
  if (login.status !== 200) throw new Error(`login answered ${login.status}: ${login.text}`)
  const { token, api_key: key, test_api_key: testKey, account } = login.body
  return { id: account.account_id, email, password: PASSWORD, token, key, testKey }
}

/** Made once: it is meant to take long, and all test accounts have one password. */
let passwordHash: Promise<string> | undefined

async function insertVerified({ app }: Service, credits?: number): Promise<TestAccount> {
  const email = newEmail()
  passwordHash ??= hashPassword(app, PASSWORD)
  const account = { email, passwordHash: await passwordHash, verifiedAt: app.clock.now() }
  const id = await app.db.transaction(async (tx) => {
    const accountId = (await insertAccount(app, tx, account)) ?? ''
    const at = account.verifiedAt
    if (credits === undefined) await markVerified(tx, { accountId, at })
    else if (credits > 0)
      await grantCredits(tx, { accountId, amountCredits: credits, reason: 'operator', reference: 'test', at })
    return accountId
  })
  const { live, test } = await revealApiKeys(app, id)
  const token = await openSession(app, id, app.config.baseUrl.origin)
  note('API key', live)
  note('test API key', test)
  note('token', token)
  return { id, email, password: PASSWORD, token, key: live, testKey: test }
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
