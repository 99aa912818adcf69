/** `npm run dev`: PostgreSQL, a mailbox, a simulated register and web, the service and a ready account, in one command. */
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
import { createChannels } from './incoming-webhooks/index.ts'
import { passModel, replayAnswers, SimulatedModel } from './language-model/index.ts'
import { Mailbox } from './mailbox.ts'
import { listenOutside } from './outside-page.ts'
import { isFree, startPostgres } from './postgres.ts'
import { loadRegister } from './register-files.ts'
import { findRunning, forgetRunning, writeRunning } from './running.ts'
import { SimulatedAuthority } from './time-stamps/index.ts'
import { Receiver, SimulatedWeb } from './web/index.ts'
import { describeWeb } from './web/setting.ts'

const ROOT = join(import.meta.dirname, '..')
const LOCAL = resolve(ROOT, process.env['LOCAL_FOLDER'] ?? '.local')
const FIRST_PORT = readPort('PORT', 4000)
const PORTS = {
  service: FIRST_PORT,
  mailboxPage: readPort('MAILBOX_PORT', FIRST_PORT + 1),
  outsidePage: readPort('OUTSIDE_PORT', FIRST_PORT + 2),
  smtp: readPort('SMTP_PORT', FIRST_PORT + 25),
  postgres: readPort('POSTGRES_PORT', FIRST_PORT + 32),
}
const ORIGIN = `http://localhost:${PORTS.service}`
const RECEIVER_HOST = 'hooks.demo-partner.co.uk'
const RUNNING = join(LOCAL, 'running.json')
const WORLD = join(ROOT, 'worlds/demo')
const ACCOUNT = { email: 'dev@nameplate.test', password: 'correct horse battery' }

const HELP = `npm run dev

Starts PostgreSQL, a mailbox, a simulated register and web, the service and a ready account. Nothing leaves this machine;
the data is in the folder .local.

  PORT=4100 npm run dev            another port for the service (${PORTS.service} now); the others follow it:
                                   MAILBOX_PORT=${PORTS.mailboxPage} OUTSIDE_PORT=${PORTS.outsidePage} SMTP_PORT=${PORTS.smtp} POSTGRES_PORT=${PORTS.postgres}
  LOCAL_FOLDER=.local-2 PORT=4100 npm run dev   a second one beside the first, with data of its own
  DATABASE_URL=postgresql://… npm run dev   a database of your own instead of the one it starts
  LOG_LEVEL=debug npm run dev      more of the log
  npm run dev -- --help            this text`

function readPort(name: string, usual: number): number {
  const port = Number(process.env[name] ?? usual)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  console.error(`${name} must be a number from 1 to 65535.`)
  process.exit(2)
}

let stopPostgres: (() => Promise<void>) | undefined

async function main(): Promise<void> {
  const startedAt = Date.now()
  mkdirSync(LOCAL, { recursive: true })
  const other = findRunning(RUNNING)
  if (other) {
    console.error(
      `npm run dev is already running, at ${other.address} (process ${other.pid}). Use that one, or stop it first.`,
    )
    process.exit(1)
  }
  await assertFree()
  writeRunning(RUNNING, { pid: process.pid, address: ORIGIN })
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

/** Fails before anything starts if another program uses a port. */
async function assertFree(): Promise<void> {
  const { postgres, ...others } = PORTS
  // A PostgreSQL that a killed run left behind is used again.
  const isOurs = process.env['DATABASE_URL'] !== undefined || existsSync(join(LOCAL, 'postgres/data/postmaster.pid'))
  for (const port of [...Object.values(others), ...(isOurs ? [] : [postgres])]) {
    if (await isFree(port)) continue
    console.error(`Another program uses port ${port}. Stop it, or choose other ports: PORT=4100 npm run dev`)
    process.exit(1)
  }
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

const [argument] = process.argv.slice(2)
if (argument !== undefined) {
  const isHelp = argument === '--help' || argument === '-h'
  console.log(isHelp ? HELP : `npm run dev takes no ${argument}.\n\n${HELP}`)
  process.exit(isHelp ? 0 : 2)
}

try {
  await main()
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n`)
  console.error('npm run dev could not start. To start with an empty database, remove the folder .local')
  await stopPostgres?.()
  forgetRunning(RUNNING)
  process.exit(1)
}
