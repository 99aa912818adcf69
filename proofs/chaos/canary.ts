/**
 * Separation of owners: a canary in every field that each account and mode can write, then every operation of every entry
 * point as every other account. No canary may be shown to another than its owner, by response, e-mail, webhook or log.
 * With `--plant <name>` a condition is taken out of a copy of the sources, and the run must find leaks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { Canaries, describeCanary, type Leak, mayHolderSee, type World } from './canary/canaries.ts'
import { FAULTS, plantFault } from './canary/faults.ts'
import { openObservers } from './canary/observers.ts'
import { type Planted, plantEverything } from './canary/plant.ts'
import { type CanaryStage, openCanaryStage } from './canary/stage.ts'
import { repeatAs, type Walk, walkAs } from './canary/walk.ts'

/** For e-mails and deliveries that are still on their way. */
const SETTLE_MS = 4_000
const SHOWN_MAX = 40

export const chaosCanary: NamedRun = {
  about:
    'a canary in every field of each account and mode, every request as every other account: none is shown [--plant NAME]',
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const { say } = options
  const wanted = options.given.plant ?? null
  const clean = wanted === null ? await runOnce(null) : null
  for (const leak of clean?.leaks.slice(0, SHOWN_MAX) ?? []) say(`${leak.observer} | ${leak.operation} | ${leak.what}`)
  const names = wanted !== null ? [wanted] : options.short ? [] : Object.keys(FAULTS)
  const missed: string[] = []
  for (const name of names) {
    const { leaks } = await runOnce(name)
    say(`planted ${name}: ${leaks.length} leaks${leaks[0] ? `, first: ${leaks[0].operation} | ${leaks[0].what}` : ''}`)
    if (leaks.length === 0) missed.push(name)
  }
  const figures = clean ? { ...clean, leaks: clean.leaks.length } : {}
  return {
    ...figures,
    planted_faults: names.length,
    planted_faults_missed: missed,
    ok: (clean === null || isWhole(clean)) && missed.length === 0,
  }
}

/** Returns whether there were no leaks, and enough was searched to say so. */
function isWhole({ leaks, limited, ...found }: Found): boolean {
  const searched = [found.answered, found.mails, found.deliveries, found.channel_messages, found.log_lines]
  return leaks.length === 0 && limited === 0 && Math.min(...searched) > 0
}

type Found = Awaited<ReturnType<typeof walkAll>>

async function runOnce(fault: string | null): Promise<Found> {
  using planted = fault === null ? null : plantFault(fault)
  // Awaited, so that the copy outlives the processes that run from it.
  return await walkAll(planted?.root ?? null)
}

async function walkAll(root: string | null) {
  const canaries = new Canaries()
  await using stage = await openCanaryStage(canaries, root)
  const planted = await plantEverything(stage, canaries)
  const observers = await openObservers(stage, canaries)
  const walk: Walk = { operations: new Set(), requests: 0, answered: 0, limited: 0, leaks: [] }
  const scene = { stage, canaries, planted, walk }
  await Promise.all(observers.map((observer) => walkAs(observer, scene)))
  await sleep(SETTLE_MS)
  const received = [...searchMail(stage, canaries), ...searchWebhooks(planted, canaries)]
  // Afterwards, since what an observer repeats becomes its own: one for each world, or it would meet itself.
  const firstOfWorld = observers.filter(
    ({ world }, index) => world === null || observers.findIndex((one) => isSameWorld(one.world, world)) === index,
  )
  await Promise.all(firstOfWorld.map((observer) => repeatAs(observer, scene)))
  const leaks = [...walk.leaks, ...received, ...searchLog(stage, canaries)]
  const { operations, ...counted } = walk
  return {
    ...counted,
    operations: operations.size,
    observers: observers.length,
    canaries: canaries.count,
    mails: stage.people.flatMap(({ email }) => stage.mailbox.mailsTo(email)).length,
    deliveries: planted.reduce((sum, { receiver }) => sum + receiver.received.length, 0),
    channel_messages: planted.reduce((sum, owner) => sum + owner.channelMessages().length, 0),
    log_lines: stage.logText().split('\n').length,
    leaks,
  }
}

function isSameWorld(one: World | null, other: World): boolean {
  return one?.account === other.account && one.mode === other.mode
}

function searchMail({ mailbox, people }: CanaryStage, canaries: Canaries): Leak[] {
  return people.flatMap(({ name, email }) => {
    const may = mayHolderSee({ account: name, mode: 'both' })
    const text = JSON.stringify(mailbox.mailsTo(email))
    return canaries
      .find(text, may)
      .map((canary) => ({ observer: `${name}, mailbox`, operation: 'e-mail', what: describeCanary(canary) }))
  })
}

function searchWebhooks(planted: readonly Planted[], canaries: Canaries): Leak[] {
  return planted.flatMap((owner) => {
    const { world, receiver } = owner
    const delivered = receiver.received.map(({ headers, body }) => `${JSON.stringify(headers)} ${body}`)
    const text = [...delivered, ...owner.channelMessages()].join('\n')
    const observer = `${world.account}, ${world.mode} receiver`
    const found = canaries.find(text, mayHolderSee(world)).map(describeCanary)
    const isForeign = receiver.received.some(({ body }) => /"TS00000\d"/.test(body) !== (world.mode === 'test'))
    return [...found, ...(isForeign ? ['an event of the other mode'] : [])].map((what) => ({
      observer,
      operation: 'webhook',
      what,
    }))
  })
}

function searchLog(stage: CanaryStage, canaries: Canaries): Leak[] {
  const found = canaries.find(stage.logText(), ({ inLog }) => inLog)
  return found.map((canary) => ({ observer: 'operator', operation: 'log', what: describeCanary(canary) }))
}
