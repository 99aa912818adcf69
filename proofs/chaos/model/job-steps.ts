/** Commands about jobs: read them, let workers run or die, let time pass and what it starts. */
import { renewPlansJob } from '../../../src/accounts/index.ts'
import { releaseExpiredHoldsJob } from '../../../src/credits/index.ts'
import { addMonthsToDate, toLondonDate } from '../../../src/lib/clock.ts'
import { sweepResolutionsJob } from '../../../src/resolution/index.ts'
import { readOutcome } from './ask-steps.ts'
import { isClosed, isWaiting, outcomeOf, readAs, settleWork, showWebsite } from './rules.ts'
import { MONTHLY_CREDITS } from './sequence.ts'
import type { Stage } from './stage.ts'
import {
  chooseAccount,
  countAnswer,
  DAY,
  HOUR,
  MINUTE,
  type Model,
  type ModelAccount,
  type ModelJob,
  nameOf,
} from './state.ts'
import { expect, expectStatus, type Step } from './step.ts'
import { gardenSite } from './subjects.ts'
import { type Death, dieOver } from './workers.ts'

export const STATUS_ENDPOINTS = ['/v1/enrich/status', '/v1/partner/enrich-company'] as const
const SLOW_TEST_MS = 5_000

/** A job is open to every caller with its id, except at the endpoint for one's own jobs. */
export function readJob(choice: { reader: number; owner: number; index: number; endpoint: 0 | 1 }): Step {
  const endpoint = STATUS_ENDPOINTS[choice.endpoint]
  return {
    kind: `GET ${endpoint}`,
    words: `${nameOf(choice.reader)} reads job ${choice.index} of ${nameOf(choice.owner)} at ${endpoint}`,
    can: (model) => chooseAccount(model, choice.owner).jobs.length > 0,
    run: async (model, stage) => {
      const [reader, owner] = [chooseAccount(model, choice.reader), chooseAccount(model, choice.owner)]
      const job = owner.jobs[choice.index % owner.jobs.length] as ModelJob
      const reply = await stage.call(`${endpoint}/${job.id}`, { key: reader.key })
      const isSecret = choice.endpoint === 1 && (reader !== owner || job.kind === 'company' || job.isTest)
      if (isSecret || job.keptUntil <= model.now) {
        expectStatus('a job that is gone or not theirs', reply, 404)
        return '404'
      }
      expectStatus('a job', reply, 200)
      const shown = reader === owner ? showOwn(model, owner, job) : showShared(model, owner, job)
      const { status, charged, charge_reason: reason } = reply.body
      expect('the job', [status, charged, reason], [shown.status, shown.charged, shown.reason])
      if (status === 'completed' && !job.isTest) expectResult(model, reader === owner ? owner : null, job, reply.body)
      return `${status} ${reason}`
    },
  }
}

type Shown = Pick<ModelJob, 'status' | 'charged' | 'reason'>

function showOwn(model: Model, owner: ModelAccount, job: ModelJob): Shown {
  return isClosed(model, owner, job, { isOwn: true }) ? { ...job, status: 'failed' } : playTest(model, job)
}

/** Without the account's own key, the response hides what the account decided. */
function showShared(model: Model, owner: ModelAccount, job: ModelJob): Shown {
  const isOwnAffair = job.reason === 'refunded' || job.reason === 'own_decision_free'
  if (isClosed(model, owner, job, { isOwn: false })) {
    return { ...job, status: 'failed', ...(isOwnAffair ? { charged: false, reason: 'failed_free' } : {}) }
  }
  if (!isOwnAffair) return playTest(model, job)
  if (job.reason === 'refunded') return { ...job, charged: true, reason: 'matched' }
  return { ...job, reason: sharedReason(model, job) }
}

function sharedReason(model: Model, job: ModelJob): string {
  if (job.kind === 'company') {
    const outcome = job.website ? outcomeOf(job.website) : 'no_match'
    return outcome === 'verified' ? 'already_paid' : `${outcome}_free`
  }
  const { outcome = 'failed' } = model.answers.get(job.resolutionId ?? '') ?? {}
  return outcome === 'matched' ? 'already_paid' : `${outcome}_free`
}

function playTest({ now }: Model, job: ModelJob): Pick<ModelJob, 'status' | 'charged' | 'reason'> {
  if (!job.isTest) return job
  const isOver = now >= job.createdAt + SLOW_TEST_MS
  const status = job.subject === 'failed.test' ? 'failed' : isOver ? 'completed' : 'processing'
  return { status, charged: false, reason: 'test_mode' }
}

