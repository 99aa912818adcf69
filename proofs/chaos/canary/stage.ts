/** The service as it is deployed, API and worker as processes of their own, with the outside world simulated. */

import { openAccounts } from '../../../rig/accounts.ts'
import { makeSite, registerCompanies } from '../../../rig/made-up-sites.ts'
import { Mailbox } from '../../../rig/mailbox.ts'
import { startProgram } from '../../../rig/program.ts'
import { type ListeningWeb, SimulatedWeb } from '../../../rig/web/index.ts'
import { findAccount, revealApiKeys } from '../../../src/accounts/index.ts'
import { startSession } from '../../../src/accounts/sign-in/sessions.ts'
import type { App } from '../../../src/app.ts'
import { tellOfWeb } from '../resolution.ts'
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

export interface CanaryStage extends AsyncDisposable {
  app: App
  ask: Ask
  siteUrl: string
  web: ListeningWeb
  mailbox: Mailbox
  people: Person[]
  /** Everything that both processes logged at their most talkative. */
  logText(): string
}

const SITES = 36
const NAMES = ['ada', 'ben']

export async function openCanaryStage(app: App, canaries: Canaries, root: string | null): Promise<CanaryStage> {
  await using opened = new AsyncDisposableStack()
  await registerCompanies(app.db, SITES)
  const web = opened.use(await (await SimulatedWeb.fromSites({})).listen())
  for (let place = 0; place < SITES; place += 1) {
    const { domain, site } = makeSite(place)
    web.setSite(domain, site)
  }
  const simulated = opened.use(tellOfWeb(web))
  const mailbox = new Mailbox()
  const smtpUrl = await mailbox.listen()
  opened.defer(() => mailbox.close())
  const logged: Buffer[] = []
  const settings = {
    SIMULATED_WEB: simulated.setting,
    SMTP_URL: smtpUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'trace',
  }
  const place = { onLog: (chunk: Buffer) => void logged.push(chunk), ...(root === null ? {} : { root }) }
  const api = opened.use(await startProgram('serve', app.config, settings, place))
  opened.use(await startProgram('work', app.config, settings, place))
  const people = await openPeople(app, api.url, canaries)
  const kept = opened.move()
  return {
    app,
    ask: createAsk(api.url),
    siteUrl: api.url.replace('127.0.0.1', 'localhost'),
    web,
    mailbox,
    people,
    logText: () => Buffer.concat(logged).toString(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function openPeople(app: App, apiUrl: string, canaries: Canaries): Promise<Person[]> {
  const accounts = await openAccounts(app, { count: NAMES.length, plan: 'scale' })
  const issuer = { ...app, config: { ...app.config, baseUrl: new URL(apiUrl) } }
  return Promise.all(
    accounts.map(async ({ id, key }, index) => {
      const name = NAMES[index] ?? ''
      const world = { account: name, mode: 'both' } as const
      const email = `${canaries.plant(world, 'e-mail')}@example.com`
      await app.db.query('update account set email = $2, email_canonical = $2 where id = $1', [id, email])
      canaries.note(world, 'account id', id, { inLog: true })
      const account = await findAccount(app.db, id)
      if (!account) throw new Error(`${id} was opened and is not there`)
      const { token } = await startSession(issuer, account)
      const person = { name, id, email, key, testKey: (await revealApiKeys(app, id)).test, token }
      canaries.note({ account: name, mode: 'live' }, 'live key', person.key)
      canaries.note({ account: name, mode: 'test' }, 'test key', person.testKey)
      return person
    }),
  )
}
