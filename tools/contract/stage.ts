/** Everything that happens in a run. Each part happens when a row first needs it; all rows then share its answers. */
import { changePasswords, type ReadyAccount, type Registration, readAccount, register } from './accounts.ts'
import { connect } from './agent.ts'
import { type Answer, type Ask, type Call, createCall, openAgent } from './client.ts'
import { degrade } from './degraded.ts'
import type { Deployment } from './deployment.ts'
import { expectStatus, readText } from './expectations.ts'
import { pollJob, resolveLive } from './resolutions.ts'
import { NotShown, once } from './shown.ts'
import { findCompanies, overfillWatchlist, watchAndUnwatch } from './watching.ts'
import { deliver, registerAndDelete } from './webhooks.ts'

/** The credential of the account: its live key, its test key or its session. */
export type Sender = 'key' | 'testKey' | 'token'

/** A request that changes nothing, so that one answer serves all rows. */
export interface Request {
  /** `POST /v1/enrich` */
  to: string
  as?: Sender | undefined
  body?: unknown
  headers?: Record<string, string> | undefined
}

/** Steps that several rows share. Each happens once in a run, when a row first needs it. */
export type Steps = ReturnType<typeof createSteps>

export interface Stage {
  deployment: Deployment
  /** To the API host. */
  call: Call
  /** To the site host. */
  visit: Call
  account: () => Promise<ReadyAccount>
  as: (sender: Sender) => Promise<Ask>
  ask: (request: Request) => Promise<Answer>
  /** The job that a test domain starts, when it has ended. */
  finished: (path: string, domain: string) => Promise<Answer>
  /** Companies of the register. */
  companies: () => Promise<string[]>
  steps: Steps
  close: () => Promise<void>
}

/** Simulates a caller who asks too often. */
const LIMITED = 'rate-limited.test'
const OPTIONS = { token: '', key: ', or --api-key', testKey: ', or --test-api-key' }

export function openStage(deployment: Deployment): Stage {
  const agent = openAgent(deployment.baseUrl)
  const call = createCall(deployment.baseUrl, agent)
  const visit = createCall(deployment.siteUrl, agent)
  const registration = once(() => register(call, deployment))
  const account = once(() => readAccount(call, deployment, registration))
  const as = async (sender: Sender) => {
    const credential = (await account())[sender]
    if (credential !== undefined) return sender === 'token' ? { token: credential } : { key: credential }
    throw new NotShown(`needs an account: --mailbox-url, or --email and --password${OPTIONS[sender]}`)
  }
  const answers = new Map<string, Promise<Answer>>()
  const shared = (name: string, make: () => Promise<Answer>) => {
    const answer = answers.get(name) ?? make()
    answers.set(name, answer)
    return answer
  }
  const ask = (request: Request) => shared(JSON.stringify(request), () => send(call, as, request))
  const finished = (path: string, domain: string) =>
    shared(`finished ${path} ${domain}`, async () => {
      const queued = expectStatus(await ask({ to: `POST ${path}`, as: 'testKey', body: { domain } }), 202)
      return pollJob(call, readText(queued, 'status_url'), await as('testKey'))
    })
  const companies = once(async () => findCompanies(call, (await as('key')).key ?? ''))
  const context = { deployment, call, visit, account, as, ask, finished, companies }
  return { ...context, steps: createSteps(context, registration), close: () => agent.close() }
}

async function send(call: Call, as: Stage['as'], { to, as: sender, body, headers }: Request): Promise<Answer> {
  const [method = '', path = ''] = to.split(' ')
  const takesLimit = JSON.stringify(body ?? null).includes(LIMITED)
  const parts = { ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) }
  return call(method, path, { ...(sender ? await as(sender) : {}), ...parts, takesLimit })
}

function createSteps(
  { deployment, call, visit, account, as, companies }: Omit<Stage, 'steps' | 'close'>,
  registration: () => Promise<Registration>,
) {
  const session = async () => (await as('token')).token ?? ''
  // Of another account: a reset ends the keys of an account as young as this.
  const passwords = once(async () => {
    return changePasswords(call, await register(call, deployment), deployment.mailboxUrl)
  })
  return {
    /** The run's own account; needs a mailbox. */
    registration,
    passwords,
    live: once(async () => {
      const { key = '' } = await as('key')
      const otherKey = deployment.mailboxUrl ? readText((await passwords()).loginAfterReset, 'api_key') : key
      return resolveLive(call, deployment, { key, otherKey })
    }),
    watching: once(async () => watchAndUnwatch(call, await session(), await companies())),
    /** The answer to one company too many, and how that was brought about. */
    overfull: once(async () => {
      if ((await account()).isOwn) {
        const answer = await overfillWatchlist(call, (await passwords()).token, await companies())
        return { answer, how: 'a watchlist was filled to its cap, then one company more' }
      }
      const body = { company_number: 'TS000006' }
      const answer = await call('POST', '/v1/watchlist', { ...(await as('testKey')), body })
      return { answer, how: 'TS000006 with the test key, as the account given is not filled up' }
    }),
    destinations: once(async () => registerAndDelete(call, deployment, await session())),
    delivery: once(async () => deliver(call, deployment, await session())),
    degradation: once(() => degrade(deployment.environmentFile)),
    /** An agent connects, by way of a person's browser. */
    connection: once(async () => connect({ call, visit }, await account())),
  }
}

/** Begins what takes long, so that it goes on while the first rows are shown. Its failures come to the rows that need it. */
export function startAhead({ finished, steps }: Stage, paths: readonly string[]): void {
  const { live, delivery, degradation, passwords, connection } = steps
  const jobs = paths.map((path) => () => finished(path, 'slow.test'))
  for (const start of [live, delivery, degradation, passwords, connection, ...jobs]) start().catch(() => undefined)
}
