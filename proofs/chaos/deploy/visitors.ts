/** Customers who never stop sending requests while releases change under them, and record every failure. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenedAccount } from '../../../rig/accounts.ts'
import { type MadeUpSite, makeSite } from '../../../rig/made-up-sites.ts'
import type { ListeningWeb } from '../../../rig/web/index.ts'
import { type Acknowledged, ask } from '../resolution/asking.ts'

export interface Visits {
  sites: MadeUpSite[]
  acknowledged: Acknowledged[]
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
/** One in so many requests is for a new domain; the others read. */
const NEW_DOMAIN_EVERY = 40

export class Visitors {
  readonly visits: Visits = { sites: [], acknowledged: [], requests: 0, slowestMs: 0, failures: [] }
  readonly #world: World
  readonly #loops: Array<Promise<void>>
  #leaving = false

  constructor(world: World) {
    this.#world = world
    this.#loops = world.accounts.map((account, index) => this.#visit(account, index))
  }

  async leave(): Promise<Visits> {
    this.#leaving = true
    await Promise.all(this.#loops)
    return this.visits
  }

  async #visit(account: OpenedAccount, first: number): Promise<void> {
    for (let count = first; !this.#leaving; count += 1) {
      const startedAt = Date.now()
      try {
        if (count % NEW_DOMAIN_EVERY === 0) await this.#askForNewDomain(account)
        else await this.#read(account, count)
      } catch (error) {
        this.visits.failures.push(describe(error))
      }
      this.visits.requests += 1
      this.visits.slowestMs = Math.max(this.visits.slowestMs, Date.now() - startedAt)
      await sleep(PAUSE_MS)
    }
  }

  async #askForNewDomain(account: OpenedAccount): Promise<void> {
    const { sites, acknowledged } = this.visits
    if (sites.length >= this.#world.domainsMax) return this.#read(account, sites.length)
    const made = makeSite(sites.length)
    this.#world.web.setSite(made.domain, made.site)
    sites.push(made)
    acknowledged.push(await ask(this.#world.url, account, made.domain))
  }

  async #read(account: OpenedAccount, count: number): Promise<void> {
    const known = this.visits.acknowledged.findLast(({ account: owner, jobId }) => owner === account && jobId !== null)
    const paths = ['/v1/auth/me', '/v1/companies/search?name=joinery', `/v1/enrich/status/${known?.jobId}`]
    const path = known ? paths[count % paths.length] : paths[0]
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
