/** A number of each thing that customers and the register make the service do, and nothing else meanwhile. */
import type { OpenedAccount } from '../../../rig/accounts.ts'
import { expectRight, type PlannedRequest, Sender, sendInTurn } from '../../../rig/load.ts'
import type { Program } from '../../../rig/program.ts'
import type { WorldStage } from '../../../rig/stage.ts'
import { until } from '../../../rig/until.ts'
import { receiverHost } from '../../../rig/web-process.ts'
import { applyCompanies } from '../../../src/register/apply-companies.ts'
import { COMPANY_COLUMNS, type CompanyRow, toCompany } from '../../../src/register/company.ts'
import { recordSignalsJob } from '../../../src/signals/jobs.ts'
import { registerDestination } from '../../../src/webhooks/index.ts'

export interface UnitsStage extends WorldStage {
  api: Program
  worker: Program
}

const AT_ONCE = 12
const WAIT_SECONDS = 50
const SUCCESSES = [200, 201, 202]

export interface Asked {
  method: 'GET' | 'POST'
  path: string
  key: string
  body?: object
}

/** Sends requests over a few kept connections; throws unless all succeed. */
export async function ask(stage: UnitsStage, requests: readonly Asked[]): Promise<void> {
  await using sender = new Sender([stage.api.url], AT_ONCE)
  const queue = requests.values()
  const draw = (): PlannedRequest => {
    const { method, path, key, body } = queue.next().value as Asked
    const headers = { 'x-api-key': key, 'content-type': 'application/json', prefer: `wait=${WAIT_SECONDS}` }
    return { method, path, headers, accepts: SUCCESSES, ...(body ? { body: JSON.stringify(body) } : {}) }
  }
  expectRight(await sendInTurn(sender, draw, { customers: AT_ONCE, requestsMax: requests.length }))
}

/** Changes the status of these companies in the register. The worker does what follows from it. */
export async function changeCompanies({ app }: UnitsStage, numbers: readonly string[], round: number): Promise<void> {
  const rows = await app.db.query<CompanyRow>(`select ${COMPANY_COLUMNS} from company where number = any ($1)`, [
    numbers,
  ])
  const status = round % 2 === 0 ? 'liquidation' : 'active'
  const incoming = rows.map((row) => ({ facts: { ...toCompany(row), status }, rowHash: null, timepoint: 0 }))
  const change = { source: 'stream', reference: `units ${round}`, at: app.clock.now(), isStale: () => false } as const
  await app.db.transaction((tx) => applyCompanies(tx, incoming, change))
}

/** Waits until the worker has recorded all changes as signals, and delivered them. */
export async function recordChanges({ app }: UnitsStage): Promise<void> {
  await app.db.transaction((tx) => app.jobs.enqueue(tx, recordSignalsJob, {}))
  for (const waiting of [
    'register_change',
    `webhook_delivery where state = 'pending'`,
    'webhook_destination where drained_until is not null',
  ]) {
    const isEmpty = async () => (await app.db.query(`select from ${waiting} limit 1`)).length === 0
    await until(isEmpty, `${waiting} does not become empty`, { everyMs: 10 })
  }
}

export async function addReceivers({ app }: UnitsStage, accounts: readonly OpenedAccount[]): Promise<void> {
  for (const [index, { id }] of accounts.entries()) {
    const webhookUrl = `https://${receiverHost(0)}/in/${index}`
    await registerDestination(app, { accountId: id, mode: 'live', webhookUrl, signalType: 'all' })
  }
  // As those that have received before: a first delivery waits for the first deliveries of others at its host.
  await app.db.query('update webhook_destination set last_success_at = now()')
}
