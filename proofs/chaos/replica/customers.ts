/** Customers who write at one process and read at the other, and know what they must see. */
import type { OpenedAccount } from '../../../rig/accounts.ts'
import { type CallOptions, createCall, type Reply } from '../../../rig/call.ts'
import { putCompanies } from '../../../rig/companies.ts'
import { syntheticSignal } from '../../../rig/synthetic-signal.ts'
import { until } from '../../../rig/until.ts'
import { rotateApiKey } from '../../../src/accounts/index.ts'
import type { App } from '../../../src/app.ts'
import { getBalance } from '../../../src/credits/index.ts'
import { raiseSignals } from '../../../src/signals/index.ts'
import type { Shop } from './stage.ts'

const REQUEST_MS_MAX = 30_000
const RENAMES = 10
/** An account may dispute 50 answers in a day. */
const DISPUTES_MAX = 40

export class Findings {
  requests = 0
  /** Reads whose right answer was known. */
  checked = 0
  readonly failures: string[] = []
  readonly stale: string[] = []
  /** Milliseconds of the requests that wait for no crawl. */
  readonly times: number[] = []
}

interface World {
  app: App
  apiUrls: readonly string[]
  takeShop: () => Shop
}

export class Customer {
  readonly #world: World
  readonly #findings: Findings
  readonly #account: OpenedAccount
  #credits: number
  #key: string
  #sent = 0
  #disputes = 0

  private constructor(world: World, findings: Findings, account: OpenedAccount, credits: number) {
    this.#world = world
    this.#findings = findings
    this.#account = account
    this.#key = account.key
    this.#credits = credits
  }

  static async arrive(world: World, findings: Findings, account: OpenedAccount): Promise<Customer> {
    return new Customer(world, findings, account, (await getBalance(world.app.db, account.id)).available)
  }

  /** Everything once, with a domain that was never asked for. */
  async live(): Promise<void> {
    const shop = this.#world.takeShop()
    const id = await this.#resolve(shop)
    if (id === null) return
    for (let count = 0; count < RENAMES; count += 1)
      await this.#rename(shop, `${shop.name} ${String.fromCharCode(65 + count)}`)
    await this.#watch(shop)
    await this.#changeSettings()
    if (this.#disputes < DISPUTES_MAX) await this.#dispute(shop, id)
    await this.#replaceKey(shop)
  }

  /** Renames a company, as the register does, and looks everywhere where it is shown. */
  async #rename(shop: Shop, name: string): Promise<void> {
    const { app } = this.#world
    const { number, postcode, domain } = shop
    await putCompanies(app, [{ number, name, postcode }])
    const shown = (reply: Reply) => reply.body.company_name
    await this.#read('profile', 'GET', `/v1/companies/${number}`, {}, (reply) => shown(reply) === name)
    const first = (reply: Reply) =>
      reply.body.data.some((found: { company_name: string }) => found.company_name === name)
    await this.#read('search', 'GET', `/v1/companies/search?name=${encodeURIComponent(name)}`, {}, first)
    await this.#read('search by number', 'GET', `/v1/companies/search?name=${number}`, {}, first)
    const isRight = ({ body, headers }: Reply) => body.company?.company_name === name && this.#hasCredits(headers)
    for (const _ of [1, 2]) await this.#read('known answer', 'POST', RESOLVE, { body: { domain } }, isRight)
  }

