/** The whole service for a test: its own database, real sockets, a real SMTP catcher and a clock that tests move. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { Mailbox } from '../../sim/mailbox.ts'
import { executeSql, findFreePort } from '../../sim/postgres.ts'
import type { Config } from '../../src/config.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { type Service, type ServiceOptions, startService } from '../../src/service.ts'
import { testConfig } from './config.ts'
import { Contract } from './contract.ts'
import { type OpenApi, statusesFile } from './statuses.ts'

export interface TestService extends AsyncDisposable {
  service: Service
  config: Config
  app: Service['app']
  mailbox: Mailbox
  clock: TestClock
  /** Every line the service logged, as one text. */
  logText(): string
  /** Sends a request to the API host and holds the answer against the OpenAPI document. */
  call: Call
  /** The same to the site host; pages are not in the document. */
  visit: Call
  /** A verified account, ready to call. */
  signUp(options?: { credits?: number }): Promise<TestAccount>
  /** Waits until no job is ready or running. */
  settle(): Promise<void>
}

export interface TestAccount {
  id: string
  email: string
  password: string
  token: string
  key: string
  testKey: string
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

export async function startTestService(
  overrides: Partial<Config> & Pick<ServiceOptions, 'extraDoors' | 'extraJobs'> = {},
): Promise<TestService> {
  const { extraDoors = [], extraJobs = [], ...configOverrides } = overrides
  const database = await createTestDatabase()
  const mailbox = new Mailbox()
  const port = await findFreePort()
  const config = testConfig({
    databaseUrl: database.url,
    smtpUrl: await mailbox.listen(),
    listen: { host: '127.0.0.1', port },
    // Two names of one address: the hosts differ as they do in production.
    baseUrl: new URL(`http://127.0.0.1:${port}`),
    siteUrl: new URL(`http://localhost:${port}`),
    trustedProxies: ['127.0.0.1'],
    ...configOverrides,
  })
  const clock = new TestClock()
  const lines: string[] = []
  const log = createLog({ level: 'trace', destination: { write: (line: string) => void lines.push(line) } })
  const service = await startService(config, { serve: true, work: true, clock, log, extraDoors, extraJobs })
  const document = service.server?.swagger() as unknown as OpenApi
  const contract = new Contract(document, statusesFile(inject('notesDirectory')))
  const call = createCall(config.baseUrl, contract)
  const settle = () => settleJobs(service)
  return {
    service,
    config,
    app: service.app,
    mailbox,
    clock,
    logText: () => lines.join(''),
    call,
    visit: createCall(config.siteUrl, null),
    settle,
    signUp: (options) => signUpVerified({ call, mailbox, settle, service }, options?.credits),
    [Symbol.asyncDispose]: async () => {
      await service.close()
      await mailbox.close()
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
    const response = await fetch(new URL(path, origin), {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const contentType = response.headers.get('content-type') ?? ''
    const parsed: unknown = contentType.startsWith('application/json') ? JSON.parse(text) : text
    contract?.check({ method, path: path.split('?')[0] ?? '', status: response.status, contentType, body: parsed })
    return { status: response.status, headers: response.headers, body: parsed, text }
  }
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

function randomAddress(): string {
  return `198.18.${randomBytes(1)[0]}.${randomBytes(1)[0]}`
}

let accountCount = 0

async function signUpVerified(
  parts: Pick<TestService, 'call' | 'mailbox' | 'settle' | 'service'>,
  credits?: number,
): Promise<TestAccount> {
  accountCount += 1
  const email = `person${accountCount}-${randomBytes(3).toString('hex')}@customer.test`
  const password = 'plum orchard seventeen'
  const signup = await parts.call('POST', '/v1/auth/signup', { body: { email, password } })
  if (signup.status !== 201) throw new Error(`sign-up answered ${signup.status}: ${signup.text}`)
  await parts.settle()
  const link = linkIn(parts.mailbox, email)
  await parts.call('GET', link.pathname + link.search)
  const login = await parts.call('POST', '/v1/auth/login', { body: { email, password } })
  if (login.status !== 200) throw new Error(`login answered ${login.status}: ${login.text}`)
  const id = login.body.account.account_id as string
  if (credits !== undefined) await setCredits(parts.service, id, credits)
  return { id, email, password, token: login.body.token, key: login.body.api_key, testKey: login.body.test_api_key }
}

/** Makes the balance exactly this, through the ledger. */
async function setCredits(service: Service, accountId: string, credits: number): Promise<void> {
  const { grantCredits, holdCredit, captureHold, getBalance } = await import('../../src/credits/index.ts')
  const { db, clock } = service.app
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

/** The link in the newest e-mail to this address. */
export function linkIn(mailbox: Mailbox, email: string): URL {
  const mail = mailbox.mailsTo(email).at(-1)
  const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0]
  if (!link) throw new Error(`no link in a mail to ${email}`)
  return new URL(link)
}
