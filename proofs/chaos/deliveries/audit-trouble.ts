/** Checks the end of destinations in trouble, and each attempt at any. */
import type { Mailbox } from '../../../rig/mailbox.ts'
import type { NewSignal } from '../../../src/signals/index.ts'
import type { Customer } from './customers.ts'
import type { ChaosDestination } from './destinations.ts'
import type { Fate, StoredDelivery } from './evidence.ts'

export interface Run {
  planned: readonly NewSignal[]
  customers: readonly Customer[]
  destinations: readonly ChaosDestination[]
  /** Kills and restarts: each may leave something sent and not recorded. */
  interruptions: number
  /** A short run has too few deliveries for a share of them to mean anything: there each interruption has a bound. */
  isShort: boolean
}

/** One promise, with the problems that speak against it: none when it was kept. */
export interface Check {
  promise: string
  figures: string
  problems: string[]
}

const IN_FLIGHT_MAX = 5

/** Destinations that are in trouble for a while, or respond oddly, have accepted everything in the end. */
export function checkRecovered(fates: readonly Fate[]): Check {
  const recovering = fates.filter(({ destination }) => destination.trouble?.end === 'accepts')
  const problems = recovering.flatMap(({ destination, wanted, deliveries, status }) => {
    const { trouble, host, arrivals } = destination
    const needed = 1 + (trouble?.refusals ?? 0)
    const missing = wanted.filter(
      ({ id }) => arrivals.countOf(id) < needed || deliveries.get(id)?.state !== 'delivered',
    )
    const who = `${host} (${trouble?.name})`
    const lost = missing.length === 0 ? [] : [`${who} accepted ${wanted.length - missing.length} of ${wanted.length}`]
    return status === 'active' ? lost : [...lost, `${who} is ${status}`]
  })
  const names = recovering.map(({ destination }) => destination.trouble?.name).join(', ')
  return { promise: 'recovering ones accepted everything', figures: names, problems }
}

/** Permanent trouble ends with a disabled destination, its events kept as missed, and one e-mail to its owner. */
export function checkEndings(fates: readonly Fate[], run: Run, mailbox: Mailbox): Check[] {
  const ending = fates.filter(({ destination }) => destination.trouble && destination.trouble.end !== 'accepts')
  const mails = ending.map((fate) => ({ fate, ids: mailIds(fate, mailbox) }))
  const repeated = mails.reduce((sum, { ids }) => sum + ids.length - new Set(ids).size, 0)
  return [
    {
      promise: 'failing ones are disabled, events missed',
      figures: `${ending.length} destinations`,
      problems: ending.flatMap((fate) => findWrongEnding(fate, run)),
    },
    {
      promise: 'one e-mail for each disabled',
      figures: `${mails.length}, ${repeated} repeated with the same id`,
      problems: mails.flatMap(({ fate, ids }) =>
        new Set(ids).size === 1 ? [] : [`${fate.destination.host}: ${new Set(ids).size} e-mails`],
      ),
    },
  ]
}

function findWrongEnding({ destination, status, deliveries }: Fate, run: Run): string[] {
  const { trouble, host, arrivals } = destination
  const who = `${host} (${trouble?.name})`
  const ended = new Set<StoredDelivery['state']>(trouble?.end === 'gone' ? ['missed'] : ['missed', 'failed'])
  const other = deliveries
    .values()
    .filter(({ state }) => !ended.has(state))
    .toArray()
  const isLast = trouble?.end !== 'gone' || arrivals.requests <= IN_FLIGHT_MAX * (1 + run.interruptions)
  return [
    ...(status === trouble?.end ? [] : [`${who} is ${status}, not ${trouble?.end}`]),
    ...(other.length === 0 ? [] : [`${who} has ${other.length} deliveries that are ${other[0]?.state}`]),
    ...(isLast ? [] : [`${who} was sent ${arrivals.requests} requests after it was gone`]),
  ]
}

function mailIds({ destination }: Fate, mailbox: Mailbox): string[] {
  const subject = `Nameplate stopped sending to ${destination.host}`
  return mailbox
    .mailsTo(destination.customer.email)
    .filter((mail) => mail.subject === subject)
    .map(({ messageId }) => messageId)
}

/** Every attempt is in the log once, but for those under way when their worker died: those are made again. */
export function checkLog(fates: readonly Fate[], run: Run, attemptsMax: number): Check {
  let attempts = 0
  let unrecorded = 0
  const problems = fates.flatMap(({ destination, deliveries }) => {
    const who = `${destination.host} (${destination.trouble?.name ?? 'well'})`
    const all = [...deliveries.values()]
    const logged = all.reduce((sum, delivery) => sum + delivery.logged.length, 0)
    const lost = Math.max(0, destination.receiver.arrived - logged)
    attempts += logged
    unrecorded += lost
    const wrong = all.filter(({ attempts, logged }) => logged.join() !== countTo(attempts).join())
    const most = all.reduce((max, delivery) => Math.max(max, delivery.attempts), 0)
    return [
      ...(wrong.length === 0
        ? []
        : [`${who}: ${wrong.length} deliveries whose log is not their attempts, ${wrong[0]?.logged.join()}`]),
      ...(most <= attemptsMax ? [] : [`${who}: ${most} attempts at one delivery`]),
      ...(destination.arrivals.countMax <= attemptsMax + run.interruptions ? [] : [`${who}: too many of one event`]),
      ...(lost <= run.interruptions * IN_FLIGHT_MAX ? [] : [`${who}: ${lost} requests that are not in the log`]),
    ]
  })
  return {
    promise: 'each attempt is in the log, bounded',
    figures: `${attempts}, ${unrecorded} unrecorded at a death`,
    problems,
  }
}

function countTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1)
}
