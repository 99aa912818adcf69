/**
 * The service with a replica. Customers write at one API process and read at the other while the replica is paused,
 * killed, cut off, slowed and started again far behind. No request fails, and no read is older than what was written
 * before it. In the end a process that does not check the replica is called: its old answers must be found.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createCall } from '../../rig/call.ts'
import { findMissingPackage } from '../../rig/replicated-postgres.ts'
import { markdownTable, quantile, round } from '../../rig/statistics.ts'
import { isSoInTime } from '../../rig/until.ts'
import { findUnbalancedAccounts } from '../../src/credits/index.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import type { Proof } from '../../tools/proof/render.ts'
import { Customer, Findings } from './replica/customers.ts'
import { FAULTS } from './replica/faults.ts'
import { countReads, type ReadCounts, sumOf } from './replica/read-counts.ts'
import { openReplicaStage, type Shop, type Stage } from './replica/stage.ts'

const FULL = { healthyMs: 6_000, faultMs: 6_000, rounds: 2 }
const SHORT = { healthyMs: 3_000, faultMs: 2_000, rounds: 1 }
const HEALTHY_SHARE_MIN = 0.8
const LONGEST_MS_MAX = 5_000
const EXAMPLES_SAID = 6
const AGAIN_MS = 15_000
/** Enough to know what is wrong. */
const FAILURES_MAX = 20

export const REPLICA_PROOF: Proof = {
  title: 'A replica to read from',
  about:
    'A primary with a streaming replica, two API processes and a worker, on one machine. Customers write at one process and read at the other: they resolve, watch, dispute, change settings and replace keys, and the register renames companies. Each read has one right answer. Meanwhile the replica is paused, killed, cut off, slowed and started again far behind. In the end a process reads from the paused replica without checking what it has replayed: the run must find its old answers.',
  figures: {
    requests: { label: 'requests' },
    checked: { label: 'reads whose right answer was known' },
    failed_requests: { label: 'requests that failed', atMost: 0 },
    stale_reads: { label: 'reads older than a write before them', atMost: 0 },
    wrong_books: { label: 'accounts whose balance is not the sum of their ledger', atMost: 0 },
    healthy_share: { label: 'of such reads answered by the replica while it was healthy', atLeast: HEALTHY_SHARE_MIN },
    wait_ms: { label: 'wait for the replica to have replayed, mean', unit: 'ms' },
    request_p50_ms: { label: 'a request without a crawl, median', unit: 'ms' },
    request_p99_ms: { label: 'a request without a crawl, 99th percentile', unit: 'ms' },
    request_max_ms: { label: 'a request without a crawl, longest', unit: 'ms', atMost: LONGEST_MS_MAX },
    stale_without_check: { label: 'old reads found where nothing is checked', atLeast: 1 },
  },
}

export async function chaosReplica(options: RunOptions): Promise<RunReport> {
  const missing = findMissingPackage()
  if (missing !== null) return { missing: `apt-get install ${missing}`, ok: false }
  const startedAt = Date.now()
  await using stage = await openReplicaStage(options.say)
  const load = new Load(stage)
  const phases = await goThrough(stage, load, options.short ? SHORT : FULL, options.say)
  await load.stop()
  const { findings } = load
  const wrongBooks = await findUnbalancedAccounts(stage.app.db)
  const staleUnchecked = await countStaleUnchecked(stage, options.say)
  const healthy = sumOf(phases.filter(({ fault }) => fault === null).map(({ reads }) => reads))
  const share = healthy.replica / (healthy.replica + healthy.primary)
  const longest = round(quantile(findings.times, 1))
  const details = describePhases(phases)
  options.say(`\n${details}`)
  for (const problem of [...findings.failures, ...findings.stale].slice(0, EXAMPLES_SAID)) options.say(problem)
  const problems = [...findings.failures, ...findings.stale]
  return {
    requests: findings.requests,
    checked: findings.checked,
    failed_requests: findings.failures.length,
    stale_reads: findings.stale.length,
    wrong_books: wrongBooks.length,
    healthy_share: round(share, 3),
    wait_ms: round((healthy.waitSeconds / healthy.waits) * 1_000, 2),
    request_p50_ms: round(quantile(findings.times, 0.5)),
    request_p99_ms: round(quantile(findings.times, 0.99)),
    request_max_ms: longest,
    stale_without_check: staleUnchecked,
    examples: problems.slice(0, 5).join('; ') || 'none',
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    details,
    ok:
      problems.length === 0 &&
      wrongBooks.length === 0 &&
      share >= HEALTHY_SHARE_MIN &&
      longest <= LONGEST_MS_MAX &&
      staleUnchecked > 0,
  }
}

