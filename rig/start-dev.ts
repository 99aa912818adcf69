/** PostgreSQL, a mailbox, a simulated register and web, the service and a ready account, for `npm run dev`. */
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { ensureConsole } from '../console/build.ts'
import { createVerifiedAccount, getAccount, revealApiKeys } from '../src/accounts/index.ts'
import type { App } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { createLog } from '../src/lib/log.ts'
import { STREAM_NAMES, startFollowing } from '../src/register/index.ts'
import { migrateDatabase, startService } from '../src/service.ts'
import { recordQueuedChanges } from '../src/signals/index.ts'
import {
  type CompaniesHouseUrls,
  SIMULATED_REST_KEY,
  SIMULATED_STREAM_KEY,
  SimulatedCompaniesHouse,
  STORAGE_HOST,
} from './companies-house/index.ts'
import { DEMO_COMPANY, DEMO_DOMAINS, SECOND_READER_DOMAINS } from './demo-domains.ts'
import { LOCAL, ORIGIN, PORTS, RUNNING } from './dev-settings.ts'
import { createChannels } from './incoming-webhooks/index.ts'
import { passModel, replayAnswers, SimulatedModel } from './language-model/index.ts'
import { Mailbox } from './mailbox.ts'
import { listenOutside } from './outside-page.ts'
import { startPostgres } from './postgres.ts'
import { loadRegister } from './register-files.ts'
import { forgetRunning } from './running.ts'
import { SimulatedAuthority } from './time-stamps/index.ts'
import { Receiver, SimulatedWeb } from './web/index.ts'
import { describeWeb } from './web/setting.ts'

const ROOT = join(import.meta.dirname, '..')
const RECEIVER_HOST = 'hooks.demo-partner.co.uk'
const WORLD = join(ROOT, 'worlds/demo')
const ACCOUNT = { email: 'dev@nameplate.test', password: 'correct horse battery' }

let stopPostgres: (() => Promise<void>) | undefined

export async function startDev(): Promise<void> {
  try {
    await startAll()
  } catch (error) {
    await stopPostgres?.()
    throw error
  }
}

