/** Commands about lists of domains, and the workers that go through them. */
import { feedBulkJob } from '../../../src/bulk/index.ts'
import { resolveDomainJob } from '../../../src/resolution/index.ts'
import { isFactPaid, isPaid } from './charge-rules.ts'
import { addJob, askDomain, factOf, readAs, settleWork } from './rules.ts'
import type { Stage } from './stage.ts'
import {
  availableTo,
  chooseAccount,
  DAY,
  keyOf,
  type Model,
  type ModelAccount,
  type ModelAnswer,
  type ModelBulk,
  type ModelRow,
  nameOf,
} from './state.ts'
import { expect, expectStatus, type Step } from './step.ts'
import { isReaderAsked, readSite, workOff } from './workers.ts'

const PATH = '/v1/bulk'
const KEPT_DAYS = 30

/** Two of each list are no questions: one repeats the first row, one is no domain. */
function toInputs({ sites }: Model, indexes: readonly number[]): string[] {
  const domains = indexes.map((index) => sites[index]?.domain ?? '')
  return [...domains, `https://www.${domains[0]}/`, 'not a domain']
}

function toRows(model: Model, indexes: readonly number[]): ModelRow[] {
  const asked = indexes.map((index) => ({ domain: model.sites[index]?.domain ?? '', state: 'waiting', charged: false }))
  const others = ['duplicate', 'invalid'].map((state) => ({ domain: null, state, charged: false }))
  return [...asked, ...others]
}

function runningBulk({ accounts }: Model): { owner: ModelAccount; bulk: ModelBulk } | null {
  for (const owner of accounts) {
    const bulk = owner.bulkJobs.find(({ status }) => status === 'running')
    if (bulk) return { owner, bulk }
  }
  return null
}

function isOwned(model: Model, owner: ModelAccount, index: number): boolean {
  const { domain = '' } = model.sites[index] ?? {}
  const known = findFresh(model, index)
  const fact = known && factOf(known)
  return isPaid(owner, { kind: 'domain', subject: domain }, model.now) || isFactPaid(owner, fact, model.now)
}

function findFresh(model: Model, index: number): ModelAnswer | null {
  const known = model.known.get(model.sites[index]?.domain ?? '')
  return known && known.expiresAt > model.now ? known : null
}

function isKnownFree(model: Model, index: number): boolean {
  return findFresh(model, index)?.number === null
}

function maxCost(model: Model, owner: ModelAccount, indexes: readonly number[]): number {
  return indexes.filter((index) => !isOwned(model, owner, index) && !isKnownFree(model, index)).length
}

export function preflight(account: number, indexes: readonly number[]): Step {
  return {
    kind: 'POST /v1/bulk?preflight',
    words: `${nameOf(account)} asks what a bulk of sites ${indexes.join(' ')} would cost`,
    run: async (model, stage) => {
      const owner = chooseAccount(model, account)
      const body = { domains: toInputs(model, indexes) }
      const reply = await stage.call(`${PATH}?preflight=true`, { key: owner.key, body })
      expectStatus('a preflight', reply, 200)
      const known = indexes.filter((index) => findFresh(model, index) !== null)
      const most = maxCost(model, owner, indexes)
      const { examples: _, ...said } = reply.body
      expect('the preflight', said, {
        rows: indexes.length + 2,
        unique_domains: indexes.length,
        duplicates: 1,
        invalid: 1,
        free_mail: 0,
        numbers: 0,
        names: 0,
        empty: 0,
        already_known: known.length,
        already_paid: indexes.filter((index) => isOwned(model, owner, index)).length,
        credits_max: most,
        credits_available: availableTo(owner),
        enough_credits: availableTo(owner) >= most,
      })
      return said.enough_credits ? 'enough credits' : 'too few credits'
    },
  }
}

