/** The faults, one after the other. Each ends when the cluster is whole again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { signalAll } from '../../../rig/processes.ts'
import { until } from '../../../rig/until.ts'
import { openConnection } from '../../../src/lib/db/connection.ts'
import type { Cluster } from './cluster.ts'
import { CLUSTER } from './cluster-settings.ts'
import type { Node } from './node.ts'
import type { Probe } from './probe.ts'
import type { Part, Services } from './services.ts'
import { emptyDisk, fillDisk } from './small-disk.ts'

export interface Scene {
  cluster: Cluster
  probe: Probe
  services: Services
  say: (line: string) => void
}

export interface Happened {
  fault: string
  /** The longest time without an acknowledged write, until the cluster was whole again. */
  unavailableSeconds: number
  /** Whether another node became the primary. */
  failedOver: boolean
  outcome: string
}

export type Fault = (scene: Scene) => Promise<Happened>

const WRITES_BACK_MS = 90_000
const PAUSE_MS = (CLUSTER.ttlSeconds + 5) * 1_000
/** Longer than a worker may stay silent. */
const PROCESS_PAUSE_MS = 14_000
const CALM_MS = 1_500

/** Does something to the primary, waits for writes, and then for three healthy members. */
async function strike(
  { cluster, probe, say }: Scene,
  fault: string,
  act: (primary: Node) => Promise<(() => Promise<string | void>) | void>,
): Promise<Happened> {
  await sleep(CALM_MS)
  const before = await cluster.getPrimary()
  const startedAt = Date.now()
  say(`${fault} (${before.name})`)
  const afterwards = await act(before)
  await untilWritten(probe, Date.now())
  const remark = (await afterwards?.()) ?? ''
  await cluster.untilWhole()
  const after = await cluster.getPrimary()
  const unavailableSeconds = probe.longestGapSince(startedAt)
  const healedSeconds = Math.round((Date.now() - startedAt) / 1_000)
  const failedOver = after !== before
  const change = failedOver ? `${after.name} took over from ${before.name}` : `${after.name} stayed the primary`
  const outcome = `${change}; whole again after ${healedSeconds} s${remark ? `; ${remark}` : ''}`
  say(`  without writes ${unavailableSeconds.toFixed(1)} s; ${outcome}`)
  return { fault, unavailableSeconds, failedOver, outcome }
}

async function untilWritten(probe: Probe, since: number): Promise<void> {
  const isBack = async () => (probe.acknowledged.at(-1)?.at ?? 0) > since + CALM_MS
  await until(isBack, 'writes did not come back', { timeoutMs: WRITES_BACK_MS })
}

export const killMachine: Fault = (scene) =>
  strike(scene, 'kill -9 of the primary, Patroni and PostgreSQL', async (primary) => {
    await primary.die()
    return async () => primary.start()
  })

export const killPostgres: Fault = (scene) =>
  strike(scene, 'kill -9 of the primary, PostgreSQL alone', (primary) => primary.killPostgres())

/**
 * Frozen for longer than its lease, it wakes up in the belief that it is the primary. Writes are tried at the node itself,
 * past HAProxy: what it takes must be there in the end like everything else.
 */
export const freezePrimary: Fault = (scene) =>
  strike(scene, 'SIGSTOP of the primary for longer than its lease', async (primary) => {
    primary.pause()
    await sleep(PAUSE_MS)
    return async () => {
      primary.resume()
      const taken = await tryWrites(scene.cluster.urlOfNode(primary), scene.probe)
      return `${taken === 0 ? 'it took no write' : `it took ${taken} writes`} when it woke up`
    }
  })

const TRY_MS = 6_000
const WRITE_MS = 1_000

async function tryWrites(url: string, probe: Probe): Promise<number> {
  let taken = 0
  const deadline = Date.now() + TRY_MS
  for (let id = -1; Date.now() < deadline; id -= 1) {
    const insert = `insert into failover_probe (id) values (${id})`
    const isTaken = await withClient(url, WRITE_MS, (client) => client.query(insert)).then(
      () => true,
      () => false,
    )
    if (isTaken) {
      probe.addElsewhere(id)
      taken += 1
    }
    await sleep(100)
  }
  return taken
}

async function withClient(
  url: string,
  timeoutMs: number,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = await openConnection(url, { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs })
  try {
    await work(client)
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** HAProxy still reaches it, and it reaches neither etcd nor its standbys. */
export const cutPrimaryOff: Fault = (scene) =>
  strike(scene, 'the primary is cut off from etcd and its standbys', async (primary) => {
    scene.cluster.network.cut(primary.name)
    await sleep(PAUSE_MS)
    return async () => scene.cluster.network.heal(primary.name)
  })

export const cutStandbyOff: Fault = (scene) =>
  strike(scene, 'the synchronous standby is cut off', async () => {
    const members = await scene.cluster.listMembers()
    const name = members.find(({ role }) => role === 'sync_standby')?.name
    if (!name) throw new Error('there is no synchronous standby')
    scene.cluster.network.cut(name)
    await sleep(PAUSE_MS)
    return async () => scene.cluster.network.heal(name)
  })

export function freezePart(part: Part): Fault {
  return (scene) =>
    strike(
      scene,
      `SIGSTOP of ${part === 'api' ? 'an API process' : part === 'worker' ? 'a worker' : 'the follower'}`,
      async () => {
        const pid = scene.services.pidOf(part)
        signalAll([pid], 'SIGSTOP')
        await sleep(PROCESS_PAUSE_MS)
        signalAll([pid], 'SIGCONT')
      },
    )
}

const SEGMENTS_MAX = 40
const SWITCHES_MAX = 10

/** Only the synchronous standby may take over, so others come first until it is the one. */
async function makePrimary(cluster: Cluster, node: Node): Promise<void> {
  for (let switches = 0; switches < SWITCHES_MAX; switches += 1) {
    const primary = await cluster.getPrimary()
    if (primary === node) return
    const members = await cluster.listMembers()
    const next = members.find(({ role }) => role === 'sync_standby')?.name
    if (next) await primary.switchTo(next)
    await cluster.untilWhole()
  }
  throw new Error(`${node.name} did not become the primary`)
}

/** The node on the small disk is made the primary, and writes until there is no room for its log. */
export async function fillPrimaryDisk(scene: Scene, node: Node): Promise<Happened> {
  await makePrimary(scene.cluster, node)
  return strike(scene, 'the disk of the primary is full', async () => {
    fillDisk(node.disk)
    const refused = await writeUntilRefused(scene.cluster.urlOfNode(node))
    return async () => {
      emptyDisk(node.disk)
      return `PostgreSQL said: ${refused}`
    }
  })
}

async function writeUntilRefused(url: string): Promise<string> {
  const write = `select pg_logical_emit_message(false, 'failover', repeat('x', 8000000)), pg_switch_wal()`
  return withClient(url, 20_000, async (client) => {
    for (let segment = 0; segment < SEGMENTS_MAX; segment += 1) await client.query(write)
  }).then(
    () => 'nothing',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

/** Every process there is, at the same moment. */
export const restartEverything: Fault = async (scene) => {
  const { cluster, services } = scene
  return strike(scene, 'everything is killed at once and started again', async () => {
    await Promise.all([services.killEverything(), cluster.killKeepers(), ...cluster.nodes.map((node) => node.die())])
    await cluster.startKeepers()
    for (const node of cluster.nodes) node.start()
    // Programs that find no database end and are started again, which would only keep the processor from the nodes.
    await cluster.untilReachable()
    await services.startAll()
  })
}