  async #resolve({ domain, number }: Shop): Promise<string | null> {
    const first = await this.#send('POST', RESOLVE, { body: { domain }, headers: { prefer: 'wait=25' } }, false)
    if (!first || first.body.company?.company_number !== number) {
      this.#findings.failures.push(`${domain} was answered with ${first?.text.slice(0, 200) ?? 'nothing'}`)
      return null
    }
    this.#credits -= first.body.charged ? 1 : 0
    const id = first.body.resolution_id as string
    const isSame = ({ body, headers }: Reply) =>
      body.resolution_id === id && body.charged === false && this.#hasCredits(headers)
    await this.#read('paid answer', 'POST', RESOLVE, { body: { domain } }, isSame)
    return id
  }

  async #watch({ number }: Shop): Promise<void> {
    const { app } = this.#world
    await this.#send('POST', '/v1/watchlist', { body: { company_number: number } })
    const signal = syntheticSignal(number, `${this.#account.id} ${number}`)
    const raised = await app.db.transaction((tx) => raiseSignals(app, tx, [signal], app.clock.now()))
    const ids = raised.map(({ id }) => id)
    const isThere = ({ body }: Reply) => ids.every((id) => body.data.some((one: { id: string }) => one.id === id))
    await this.#read('feed', 'GET', '/v1/signals', {}, isThere)
    await this.#send('DELETE', `/v1/watchlist/${number}`, {})
    const isGone = ({ body }: Reply) => !isThere({ body } as Reply)
    await this.#read('feed without it', 'GET', '/v1/signals', {}, isGone)
  }

  async #changeSettings(): Promise<void> {
    for (const choice of [false, true]) {
      await this.#send('PATCH', '/v1/account/settings', { body: { second_reader: choice } })
      const isChosen = ({ body }: Reply) => body.second_reader === choice
      await this.#read('settings', 'GET', '/v1/account/settings', {}, isChosen)
    }
  }

  async #dispute({ domain }: Shop, id: string): Promise<void> {
    const disputed = await this.#send('POST', `/v1/resolutions/${id}/dispute`, { body: { reason: 'not theirs' } })
    if (!disputed) return
    this.#disputes += 1
    const isRight = ({ body }: Reply) => body.outcome === 'no_match'
    await this.#read('disputed answer', 'POST', RESOLVE, { body: { domain } }, isRight)
    await until(() => this.#isRefundDecided(id), `the refund of ${id} was not decided`, {
      everyMs: 20,
      timeoutMs: 30_000,
    })
    this.#credits = (await getBalance(this.#world.app.db, this.#account.id)).available
    const isRefunded = ({ headers }: Reply) => this.#hasCredits(headers)
    await this.#read('refund', 'POST', RESOLVE, { body: { domain } }, isRefunded)
  }

  /** By a worker, which reads the site again first unless that was done a moment ago. */
  async #isRefundDecided(resolutionId: string): Promise<boolean> {
    const open = await this.#world.app.db.query(
      `select from refund_request r join review_decision d on d.id = r.decision_id
       where d.resolution_id = $1 and r.account_id = $2 and r.status = 'checking'`,
      [resolutionId, this.#account.id],
    )
    return open.length === 0
  }

  async #replaceKey({ domain }: Shop): Promise<void> {
    const { app } = this.#world
    const before = this.#key
    const rotation = {
      accountId: this.#account.id,
      mode: 'live',
      overlapHours: 0,
      origin: { ip: '127.0.0.1', requestId: 'rig' },
    } as const
    this.#key = (await rotateApiKey(app, rotation)).apiKey
    const { status } = await this.#call('POST', RESOLVE, { body: { domain }, key: before })
    this.#findings.checked += 1
    if (status !== 401) this.#findings.stale.push(`a key that had ended got ${status}`)
  }

  #hasCredits(headers: Headers): boolean {
    return headers.get('credits-remaining') === String(this.#credits)
  }

  async #read(
    what: string,
    method: string,
    path: string,
    options: CallOptions,
    isRight: (reply: Reply) => boolean,
  ): Promise<void> {
    const reply = await this.#send(method, path, options)
    if (!reply) return
    this.#findings.checked += 1
    if (!isRight(reply)) {
      const credits = `${reply.headers.get('credits-remaining')} of ${this.#credits} credits`
      this.#findings.stale.push(`${what} (${credits}): ${reply.text.slice(0, 300)}`)
    }
  }

  /** Returns null after a failure, which is recorded. */
  async #send(method: string, path: string, options: CallOptions, isTimed = true): Promise<Reply | null> {
    const startedMs = performance.now()
    try {
      const reply = await this.#call(method, path, { key: this.#key, ...options })
      if (isTimed) this.#findings.times.push(performance.now() - startedMs)
      if (reply.status < 300) return reply
      this.#findings.failures.push(`${method} ${path} returned ${reply.status}: ${reply.text.slice(0, 200)}`)
    } catch (error) {
      this.#findings.failures.push(`${method} ${path}: ${String(error)}`)
    }
    return null
  }

  /** Every request goes to the next process. */
  #call(method: string, path: string, options: CallOptions): Promise<Reply> {
    const { apiUrls } = this.#world
    this.#sent += 1
    this.#findings.requests += 1
    const call = createCall(apiUrls[this.#sent % apiUrls.length] ?? '')
    return call(method, path, { ...options, signal: AbortSignal.timeout(REQUEST_MS_MAX) })
  }
}

const RESOLVE = '/v1/resolve/domain'
