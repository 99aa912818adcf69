/** Measures each part of the mix by itself: the cost of one request, without what the service uses when idle. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Sent, sendInTurn } from '../../../rig/load.ts'
import { round } from '../../../rig/statistics.ts'
import { drawPart, PARTS, type Part } from './parts.ts'
import { untilQuiet } from './queue.ts'
import { type Stage, WATCHERS_EACH } from './stage.ts'
import { type Role, readUsage, type Usage } from './usage.ts'

export interface Cost {
  name: string
  api: number
  worker: number
  postgres: number
}

export interface Alone {
  /** For a second without requests. */
  idle: Cost
  /** For a request. */
  parts: Cost[]
  errors: number
}

const CUSTOMERS = 4
const WARM_UP_MS = 500
const MEASURED_MS = 2_500
const IDLE_MS = 4_000
const QUIET_MS_MAX = 30_000
const CHANGES = 100

type CostRole = 'api' | 'worker' | 'postgres'

export async function measureAlone(stage: Stage, say: (line: string) => void): Promise<Alone> {
  await untilQuiet(stage.app, QUIET_MS_MAX)
  const idleFrom = readUsage(stage.processes)
  await sleep(IDLE_MS)
  const idle = difference(stage, idleFrom, readUsage(stage.processes))
  const idleRate = (role: CostRole) => idle.cpuMs(role) / idle.seconds
  const parts: Cost[] = []
  let errors = 0
  const take = async (name: string, work: () => Promise<number>) => {
    const before = readUsage(stage.processes)
    const count = await work()
    const taken = difference(stage, before, readUsage(stage.processes))
    const each = (role: CostRole) =>
      round(Math.max(0, taken.cpuMs(role) - idleRate(role) * taken.seconds) / Math.max(1, count), 2)
    parts.push({ name, api: each('api'), worker: each('worker'), postgres: each('postgres') })
    say(`alone: ${name}, ${count} in ${round(taken.seconds)} s`)
  }
  for (const part of PARTS) {
    if (part.aloneMax === undefined) await sendSome(stage, part, WARM_UP_MS)
    await take(part.name, async () => {
      const sent = await sendSome(stage, part, MEASURED_MS)
      const wrong = sent.filter(({ fate }) => fate !== 'right')
      if (wrong[0]) say(`alone: ${wrong.length} of ${part.name} failed, such as ${wrong[0].trouble}`)
      errors += wrong.length
      return sent.length - wrong.length
    })
  }
  await take(`a change, delivered to ${WATCHERS_EACH}`, async () => {
    for (let made = 0; made < CHANGES; made += CHANGES / 20) await stage.changes.make(CHANGES / 20)
    await stage.changes.waitForDeliveries(QUIET_MS_MAX)
    return CHANGES
  })
  const perSecond = (role: CostRole) => round(idleRate(role), 1)
  return {
    idle: { name: 'idle', api: perSecond('api'), worker: perSecond('worker'), postgres: perSecond('postgres') },
    parts,
    errors,
  }
}

/** Returns when what the requests caused is done as well. */
async function sendSome(stage: Stage, part: Part, durationMs: number): Promise<Sent[]> {
  const most = part.aloneMax === undefined ? {} : { requestsMax: part.aloneMax }
  const bounds = { customers: CUSTOMERS, durationMs, seed: durationMs, ...most }
  const sent = await sendInTurn(stage.sender, drawPart(part, stage.subjects), bounds)
  if (part.aloneMax !== undefined) await untilQuiet(stage.app, QUIET_MS_MAX)
  return sent
}

function difference({ processes }: Stage, before: Usage, after: Usage) {
  const cpuMs = (role: Role) =>
    processes.reduce((sum, watched, index) => {
      return sum + (watched.role === role ? (after.cpuMs[index] ?? 0) - (before.cpuMs[index] ?? 0) : 0)
    }, 0)
  return { cpuMs, seconds: (after.atMs - before.atMs) / 1_000 }
}