class Load {
  readonly findings = new Findings()
  readonly #loops: Array<Promise<void>>
  readonly #shops: Shop[]
  #isStopping = false

  constructor(stage: Stage) {
    this.#shops = [...stage.shops]
    const world = { app: stage.app, apiUrls: stage.apiUrls, takeShop: () => this.#takeShop() }
    this.#loops = stage.accounts.map(async (account) => {
      const customer = await Customer.arrive(world, this.findings, account)
      while (!this.#isStopping && this.findings.failures.length < FAILURES_MAX) await customer.live()
    })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#loops)
  }

  #takeShop(): Shop {
    const shop = this.#shops.pop()
    if (!shop) throw new Error('every site was asked for')
    return shop
  }
}

interface Phase {
  /** Null while nothing is wrong. */
  fault: string | null
  reads: ReadCounts
  /** Until the replica was used again by both processes. */
  againMs: number
}

async function goThrough(
  stage: Stage,
  { findings }: Load,
  { healthyMs, faultMs, rounds }: typeof FULL,
  say: (line: string) => void,
): Promise<Phase[]> {
  const phases: Phase[] = []
  const during = async (fault: string | null, body: () => Promise<unknown>) => {
    const before = await countReads(stage.apiUrls)
    await body()
    const reads = sumOf([await countReads(stage.apiUrls)], before)
    phases.push({ fault, reads, againMs: 0 })
    say(
      `${fault ?? 'healthy'}: ${reads.replica} reads by the replica, ${reads.primary} by the primary, ${findings.stale.length} stale, ${findings.failures.length} failed`,
    )
  }
  for (const fault of Array.from({ length: rounds }, () => FAULTS).flat()) {
    await during(null, () => sleep(healthyMs))
    await during(fault.name, () => fault.happen(stage, faultMs))
    const wholeAt = Date.now()
    await isSoInTime(() => isInUse(stage.apiUrls), { timeoutMs: AGAIN_MS, everyMs: 50 })
    const phase = phases.at(-1)
    if (phase) phase.againMs = Date.now() - wholeAt
  }
  await during(null, () => sleep(healthyMs))
  return phases
}

async function isInUse(apiUrls: readonly string[]): Promise<boolean> {
  const texts = await Promise.all(apiUrls.map(async (url) => (await createCall(url)('GET', '/metrics')).text))
  return texts.every((text) => /^nameplate_replica_in_use\{server="replica"\} 1$/m.test(text))
}

/** Lets one customer read from a paused replica by a process that checks nothing. */
async function countStaleUnchecked(stage: Stage, say: (line: string) => void): Promise<number> {
  await using unchecked = await stage.startUnchecked()
  const findings = new Findings()
  const [account] = stage.accounts
  const shop = stage.shops[0]
  if (!account || !shop) throw new Error('there is no account')
  const world = { app: stage.app, apiUrls: [unchecked.url], takeShop: () => shop }
  const customer = await Customer.arrive(world, findings, await stage.renewKey(account))
  await stage.servers.untilCaughtUp()
  await stage.servers.pauseReplay()
  await customer.live()
  await stage.servers.resumeReplay()
  say(`without the check ${findings.stale.length} of ${findings.checked} reads were old`)
  return findings.stale.length
}

function describePhases(phases: readonly Phase[]): string {
  return markdownTable(
    ['replica', 'reads it answered', 'the primary instead', 'because', 'used again after, ms'],
    phases.map(({ fault, reads, againMs }) => [
      fault ?? 'healthy',
      reads.replica,
      reads.primary,
      [...reads.reasons].map(([reason, count]) => `${reason} ${count}`).join(', '),
      fault === null ? '' : againMs,
    ]),
  )
}
