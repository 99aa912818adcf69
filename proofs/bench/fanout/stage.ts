/** The app that raises signals, with the worker, the receivers and a bare sender as processes. */
import { join } from 'node:path'
import { startChild } from '../../../rig/child.ts'
import { openStage as openRigStage } from '../../../rig/stage.ts'
import { receiverHost, startWeb, type WebProcess } from '../../../rig/web-process.ts'
import type { App } from '../../../src/app.ts'
import { registerDestination } from '../../../src/webhooks/index.ts'
import type { BareLoad, BareUsage } from './bare-sender.ts'
import type { WorkerUsage } from './worker-process.ts'

export interface Stage extends AsyncDisposable {
  app: App
  web: WebProcess
  readWorker(): Promise<WorkerUsage>
  sendBare(load: BareLoad): Promise<BareUsage>
}

export async function openStage({ hosts }: { hosts: number }): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const web = opened.use(await startWeb({ receivers: hosts }))
  const { app, settings } = opened.use(
    await openRigStage({ settings: { SIMULATED: 'web', SIMULATED_WEB: web.setting } }),
  )
  const worker = opened.use(
    await startChild(join(import.meta.dirname, 'worker-process.ts'), { settings: { ...settings, LOG_LEVEL: 'info' } }),
  )
  const { httpsPort, certificateAuthorityFile } = getSimulatedWeb(app)
  const bare = opened.use(
    await startChild(join(import.meta.dirname, 'bare-sender.ts'), {
      arguments: [String(httpsPort), certificateAuthorityFile],
    }),
  )
  const all = opened.move()
  return {
    app,
    web,
    readWorker: () => worker.ask<WorkerUsage>({}),
    sendBare: (load) => bare.ask<BareUsage>(load),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

function getSimulatedWeb({ config }: App) {
  if (!config.simulatedWeb) throw new Error('the web is not simulated')
  return config.simulatedWeb
}

/** A set of accounts, with the companies they watch and the destinations they have. */
export interface Shape {
  /** Two letters that its company numbers begin with. */
  prefix: string
  accounts: number
  destinationsEach: number
  /** Over which their destinations are spread. */
  hosts: number
  companies: number
  /** Accounts that watch each company. */
  watchers: number
}

export interface Subscribers {
  numbers: string[]
  /** Where a signal of a company must arrive. */
  urlsByNumber: Map<string, string[]>
}

export function urlsOf({ urlsByNumber }: Subscribers, number: string): string[] {
  return urlsByNumber.get(number) ?? []
}

export async function subscribe(stage: Stage, shape: Shape, accountIds: string[]): Promise<Subscribers> {
  const registered = await Promise.all(accountIds.map((accountId) => registerAll(stage, shape, accountId)))
  // As those that have received before: a first delivery waits for the first deliveries of others at its host.
  await stage.app.db.query('update webhook_destination set last_success_at = now()')
  await stage.web.learnSecrets(Object.fromEntries(registered.flat()))
  const numbers = Array.from({ length: shape.companies }, (_, index) => shape.prefix + String(index).padStart(6, '0'))
  const watches = numbers.flatMap((number, company) =>
    Array.from({ length: shape.watchers }, (_, step) => ({ number, account: (company + step) % shape.accounts })),
  )
  await watchAll(stage, accountIds, watches)
  const urlsByNumber = new Map(numbers.map((number): [string, string[]] => [number, []]))
  for (const { number, account } of watches) {
    urlsByNumber.get(number)?.push(...(registered[account] ?? []).map(([url]) => url))
  }
  return { numbers, urlsByNumber }
}

let destinations = 0

/** Returns addresses and their secrets. */
async function registerAll({ app }: Stage, shape: Shape, accountId: string): Promise<Array<[string, string]>> {
  const registered: Array<[string, string]> = []
  for (let count = 0; count < shape.destinationsEach; count += 1) {
    const webhookUrl = `https://${receiverHost(destinations % shape.hosts)}/in/${destinations}`
    destinations += 1
    const { secret } = await registerDestination(app, { accountId, mode: 'live', webhookUrl, signalType: 'all' })
    registered.push([webhookUrl, secret])
  }
  return registered
}

/** Writes straight into the tables: a company watched by the API is fetched from the register, which is not simulated here. */
async function watchAll(
  { app }: Stage,
  accountIds: string[],
  watches: ReadonlyArray<{ number: string; account: number }>,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    await tx.query(
      `insert into watchlist (account_id, mode) select account_id, 'live' from unnest($1::text[]) as account_id`,
      [accountIds],
    )
    await tx.query(
      `insert into watch (watchlist_id, company_number, watched_at)
       select watchlist.id, wanted.number, now()
       from unnest($1::text[], $2::text[]) as wanted (account_id, number) join watchlist using (account_id)`,
      [watches.map(({ account }) => accountIds[account]), watches.map(({ number }) => number)],
    )
  })
}
