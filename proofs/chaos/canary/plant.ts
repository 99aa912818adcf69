/** Fills both modes of every account with things of each kind that has an id or takes words, a canary in each. */

import { makeSite } from '../../../rig/made-up-sites.ts'
import { Receiver } from '../../../rig/web/index.ts'
import type { Asked, Shown } from './caller.ts'
import type { Canaries, World } from './canaries.ts'
import type { CanaryStage, Person } from './stage.ts'

/** The possessions of one mode of one account. */
export type Planted = Pick<Owner, 'world' | 'ids' | 'sent' | 'receiver' | 'watched' | 'channelMessages'>

/** Numbers of `makeSite` for a matched, a doubtful and a queued site of each person. */
const MATCHED = [0, 9]
const DOUBTFUL = [4, 13]
const QUEUED = [18, 27]
const SLACK_HOST = 'hooks.slack.com'

export async function plantEverything(stage: CanaryStage, canaries: Canaries): Promise<Planted[]> {
  const planted: Planted[] = []
  const slack = new Receiver()
  stage.web.setSite(SLACK_HOST, { receiver: slack })
  for (const [index, person] of stage.people.entries()) {
    planted.push(await plantLive(new Owner({ stage, canaries, slack }, person, 'live'), index))
    planted.push(await plantTest(new Owner({ stage, canaries, slack }, person, 'test')))
  }
  return planted
}

interface Ground {
  stage: CanaryStage
  canaries: Canaries
  /** Where every owner's channel is, each at its own path. */
  slack: Receiver
}

class Owner {
  readonly world: World
  /** By the segment before the id in a path. */
  readonly ids: Record<string, string[]> = {}
  /** Requests that it sent under an Idempotency-Key, for others to send again. */
  readonly sent: Asked[] = []
  readonly receiver = new Receiver()
  /** The number of the company it watches. */
  watched = ''
  readonly #stage: CanaryStage
  readonly #canaries: Canaries
  readonly #slack: Receiver
  readonly #key: string
  readonly #session: string
  #channelPath = ''

  constructor({ stage, canaries, slack }: Ground, person: Person, mode: 'live' | 'test') {
    this.#stage = stage
    this.#canaries = canaries
    this.#slack = slack
    this.world = { account: person.name, mode }
    this.#key = mode === 'test' ? person.testKey : person.key
    this.#session = person.token
  }

  /** Returns the messages that its channel got. */
  channelMessages(): string[] {
    return this.#slack.received.filter(({ path }) => path === this.#channelPath).map(({ body }) => body)
  }

  plant(field: string, options: { inLog?: boolean } = {}): string {
    return this.#canaries.plant(this.world, field, options)
  }

  record(field: string, text: unknown, options: { inLog?: boolean } = {}): void {
    this.#canaries.record(this.world, field, text, options)
  }

  add(kind: string, id: unknown): void {
    this.ids[kind] = [...(this.ids[kind] ?? []), String(id)]
  }

