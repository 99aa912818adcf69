/** A number of each thing that customers and the register make the service do, and nothing else meanwhile. */
import { Pool } from 'undici'
import type { OpenedAccount } from '../../../rig/accounts.ts'
import { applyCompanies } from '../../../src/register/apply-companies.ts'
import { COMPANY_COLUMNS, type CompanyRow, toCompany } from '../../../src/register/company.ts'
import { recordSignalsJob } from '../../../src/signals/jobs.ts'
import { registerDestination } from '../../../src/webhooks/index.ts'
import { untilNot } from '../fanout/stage.ts'
import type { UnitsStage } from './stage.ts'
import { RECEIVER_URL } from './web-process.ts'

const AT_ONCE = 12
const WAIT_SECONDS = 50

export interface Asked {
  method: 'GET' | 'POST'
  path: string
  key: string
  body?: object
}

/** Sends requests over a few kept connections. All must be answered with a 2xx. */
export async function ask(stage: UnitsStage, requests: readonly Asked[]): Promise<void> {
  const pool = new Pool(stage.api.url, { connections: AT_ONCE, pipelining: 1 })
  let next = 0
  const send = async () => {
    while (next < requests.length) {
      const { method, path, key, body } = requests[next++] as Asked
      const headers = { 'x-api-key': key, 'content-type': 'application/json', prefer: `wait=${WAIT_SECONDS}` }
      const answer = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, send))
  } finally {
    await pool.destroy()
  }
}

/** The register says something else of these companies than before. What comes of it is left to the worker. */
export async function changeCompanies({ app }: UnitsStage, numbers: readonly string[], round: number): Promise<void> {
  const rows = await app.db.query<CompanyRow>(`select ${COMPANY_COLUMNS} from company where number = any ($1)`, [
    numbers,
  ])
  const status = round % 2 === 0 ? 'liquidation' : 'active'
  const incoming = rows.map((row) => ({ facts: { ...toCompany(row), status }, rowHash: null, timepoint: 0 }))
  await app.db.transaction((tx) =>
    applyCompanies(tx, incoming, {
      source: 'stream',
      reference: `units ${round}`,
      at: app.clock.now(),
      isStale: () => false,
    }),
  )
}

/** The worker tells all that has changed, and delivers it. */
export async function tellChanges({ app }: UnitsStage): Promise<void> {
  await app.db.transaction((tx) => app.jobs.enqueue(tx, recordSignalsJob, {}))
  for (const waiting of [
    'register_change',
    `webhook_delivery where state = 'pending'`,
    'webhook_destination where drained_until is not null',
  ]) {
    await untilNot(async () => (await app.db.query(`select from ${waiting} limit 1`)).length > 0)
  }
}

export async function addReceivers({ app }: UnitsStage, accounts: readonly OpenedAccount[]): Promise<void> {
  for (const [place, { id }] of accounts.entries()) {
    const webhookUrl = `${RECEIVER_URL}/${place}`
    await registerDestination(app, { accountId: id, mode: 'live', webhookUrl, signalType: 'all' })
  }
  // As those that have received before: a first delivery waits for the first deliveries of others at its host.
  await app.db.query('update webhook_destination set last_success_at = now()')
}
