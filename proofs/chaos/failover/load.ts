/** The customers and the register during the faults: never much load, and never none until it is stopped. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedAccount } from '../../../rig/accounts.ts'
import { type MadeUpSite, makeSite } from '../../../rig/made-up-sites.ts'
import type { Acknowledged as AcknowledgedJob } from '../resolution/asking.ts'
import { Customer } from './customer.ts'
import type { Stage } from './stage.ts'

const ASK_EVERY_MS = 1_200
const WATCH_EVERY_MS = 700
const CHANGE_EVERY_MS = 400
/** As often as the limits on logins allow. */
const LOGIN_EVERY_MS = 10_000
const DESTINATION_EVERY_MS = 9_000
const UNDER_WAY_MAX = 100

export interface Acknowledged {
  jobs: AcknowledgedJob[]
  watches: Array<{ account: OpenedAccount; companyNumber: string }>
  /** Their ids. */
  destinations: number[]
  logins: number
}

export class Load {
  readonly sites: MadeUpSite[] = []
  readonly acknowledged: Acknowledged = { jobs: [], watches: [], destinations: [], logins: 0 }
  readonly customer: Customer
  readonly #stage: Stage
  readonly #underWay = new Set<Promise<void>>()
  readonly #loops: Promise<void>[]
  readonly #stopped = new AbortController()

  constructor(stage: Stage, apiUrls: readonly string[]) {
    this.#stage = stage
    this.customer = new Customer(apiUrls)
    this.#loops = [
      this.#repeat(ASK_EVERY_MS, (index) => this.#ask(index)),
      this.#repeat(WATCH_EVERY_MS, (index) => this.#watch(index)),
      this.#repeat(LOGIN_EVERY_MS, (index) => this.#logIn(index)),
      this.#repeat(DESTINATION_EVERY_MS, (index) => this.#addDestination(index)),
      this.#repeat(CHANGE_EVERY_MS, async () => stage.changes.makeOne()),
    ]
  }

  /** Returns when every request has succeeded or was given up on. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await Promise.all(this.#loops)
    await Promise.all(this.#underWay)
  }

  get requestsUnderWay(): number {
    return this.#underWay.size
  }

  async #repeat(everyMs: number, act: (index: number) => Promise<void>): Promise<void> {
    const { signal } = this.#stopped
    for (let index = 0; !signal.aborted; ) {
      if (this.#underWay.size < UNDER_WAY_MAX) {
        const acting = act(index)
        index += 1
        this.#underWay.add(acting)
        void acting.finally(() => this.#underWay.delete(acting))
      }
      await sleep(everyMs * (0.8 + Math.random() * 0.4), undefined, { signal }).catch(() => undefined)
    }
  }

  /** A new domain, by two accounts at once. */
  async #ask(index: number): Promise<void> {
    const { accounts, web, companiesMax } = this.#stage
    if (index >= companiesMax) return
    const site = makeSite(index)
    web.setSite(site.domain, site.site)
    this.sites.push(site)
    const askers = [index, index + 1].map((asker) => accounts[asker % accounts.length])
    await Promise.all(
      askers.map(async (account) => {
        if (!account) return
        const body = { domain: site.domain }
        const answer = await this.customer.send({ path: '/v1/enrich', account, body, idempotencyKey: randomUUID() })
        if (!answer) return
        const { job_id: jobId = null, charged = false } = answer.body
        this.acknowledged.jobs.push({ account, domain: site.domain, jobId, charged })
      }),
    )
  }

  async #watch(index: number): Promise<void> {
    const { accounts, companyNumbers } = this.#stage
    const account = accounts[index % accounts.length]
    const companyNumber = companyNumbers[Math.floor(index / accounts.length)]
    if (!account || !companyNumber) return
    const body = { company_number: companyNumber }
    const request = { path: '/v1/watchlist', account, body, idempotencyKey: randomUUID() }
    if (await this.customer.send(request)) this.acknowledged.watches.push({ account, companyNumber })
  }

  async #logIn(index: number): Promise<void> {
    const { people } = this.#stage
    const person = people[index % people.length]
    if (!person) return
    const request = { path: '/v1/auth/login', body: person }
    if (await this.customer.send(request)) this.acknowledged.logins += 1
  }

  async #addDestination(index: number): Promise<void> {
    const { accounts, web } = this.#stage
    const account = accounts[index % accounts.length]
    if (!account) return
    const host = `more-hooks-${index}.co.uk`
    web.setSite(host, {})
    const body = { webhook_url: `https://${host}/in`, signal_type: 'all' }
    const request = { path: '/v1/partner/webhooks', account, body, idempotencyKey: randomUUID() }
    const answer = await this.customer.send(request)
    if (answer?.body.id !== undefined) this.acknowledged.destinations.push(answer.body.id)
  }
}
