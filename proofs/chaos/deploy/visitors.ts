/** Customers who never stop asking while releases change under them, and note every answer that is not one. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedAccount } from '../../../rig/accounts.ts'
import { type ChaosSite, makeSite } from '../../../rig/made-up-sites.ts'
import type { ListeningWeb } from '../../../rig/web/index.ts'
import { ask, type Told } from '../resolution/asking.ts'

export interface Visits {
  sites: ChaosSite[]
  told: Told[]
  requests: number
  slowestMs: number
  failures: string[]
}

interface World {
  url: string
  accounts: OpenedAccount[]
  web: ListeningWeb
  domainsMax: number
}

const PAUSE_MS = 20
/** Of all requests, one in so many is for a new domain; the others read. */
const NEW_DOMAIN_EVERY = 40

export class Visitors {
  readonly visits: Visits = { sites: [], told: [], requests: 0, slowestMs: 0, failures: [] }
  readonly #world: World
  readonly #loops: Array<Promise<void>>
  #leaving = false

  constructor(world: World) {
    this.#world = world
    this.#loops = world.accounts.map((account, place) => this.#visit(account, place))
  }

  async leave(): Promise<Visits> {
    this.#leaving = true
    await Promise.all(this.#loops)
    return this.visits
  }

  async #visit(account: OpenedAccount, place: number): Promise<void> {
    for (let turn = place; !this.#leaving; turn += 1) {
      const startedAt = Date.now()
      try {
        if (turn % NEW_DOMAIN_EVERY === 0) await this.#askForNewDomain(account)
        else await this.#read(account, turn)
      } catch (error) {
        this.visits.failures.push(describe(error))
      }
      this.visits.requests += 1
      this.visits.slowestMs = Math.max(this.visits.slowestMs, Date.now() - startedAt)
      await sleep(PAUSE_MS)
    }
  }

  async #askForNewDomain(account: OpenedAccount): Promise<void> {
    const { sites, told } = this.visits
    if (sites.length >= this.#world.domainsMax) return this.#read(account, sites.length)
    const chaosSite = makeSite(sites.length)
    this.#world.web.setSite(chaosSite.domain, chaosSite.site)
    sites.push(chaosSite)
    told.push(await ask(this.#world.url, account, chaosSite.domain))
  }

  async #read(account: OpenedAccount, turn: number): Promise<void> {
    const known = this.visits.told.findLast(({ account: owner, jobId }) => owner === account && jobId !== null)
    const paths = ['/v1/auth/me', '/v1/companies/search?name=joinery', `/v1/enrich/status/${known?.jobId}`]
    const path = known ? paths[turn % paths.length] : paths[0]
    const response = await fetch(new URL(path ?? '/', this.#world.url), { headers: { 'x-api-key': account.key } })
    await response.arrayBuffer()
    if (response.status === 429) await sleep(Number(response.headers.get('retry-after')) * 1_000)
    else if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  }
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error instanceof Error ? error.message : String(error)}${cause}`
}
