/** Goes through everything that was acknowledged and everything that is left behind. */
import { isSoInTime } from '../../../rig/until.ts'
import type { App } from '../../../src/app.ts'
import { compareSignals, untilCaughtUp } from '../follow/register.ts'
import { type Acknowledged, untilEnded } from '../resolution/asking.ts'
import { auditRun } from '../resolution/audit.ts'
import type { Load } from './load.ts'
import type { Probe } from './probe.ts'
import type { Stage } from './stage.ts'

const QUIET_MS = 150_000

export type Audit = Awaited<ReturnType<typeof auditAll>>

/** Waits until the service has done all that was requested. */
export async function untilQuiet({ app, house }: Stage): Promise<void> {
  await untilCaughtUp(app, house)
  await untilEnded(app)
  const isQuiet = async () => {
    const [left] = await app.db.query<{ changes: number; deliveries: number }>(
      `select (select count(*) from register_change) as changes,
         (select count(*) from webhook_delivery where state = 'pending') as deliveries`,
    )
    return left?.changes === 0 && left.deliveries === 0
  }
  await isSoInTime(isQuiet, { timeoutMs: QUIET_MS, everyMs: 250 })
}

export async function auditAll(stage: Stage, load: Load, probe: Probe) {
  const { app, accounts, listeners } = stage
  const { jobs, watches, destinations } = load.acknowledged
  const missing = [
    ...(await probe.findMissing()).map((id) => `row ${id} of the probe`),
    ...(await findMissingWatches(app, watches)),
    ...(await findMissingDestinations(app, destinations)),
  ]
  const run = { accounts, sites: load.sites, acknowledged: await correctCharges(app, jobs) }
  const { problems, givenUp } = await auditRun(app.db, run)
  const isLost = (problem: string) => / is gone$| is still /.test(problem)
  const isTwice = (problem: string) => /was charged \d+ times$|was settled twice$/.test(problem)
  const signals = await compareSignals(app, stage.changes.expected)
  const raised = await app.db.query<{ id: string }>(`select 'sig_' || id as id from signal`)
  const undelivered = listeners.flatMap(({ host, arrivals }) =>
    raised.filter(({ id }) => arrivals.countOf(id) === 0).map(({ id }) => `${id} did not reach ${host}`),
  )
  const arrived = listeners.reduce((sum, { arrivals }) => sum + arrivals.signals, 0)
  return {
    checked: probe.acknowledged.length + jobs.length + watches.length + destinations.length,
    missing: [...missing, ...problems.filter((problem) => problem.endsWith(' is gone'))],
    jobsLost: problems.filter(isLost),
    jobsGivenUp: givenUp,
    doubleCharges: problems.filter(isTwice),
    ledgerProblems: problems.filter((problem) => !isLost(problem) && !isTwice(problem)),
    eventsLost: [
      ...undelivered,
      ...(signals.signals_missing + signals.signals_twice > 0 ? signals.examples : []),
      ...listeners.flatMap(({ receiver }) => receiver.problems),
    ],
    signals: raised.length,
    deliveries: arrived,
    duplicates: listeners.reduce((sum, { arrivals }) => sum + arrivals.requests, 0) - arrived,
  }
}

/**
 * An answer at once may have been charged in a try whose response was lost; the try that succeeded then says that nothing
 * was charged. The payment is what counts.
 */
async function correctCharges({ db }: App, acknowledged: readonly Acknowledged[]): Promise<Acknowledged[]> {
  const rows = await db.query<{ who: string }>(
    `select paid.account_id || ' ' || paid.subject as who from paid_subject paid
     where paid.kind = 'domain' and not exists (
       select from resolution_job job
       where job.account_id = paid.account_id and job.subject = paid.subject and job.charged
     )`,
  )
  const paidAtOnce = new Set(rows.map(({ who }) => who))
  return acknowledged.map((each) =>
    each.jobId === null ? { ...each, charged: paidAtOnce.has(`${each.account.id} ${each.domain}`) } : each,
  )
}

async function findMissingWatches({ db }: App, watches: Load['acknowledged']['watches']): Promise<string[]> {
  const rows = await db.query<{ who: string }>(
    `select account_id || ' ' || company_number as who from watch join watchlist on watchlist.id = watchlist_id`,
  )
  const present = new Set(rows.map(({ who }) => who))
  return watches
    .map(({ account, companyNumber }) => `${account.id} ${companyNumber}`)
    .filter((who) => !present.has(who))
    .map((who) => `the watch ${who}`)
}

async function findMissingDestinations({ db }: App, ids: readonly number[]): Promise<string[]> {
  const rows = await db.query<{ id: number }>('select id from webhook_destination')
  const present = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !present.has(id)).map((id) => `destination ${id}`)
}