async function startAll(): Promise<void> {
  const startedAt = Date.now()
  console.log('Building the console …')
  ensureConsole()
  console.log('Starting PostgreSQL …')
  const postgres = process.env['DATABASE_URL']
    ? null
    : await startPostgres({ directory: join(LOCAL, 'postgres'), port: PORTS.postgres, persistent: true })
  stopPostgres = () => postgres?.stop() ?? Promise.resolve()
  const mailbox = new Mailbox()
  const smtpUrl = await mailbox.listen(PORTS.smtp)
  const mailboxUrl = await mailbox.listenPage(PORTS.mailboxPage)

  // The dossier's two connections per key are too few for eight streams, so the simulator allows more.
  const house = SimulatedCompaniesHouse.fromWorld(WORLD, { stream: { connectionsPerKeyMax: STREAM_NAMES.length } })
  const register = await house.listen()

  const model = await new SimulatedModel(replayAnswers(join(WORLD, 'second-reader.jsonl'))).listen()

  const timeStamps = await SimulatedAuthority.create()
  const timeStampUrl = await timeStamps.listen()
  const timeStampFile = join(LOCAL, 'time-stamp-authorities.pem')
  appendFileSync(timeStampFile, timeStamps.certificate)

  const web = await (await SimulatedWeb.fromWorld(WORLD)).listen()
  const receiver = new Receiver()
  web.setSite(RECEIVER_HOST, { receiver })
  web.setSite(STORAGE_HOST, { serve: house.documents.storage })
  const receiverUrl = `https://${RECEIVER_HOST}/nameplate`
  const channels = createChannels()
  for (const { url, service } of channels) web.setSite(new URL(url).hostname, { serve: service.serve })
  const outside = await listenOutside(
    { house, receiver, receiverUrl, channels, consoleUrl: `${ORIGIN}/console`, companyNumber: DEMO_COMPANY },
    PORTS.outsidePage,
  )

  const env = {
    ...devEnvironment(smtpUrl, register),
    SIMULATED_WEB: describeWeb(web, join(LOCAL, 'web-ca.pem')),
    DEMO_DOMAINS: [...DEMO_DOMAINS, ...SECOND_READER_DOMAINS].join(),
    DEVELOPMENT_PAGES: `Mailbox=${mailboxUrl},Outside world=${outside.url}`,
    DATABASE_URL: process.env['DATABASE_URL'] ?? postgres?.url,
    ...secondReaderSettings(model),
    TIME_STAMP_URL: timeStampUrl,
    // Each start has a new authority; stamps of earlier starts stay trusted.
    TIME_STAMP_CA_FILE: timeStampFile,
  }
  // The operator's commands read this file too, so that they reach the same database.
  writeFileSync(
    join(LOCAL, 'dev.env'),
    Object.entries(env)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(''),
    { mode: 0o600 },
  )
  const config = loadConfig(env)
  console.log('Migrating …')
  await migrateDatabase(config, createLog({ level: 'warn' }))
  const service = await startService(config, { serve: true, work: true, follow: false })
  await passModel(service.app, { model: config.secondReader?.model ?? '', world: 'demo' })
  // A difference after the first start; the simulator's streams begin again each time.
  await service.app.db.query('delete from register_stream')
  await loadRegister(service.app, register.bulkUrl)
  const follower = startFollowing(service.app, { onApplied: async () => void (await recordQueuedChanges(service.app)) })
  const keys = await readyAccount(service.app)
  writeFileSync(join(LOCAL, 'api-key'), keys.live, { mode: 0o600 })
  printWelcome({
    mailboxUrl,
    outsideUrl: outside.url,
    receiverUrl,
    keys,
    seconds: (Date.now() - startedAt) / 1_000,
    databaseUrl: config.databaseUrl,
  })

  async function stop(): Promise<void> {
    console.log('Stopping …')
    await follower.close()
    await service.close()
    await house.close()
    await model.close()
    await timeStamps.close()
    outside.close()
    await web.close()
    await mailbox.close()
    await postgres?.stop()
    forgetRunning(RUNNING)
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
}

/** The secrets are made on the first start and kept, so that sealed values can be opened on the next. */
function devEnvironment(smtpUrl: string, register: CompaniesHouseUrls): Record<string, string> {
  const file = join(LOCAL, 'dev.env')
  const kept = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  return {
    ENVIRONMENT: 'development',
    SIMULATED: 'mailbox,register,web,second-reader,time-stamps',
    BASE_URL: ORIGIN,
    SITE_URL: ORIGIN,
    HOST: '127.0.0.1',
    PORT: String(PORTS.service),
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'Nameplate <hello@nameplate.test>',
    SEALING_KEYS: kept['SEALING_KEYS'] ?? `dev:${randomBytes(32).toString('base64')}`,
    HASHING_KEY: kept['HASHING_KEY'] ?? randomBytes(32).toString('base64'),
    REGISTER_REST_URL: register.restUrl,
    REGISTER_REST_KEY: SIMULATED_REST_KEY,
    REGISTER_DOCUMENT_URL: register.documentUrl,
    REGISTER_DOCUMENT_STORAGE: STORAGE_HOST,
    REGISTER_STREAM_URL: register.streamUrl,
    REGISTER_STREAM_KEYS: SIMULATED_STREAM_KEY,
    REGISTER_BULK_URL: register.bulkUrl,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
  }
}

/** The simulated model, unless the environment names another one. Every match is checked, so that its objection is seen. */
function secondReaderSettings(model: SimulatedModel): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) => name.startsWith('SECOND_READER_'))
  if (process.env['SECOND_READER_URL']) {
    return Object.fromEntries(given.map(([name, value]) => [name, value ?? '']))
  }
  return {
    SECOND_READER_URL: model.url,
    SECOND_READER_MODEL: 'simulated',
    SECOND_READER_PRICES: '0.15,0.60',
    SECOND_READER_TASKS: 'find,check-all',
  }
}

async function readyAccount(app: App) {
  const account = await getAccount(app, ACCOUNT.email).catch(() => createVerifiedAccount(app, ACCOUNT))
  return revealApiKeys(app, account.id)
}

function printWelcome(ready: {
  mailboxUrl: string
  outsideUrl: string
  receiverUrl: string
  keys: { live: string; test: string }
  seconds: number
  databaseUrl: string
}): void {
  console.log(`
Nameplate runs (started in ${ready.seconds.toFixed(1)} s). Stop it with Ctrl-C.

  Console     ${ORIGIN}/console          sign in with the account below
  API         ${ORIGIN}          reference: ${ORIGIN}/docs/api
  Mailbox     ${ready.mailboxUrl}          every e-mail it sends
  Outside     ${ready.outsideUrl}          make the register change, see webhooks arrive at ${ready.receiverUrl}
  PostgreSQL  ${ready.databaseUrl}

  Account     ${ACCOUNT.email} / ${ACCOUNT.password}
  Live key    ${ready.keys.live}
  Test key    ${ready.keys.test}

Try it:
  curl -H "X-API-Key: $(cat .local/api-key)" ${ORIGIN}/v1/auth/me
  curl -H "X-API-Key: $(cat .local/api-key)" '${ORIGIN}/v1/companies/search?name=lantern'
  npm run nameplated -- resolve copperkettle.co.uk --explain
`)
}