/** One at a time, so that what its rows find is not known by another's. */
export function sendBulk(account: number, indexes: readonly number[]): Step {
  return {
    kind: 'POST /v1/bulk',
    words: `${nameOf(account)} sends a bulk of sites ${indexes.join(' ')}`,
    can: (model) => runningBulk(model) === null,
    run: async (model, stage) => {
      const owner = chooseAccount(model, account)
      const reply = await stage.call(PATH, { key: owner.key, body: { domains: toInputs(model, indexes) } })
      if (maxCost(model, owner, indexes) > 0 && availableTo(owner) < 1) {
        expectStatus('a bulk without credits', reply, 402)
        return '402'
      }
      expectStatus('a bulk', reply, 202)
      const forgottenAt = model.now + KEPT_DAYS * DAY
      const bulk: ModelBulk = { id: reply.body.id, status: 'running', rows: toRows(model, indexes), forgottenAt }
      owner.bulkJobs.push(bulk)
      model.feeds += 1
      expectBulk(reply.body, owner, bulk)
      return 'sent'
    },
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- the model says what the body holds
function expectBulk(body: any, owner: ModelAccount, bulk: ModelBulk): void {
  const counts = Object.entries(body.counts as Record<string, number>).filter(
    ([state, count]) => count > 0 && state !== 'total',
  )
  const believed = Map.groupBy(bulk.rows, (row) => stateNow(owner, row))
  expect('the status of the bulk', body.status, bulk.status)
  expect('its rows', counts.sort(byName), [...believed].map(([state, rows]) => [state, rows.length]).sort(byName))
  const spent = bulk.rows.filter(
    ({ charged, domain, number }) => charged && !owner.refunded.has(keyOf(domain ?? '', number ?? '')),
  )
  expect('what it spent', body.credits_spent, spent.length)
}

/** A row that needed review counts as what its account decided. */
function stateNow(owner: ModelAccount, { state, domain }: ModelRow): string {
  const override = state === 'needs_review' ? (owner.reviews.get(domain ?? '')?.override ?? null) : null
  if (override === null) return state
  return override.number === null ? 'no_match' : 'matched'
}

const byName = ([one]: unknown[], [other]: unknown[]) => String(one).localeCompare(String(other))

type Act = 'read' | 'cancel' | 'resume'

export function attendBulk(account: number, index: number, act: Act): Step {
  return {
    kind: `${act} a bulk`,
    words: `${nameOf(account)} ${act}s its bulk ${index}`,
    can: (model) =>
      chooseAccount(model, account).bulkJobs.length > 0 && (act !== 'resume' || runningBulk(model) === null),
    run: async (model, stage) => {
      const owner = chooseAccount(model, account)
      const bulk = owner.bulkJobs[index % owner.bulkJobs.length] as ModelBulk
      const path = `${PATH}/${bulk.id}${act === 'read' ? '' : `/${act}`}`
      const reply = await stage.call(path, { key: owner.key, method: act === 'read' ? 'GET' : 'POST' })
      if (isForgotten(model, bulk)) {
        expectStatus('a bulk of long ago', reply, 404)
        return '404'
      }
      if (act === 'resume' && !resume(model, owner, bulk)) {
        expectStatus('a bulk without credits', reply, 402)
        return '402'
      }
      if (act === 'cancel') cancel(bulk)
      expectStatus('a bulk', reply, 200)
      expectBulk(reply.body, owner, bulk)
      return bulk.status
    },
  }
}

const isForgotten = ({ now }: Model, { forgottenAt }: ModelBulk) => forgottenAt <= now

function cancel(bulk: ModelBulk): void {
  if (bulk.status !== 'running' && bulk.status !== 'paused') return
  bulk.status = 'cancelled'
  for (const row of bulk.rows) if (row.state === 'waiting') row.state = 'cancelled'
}

/** False when there is no credit to begin with. */
function resume(model: Model, owner: ModelAccount, bulk: ModelBulk): boolean {
  const open = bulk.rows.filter(({ state }) => ['waiting', 'cancelled', 'failed'].includes(state))
  if (bulk.status === 'running' || open.length === 0) return true
  if (availableTo(owner) < 1) return false
  for (const row of open) row.state = 'waiting'
  bulk.status = 'running'
  model.feeds += 1
  return true
}

/** Workers run until there is nothing left for them. A bulk job waits while work is under way that no worker will end. */
export const WORK: Step = {
  kind: 'workers run',
  words: 'workers run until all is done',
  can: ({ queue, feeds }) => queue.length + feeds > 0,
  run: async (model, stage) => {
    await workOff(model, stage)
    if (model.feeds > 0 && model.works.size === 0) await workBulkJobs(model, stage)
    return model.works.size > 0 ? 'some is stuck' : 'all done'
  },
}

interface RealRow {
  row: number
  state: string
  charged: boolean
  charge_reason: string | null
  company_number: string | null
  job_id: string | null
  has_hold: boolean
}

async function workBulkJobs(model: Model, stage: Stage): Promise<void> {
  const running = runningBulk(model)
  await stage.work([feedBulkJob, resolveDomainJob])
  model.feeds = 0
  if (!running) return
  const { owner, bulk } = running
  const hadEnough = availableTo(owner) >= bulk.rows.filter(({ state }) => state === 'waiting').length
  const real = await stage.app.db.query<RealRow>(
    `select bulk_row.row, state, bulk_row.charged, bulk_row.charge_reason, company_number, job_id,
       job.hold_id is not null as has_hold
     from bulk_row left join resolution_job job on job.id = job_id where bulk_id = $1 order by bulk_row.row`,
    [bulk.id],
  )
  for (const row of real) await followRow(model, stage, running, row)
  const isWaiting = bulk.rows.some(({ state }) => state === 'waiting')
  bulk.status = isWaiting ? 'paused' : 'completed'
  if (isWaiting) expect('why rows wait', [hadEnough, availableTo(owner)], [false, 0])
}

/** Which rows there were credits for is the service's choice; what each comes to and costs is not. */
async function followRow(
  model: Model,
  stage: Stage,
  { owner, bulk }: { owner: ModelAccount; bulk: ModelBulk },
  real: RealRow,
): Promise<void> {
  const row = bulk.rows[real.row - 1]
  if (row?.state !== 'waiting' || row.domain === null || real.state === 'waiting') return
  const { domain } = row
  let asked = askDomain(model, owner, { domain, ignoresCredits: true })
  if (asked.kind === 'queued') {
    const hold = real.has_hold ? 'held' : 'none'
    const job = addJob(model, owner, { id: real.job_id ?? '', kind: 'domain', subject: domain, hold })
    model.queue = model.queue.filter(({ subject }) => subject !== domain)
    const work = { kind: 'domain', subject: domain } as const
    const answer = await readSite(model, stage, domain, isReaderAsked(model, work))
    settleWork(model, work, answer)
    asked = {
      kind: 'known',
      ...readAs(owner, answer),
      charged: job.charged,
      reason: job.reason,
    }
  }
  if (asked.kind !== 'known') throw new Error(`row ${real.row} was refused`)
  const { state, charged, charge_reason: reason, company_number: number } = real
  expect(
    `row ${real.row}, ${domain}`,
    { state, number, charged, reason },
    { state: asked.outcome, number: asked.number, charged: asked.charged, reason: asked.reason },
  )
  Object.assign(row, { state, charged, number })
}