// oxlint-disable-next-line typescript/no-explicit-any -- the model says what the body holds
function expectResult(model: Model, viewer: ModelAccount | null, job: ModelJob, body: any): void {
  if (job.kind === 'company') {
    const website = job.website && viewer ? showWebsite(viewer, job.website) : job.website
    const { status = 'not_found', domain = null } = website ?? {}
    expect('the site found', [body.website.status, body.website.domain], [status, domain])
    return
  }
  const answer = model.answers.get(job.resolutionId ?? '')
  if (!answer) throw new Error(`the model has no answer ${job.resolutionId}`)
  const { outcome, number } = answer
  expect('the answer of the job', readOutcome(body), viewer ? readAs(viewer, answer) : { outcome, number })
}

export function loseWorker(kind: 'domain' | 'company', death: Death): Step {
  return {
    kind: 'a worker dies',
    words: `a worker dies over what is asked of every ${kind} (${death})`,
    can: (model) => model.queue.some((job) => job.kind === kind),
    run: async (model, stage) => {
      const before = model.queue.length
      await dieOver(model, stage, kind, death)
      return model.queue.length < before ? `${death}, dead letter` : death
    },
  }
}

export const SPANS: Record<string, number> = {
  '20 minutes': 20 * MINUTE,
  '70 minutes': 70 * MINUTE,
  '25 hours': 25 * HOUR,
  '8 days': 8 * DAY,
  '31 days': 31 * DAY,
}

export function letPass(span: string): Step {
  return {
    kind: 'time passes',
    words: `${span} pass`,
    run: async (model, stage) => {
      model.now += SPANS[span] ?? 0
      stage.setTime(model.now)
      return span
    },
  }
}

/** Work whose time is over is given up on: no account pays. Jobs of long ago are deleted. */
export const SWEEP_WORK: Step = {
  kind: 'sweep of work',
  words: 'overdue work is swept',
  run: async (model, stage) => {
    await stage.runOnce(sweepResolutionsJob)
    const overdue = [...model.works].filter(([, { deadlineAt }]) => deadlineAt <= model.now)
    for (const [key] of overdue) {
      const [kind, subject = ''] = key.split(' ')
      settleWork(model, { kind: kind === 'company' ? 'company' : 'domain', subject }, null)
    }
    for (const account of model.accounts) {
      account.jobs = account.jobs.filter(({ keptUntil }) => keptUntil > model.now)
    }
    return overdue.length > 0 ? 'gave up' : 'nothing overdue'
  },
}

const HOLD_MS = 31 * DAY

export const SWEEP_HOLDS: Step = {
  kind: 'sweep of holds',
  words: 'expired holds are swept',
  run: async (model, stage) => {
    await stage.runOnce(releaseExpiredHoldsJob)
    let released = 0
    for (const account of model.accounts) {
      for (const job of account.jobs) {
        if (job.hold !== 'held' || job.createdAt + HOLD_MS > model.now) continue
        job.hold = 'expired'
        for (const other of account.jobs) {
          if (other.hold === 'shared' && isWaiting(other, job)) other.hold = 'expired'
        }
        countAnswer(account, 'expired')
        released += 1
      }
    }
    return released > 0 ? 'released' : 'nothing expired'
  },
}

export const RENEW_PLANS: Step = {
  kind: 'renewal of plans',
  words: 'plans are renewed',
  run: async (model, stage) => {
    await stage.runOnce(renewPlansJob)
    const today = toLondonDate(new Date(model.now))
    let months = 0
    for (const account of model.accounts) {
      while (account.renewsOn !== null && account.renewsOn <= today) {
        account.balance += MONTHLY_CREDITS
        account.renewsOn = addMonthsToDate(account.renewsOn, 1)
        months += 1
      }
    }
    return months > 0 ? 'granted' : 'not due'
  },
}

/** A site stops naming its company, or does so again. */
export function changeSite(site: number): Step {
  return {
    kind: 'a site changes',
    words: `site ${site} stops naming its company, or names it again`,
    can: (model) => model.sites[site]?.own.outcome === 'matched',
    run: async (model: Model, { web }: Stage) => {
      const one = model.sites[site]
      if (!one) throw new Error(`there is no site ${site}`)
      const isOwn = one.number !== null
      one.outcome = isOwn ? 'no_match' : one.own.outcome
      one.number = isOwn ? null : one.own.number
      one.read = isOwn ? null : one.own.read
      web.setSite(one.domain, isOwn ? gardenSite() : one.own.site)
      return isOwn ? 'names nobody' : 'names its company'
    },
  }
}