  /** Text is sent as CSV. */
  async ask(
    method: string,
    path: string,
    body?: object | string,
    headers: Record<string, string> = {},
  ): Promise<Shown> {
    const requestId = this.plant('request id', { inLog: true })
    const mediaType = typeof body === 'string' ? { mediaType: 'text/csv' } : {}
    const sent = { method, path, ...(body === undefined ? {} : { body }), ...mediaType }
    const credential = { 'x-api-key': this.#key, 'x-request-id': requestId }
    const shown = await this.#stage.ask({ ...sent, headers: { ...credential, ...headers } })
    if (shown.status >= 400) throw new Error(`${method} ${path} of ${this.world.account}: ${shown.text.slice(0, 600)}`)
    return shown
  }

  /** Under an Idempotency-Key, which others will try too. */
  async create(path: string, body: object): Promise<Shown> {
    const headers = { 'idempotency-key': this.plant('Idempotency-Key') }
    this.sent.push({ method: 'POST', path, body, headers })
    return this.ask('POST', path, body, headers)
  }

  async plantWebhooks(types: readonly string[]): Promise<void> {
    const host = `hooks-${this.world.account}-${this.world.mode}.co.uk`
    this.#stage.web.setSite(host, { receiver: this.receiver })
    const webhookUrl = `https://${host}/${this.plant('destination address')}?token=${this.plant('destination query')}`
    for (const signalType of types) {
      const { body } = await this.create('/v1/partner/webhooks', { webhook_url: webhookUrl, signal_type: signalType })
      this.record('destination secret', body.secret)
      this.add('webhooks', body.id)
    }
    const { body: listener } = await this.create('/v1/webhook-listeners', { signal_type: 'all' })
    this.record('listener secret', listener.secret)
    this.add('webhook-listeners', listener.id)
  }

  async watch(companyNumber: string): Promise<void> {
    this.watched = companyNumber
    await this.create('/v1/watchlist', { company_number: companyNumber })
    const { body: list } = await this.create('/v1/watchlists', { name: this.plant('list name') })
    this.record('list id', list.id, { inLog: true })
    this.add('watchlists', list.id)
    await this.ask('POST', `/v1/watchlists/${list.id}/companies`, {
      company_number: companyNumber,
      note: this.plant('note'),
      tags: [this.plant('tag')],
    })
    const { body: calendar } = await this.ask('POST', `/v1/watchlists/${list.id}/calendar`)
    this.record(
      'calendar address',
      new URL(calendar.calendar_url).pathname
        .split('/')
        .at(-1)
        ?.replace(/\.ics$/, ''),
    )
    await this.plantChannel(String(list.id))
  }

  /** A channel in Slack for a list; its address is a secret that not even its owner is shown again. */
  async plantChannel(listId: string): Promise<void> {
    this.#channelPath = `/services/T0CANARY/B0CANARY/${this.plant('channel address')}`
    const { body } = await this.create('/v1/partner/webhooks', {
      kind: 'slack',
      webhook_url: `https://${SLACK_HOST}${this.#channelPath}`,
      signal_type: 'all',
      list: listId,
    })
    this.add('webhooks', body.id)
  }

  /** A file with a canary in its name, in a header and in a cell. */
  async plantFile(): Promise<void> {
    const table = `domain,${this.plant('file header')}\nharbourlantern.co.uk,${this.plant('file cell')}\n`
    const { body } = await this.ask('POST', `/v1/bulk/files?name=${this.plant('file name')}.csv`, table)
    this.record('file id', body.id, { inLog: true })
    this.add('files', body.id)
  }

  /** Views belong to the person of the account. */
  async plantView(): Promise<void> {
    const headers = { authorization: `Bearer ${this.#session}` }
    const body = { name: this.plant('view name'), path: '/signals', query: `q=${this.plant('view query')}` }
    const shown = await this.#stage.ask({ method: 'POST', path: '/v1/account/views', body, headers })
    this.record('view id', shown.body.id, { inLog: true })
    this.add('views', shown.body.id)
  }
}

async function plantLive(owner: Owner, person: number): Promise<Planted> {
  await owner.plantWebhooks(['all', 'resolution_completed'])
  const typed = (site: number) =>
    `https://bob:${owner.plant('typed password')}@${makeSite(site).domain}/?token=${owner.plant('typed query')}`
  const wait = { prefer: 'wait=30' }
  const matched = await owner.ask('POST', '/v1/resolve/domain', { domain: typed(MATCHED[person] ?? 0) }, wait)
  owner.add('resolutions', matched.body.resolution_id)
  const { body: link } = await owner.ask('POST', `/v1/resolutions/${matched.body.resolution_id}/share-links`, {
    days: 5,
  })
  owner.record('share link', new URL(link.url).pathname.split('/').at(-1))
  owner.record('share link id', link.id, { inLog: true })
  owner.add('share-links', link.id)
  const doubtful = await owner.ask('POST', '/v1/resolve/domain', { domain: typed(DOUBTFUL[person] ?? 4) }, wait)
  owner.add('resolutions', doubtful.body.resolution_id)
  const queued = await owner.create('/v1/enrich', { domain: typed(QUEUED[person] ?? 18) })
  owner.record('job id', queued.body.job_id, { inLog: true })
  owner.add('job', queued.body.job_id)
  const rows = [MATCHED, DOUBTFUL].map((numbers) => typed(numbers[person] ?? 0))
  const bulkJob = await owner.create('/v1/bulk', {
    name: owner.plant('bulk name'),
    domains: [...rows, owner.plant('bulk row')],
  })
  owner.record('bulk id', bulkJob.body.id, { inLog: true })
  owner.add('bulk', bulkJob.body.id)
  const { body: reviews } = await owner.ask('GET', '/v1/reviews')
  const review = reviews.data[0]?.id as string | undefined
  if (review === undefined) throw new Error(`${owner.world.account} has nothing to review`)
  owner.record('review id', review, { inLog: true })
  owner.add('reviews', review)
  const decision = { action: 'reject', reason: owner.plant('review reason'), reviewer: owner.plant('reviewer') }
  await owner.ask('POST', `/v1/reviews/${review}/decision`, decision)
  await owner.watch(makeSite(MATCHED[person] ?? 0).companyNumber ?? '')
  await owner.plantFile()
  await owner.plantView()
  return owner
}

async function plantTest(owner: Owner): Promise<Planted> {
  await owner.plantWebhooks(['all'])
  await owner.watch('TS000001')
  const queued = await owner.create('/v1/partner/enrich-company', { domain: 'slow.test' })
  owner.record('job id', queued.body.job_id, { inLog: true })
  owner.add('job', queued.body.job_id)
  await owner.create('/v1/test/signals', { company_number: 'TS000001', signal_type: 'psc_changed' })
  return owner
}
