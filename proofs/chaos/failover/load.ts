/** What customers and the register do all the while: it is never much, and it never ends before it is told to. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedAccount } from '../../../rig/accounts.ts'
import { type ChaosSite, makeSite } from '../../../rig/made-up-sites.ts'
import type { Told } from '../resolution/asking.ts'
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
  told: Told[]
  watches: Array<{ account: OpenedAccount; companyNumber: string }>
  /** Their ids. */
  destinations: number[]
  logins: number
}

export class Load {
  readonly sites: ChaosSite[] = []
  readonly acknowledged: Acknowledged = { told: [], watches: [], destinations: [], logins: 0 }
  readonly customer: Customer
  readonly #stage: Stage
  readonly #underWay = new Set<Promise<void>>()
  readonly #loops: Promise<void>[]
  readonly #stopped = new AbortController()

  constructor(stage: Stage, apiUrls: readonly string[]) {
    this.#stage = stage
    this.customer = new Customer(apiUrls)
    this.#loops = [
      this.#repeat(ASK_EVERY_MS, (place) => this.#ask(place)),
      this.#repeat(WATCH_EVERY_MS, (place) => this.#watch(place)),
      this.#repeat(LOGIN_EVERY_MS, (place) => this.#logIn(place)),
      this.#repeat(DESTINATION_EVERY_MS, (place) => this.#addDestination(place)),
      this.#repeat(CHANGE_EVERY_MS, async () => stage.changes.makeOne()),
    ]
  }

  /** Answers when every wish was granted or given up on. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await Promise.all(this.#loops)
    await Promise.all(this.#underWay)
  }

  get wishesUnderWay(): number {
    return this.#underWay.size
  }

  async #repeat(everyMs: number, act: (place: number) => Promise<void>): Promise<void> {
    const { signal } = this.#stopped
    for (let place = 0; !signal.aborted; ) {
      if (this.#underWay.size < UNDER_WAY_MAX) {
        const acting = act(place)
        place += 1
        this.#underWay.add(acting)
        void acting.finally(() => this.#underWay.delete(acting))
      }
      await sleep(everyMs * (0.8 + Math.random() * 0.4), undefined, { signal }).catch(() => undefined)
    }
  }

  /** A new domain, by two accounts at once. */
  async #ask(place: number): Promise<void> {
    const { accounts, web, companiesMax } = this.#stage
    if (place >= companiesMax) return
    const site = makeSite(place)
    web.setSite(site.domain, site.site)
    this.sites.push(site)
    const askers = [place, place + 1].map((asker) => accounts[asker % accounts.length])
    await Promise.all(
      askers.map(async (account) => {
        if (!account) return
        const body = { domain: site.domain }
        const answer = await this.customer.send({ path: '/v1/enrich', account, body, idempotencyKey: randomUUID() })
        if (!answer) return
        const { job_id: jobId = null, charged = false } = answer.body
        this.acknowledged.told.push({ account, domain: site.domain, jobId, charged })
      }),
    )
  }

  async #watch(place: number): Promise<void> {
    const { accounts, companyNumbers } = this.#stage
    const account = accounts[place % accounts.length]
    const companyNumber = companyNumbers[Math.floor(place / accounts.length)]
    if (!account || !companyNumber) return
    const body = { company_number: companyNumber }
    const wish = { path: '/v1/watchlist', account, body, idempotencyKey: randomUUID() }
    if (await this.customer.send(wish)) this.acknowledged.watches.push({ account, companyNumber })
  }

  async #logIn(place: number): Promise<void> {
    const { people } = this.#stage
    const person = people[place % people.length]
    if (!person) return
    const wish = { path: '/v1/auth/login', body: person }
    if (await this.customer.send(wish)) this.acknowledged.logins += 1
  }

  async #addDestination(place: number): Promise<void> {
    const { accounts, web } = this.#stage
    const account = accounts[place % accounts.length]
    if (!account) return
    const host = `more-hooks-${place}.co.uk`
    web.setSite(host, {})
    const body = { webhook_url: `https://${host}/in`, signal_type: 'all' }
    const wish = { path: '/v1/partner/webhooks', account, body, idempotencyKey: randomUUID() }
    const answer = await this.customer.send(wish)
    if (answer?.body.id !== undefined) this.acknowledged.destinations.push(answer.body.id)
  }
}
