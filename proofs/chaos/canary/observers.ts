/** The observers: with every credential there is, with one that has ended, and with none. */
import { rotateApiKey } from '../../../src/accounts/index.ts'
import { approve } from '../../../tools/contract/agent.ts'
import { createCall, openAgent } from '../../../tools/contract/client.ts'
import { readText } from '../../../tools/contract/expectations.ts'
import { type Canaries, type Canary, mayHolderSee, type World } from './canaries.ts'
import type { CanaryStage } from './stage.ts'

export interface Observer {
  name: string
  number: number
  /** The owner whose things it may see; null may see none. */
  world: World | null
  /** For the API. */
  api: Record<string, string>
  /** For the agent endpoint; null where it is refused. */
  agent: Record<string, string> | null
  /** For the site. */
  site: Record<string, string>
  /** A credential of the API alone is anonymous on the site. */
  seesSite: boolean
  may: (canary: Canary) => boolean
}

const ANONYMOUS = 'anonymous'

export async function openObservers(stage: CanaryStage, canaries: Canaries): Promise<Observer[]> {
  const observers: Observer[] = [observe(ANONYMOUS, null, { api: {} })]
  const site = new URL(stage.siteUrl)
  const agent = openAgent(site)
  for (const { name, id, key, testKey, token } of stage.people) {
    const live = { account: name, mode: 'live' } as const
    const clientName = canaries.plant({ account: name, mode: 'live' }, 'client name')
    const approved = await approve(createCall(site, agent), { name: clientName }, { session: token, types: {} })
    const access = readText(approved.token, 'access_token')
    canaries.record(live, 'program token', access)
    const session = { api: bearer(token), agent: null, site: { cookie: `session=${token}` } }
    observers.push(
      observe(`${name}, test key`, { account: name, mode: 'test' }, { api: { 'x-api-key': testKey } }),
      observe(`${name}, session`, live, session),
      observe(`${name}, program`, live, { api: bearer(access) }),
    )
    // Last, so that the key before it is one that has ended.
    const origin = { ip: '198.18.0.1', requestId: 'canary' }
    const { apiKey } = await rotateApiKey(stage.app, { accountId: id, mode: 'live', overlapHours: 0, origin })
    canaries.record(live, 'live key', apiKey)
    observers.push(
      observe(`${name}, live key`, live, { api: { 'x-api-key': apiKey } }),
      observe(`${name}, revoked key`, null, { api: { 'x-api-key': key } }),
    )
  }
  await agent.close()
  return observers
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

let made = 0

/** The agent endpoint takes the credentials of the API unless it is said otherwise. */
function observe(
  name: string,
  world: World | null,
  { api, agent = api, site = {} }: Pick<Observer, 'api'> & Partial<Pick<Observer, 'agent' | 'site'>>,
): Observer {
  const seesSite = name === ANONYMOUS || Object.keys(site).length > 0
  made += 1
  return { name, number: made, world, api, agent, site, seesSite, may: mayHolderSee(world) }
}
