/** The service as it is deployed, API and worker as processes, with the outside world simulated. */
import { openAccounts, openSession } from '../../../rig/accounts.ts'
import { makeSite, registerCompanies } from '../../../rig/made-up-sites.ts'
import { type OutsideStage, openOutsideStage } from '../../../rig/stage.ts'
import { revealApiKeys } from '../../../src/accounts/index.ts'
import type { App } from '../../../src/app.ts'
import { type Ask, createAsk } from './caller.ts'
import type { Canaries } from './canaries.ts'

export interface Person {
  name: string
  id: string
  email: string
  key: string
  testKey: string
  token: string
}

export interface CanaryStage extends OutsideStage {
  ask: Ask
  siteUrl: string
  people: Person[]
  /** Returns everything that both processes logged at their most talkative. */
  logText(): string
}

const SITES = 36
const NAMES = ['ada', 'ben']

/** `root` is the folder of other sources than these. */
export async function openCanaryStage(canaries: Canaries, root: string | null): Promise<CanaryStage> {
  await using opened = new AsyncDisposableStack()
  const stage = opened.use(await openOutsideStage({ settings: { TRUSTED_PROXIES: '127.0.0.1' } }))
  await registerCompanies(stage.app.db, SITES)
  for (let index = 0; index < SITES; index += 1) {
    const { domain, site } = makeSite(index)
    stage.web.setSite(domain, site)
  }
  const logged: Buffer[] = []
  const options = { onLog: (chunk: Buffer) => void logged.push(chunk), ...(root === null ? {} : { root }) }
  const api = opened.use(await stage.start('serve', { LOG_LEVEL: 'trace' }, options))
  opened.use(await stage.start('work', { LOG_LEVEL: 'trace' }, options))
  const people = await openPeople(stage.app, api.url, canaries)
  const all = opened.move()
  return {
    ...stage,
    ask: createAsk(api.url),
    siteUrl: api.url.replace('127.0.0.1', 'localhost'),
    people,
    logText: () => Buffer.concat(logged).toString(),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function openPeople(app: App, apiUrl: string, canaries: Canaries): Promise<Person[]> {
  const accounts = await openAccounts(app, { count: NAMES.length, plan: 'scale' })
  return Promise.all(
    accounts.map(async ({ id, key }, index) => {
      const name = NAMES[index] ?? ''
      const world = { account: name, mode: 'both' } as const
      const email = `${canaries.plant(world, 'e-mail')}@example.com`
      await app.db.query('update account set email = $2, email_canonical = $2 where id = $1', [id, email])
      canaries.record(world, 'account id', id, { inLog: true })
      const token = await openSession(app, id, apiUrl)
      const person = { name, id, email, key, testKey: (await revealApiKeys(app, id)).test, token }
      canaries.record({ account: name, mode: 'live' }, 'live key', person.key)
      canaries.record({ account: name, mode: 'test' }, 'test key', person.testKey)
      return person
    }),
  )
}
