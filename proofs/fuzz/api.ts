/**
 * Every endpoint with requests that the OpenAPI document allows and with such that no client should send, while API and
 * worker run as processes. Every response is checked against the document; the processes' memory, handles and logs are
 * watched, and the ledger must balance in the end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { getFootprint } from '../../rig/processes.ts'
import { listOperations, readDocument } from '../../rig/requests/operations.ts'
import { describeShares, round, slopeOf } from '../../rig/statistics.ts'
import { findUnbalancedAccounts } from '../../src/credits/index.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { bombard } from './api/bombard.ts'
import { createCheck } from './api/check-response.ts'
import { watchLog } from './api/findings.ts'
import { openSlowSenders } from './api/slow-senders.ts'
import { openFuzzStage } from './api/stage.ts'

const FULL = { requests: 205_000, slow: 'body', slowSenders: 40, slowLimitMs: 90_000 } as const
/** A body may take longer than the short run has, so there the head is what never ends. */
const SHORT = { requests: 4_000, slow: 'headers', slowSenders: 10, slowLimitMs: 20_000 } as const
/** The heap comes to its working size within some 60,000 requests; what grows after that would never stop. */
const WARM_UP_SHARE = 0.33
const SETTLE_MS = 3_000
const MEMORY_GROWTH_MAX = 1.3
/** Connections to PostgreSQL come and go with the load. */
const HANDLES_GROWTH_MAX = 20

export const fuzzApi: NamedRun = {
  about: 'every endpoint with requests that no client should send: no error of ours, no hang, no growth',
  proof: {
    title: 'Hostile requests',
    about:
      'Every operation of the OpenAPI document, the site’s forms and pages and the authorization server get ' +
      'requests made from their schemas and then made worse, and bytes that are no HTTP. Every response is ' +
      'compared with the document, memory, handles and logs are watched, and the ledger must balance in the ' +
      'end.',
    figures: {
      requests: { label: 'requests', atLeast: 200_000 },
      operations_covered: { label: 'operations covered' },
      server_errors: { label: 'answers with a 5xx', atMost: 0 },
      hangs: { label: 'requests without an answer in time', atMost: 0 },
      schema_mismatches: { label: 'answers that differ from their schema', atMost: 0 },
      undocumented_statuses: { label: 'statuses that the document does not promise', atMost: 0 },
      leaks: { label: 'answers with stack traces, SQL or scripts', atMost: 0 },
      connections_dropped: { label: 'connections dropped', atMost: 0 },
      log_failures: { label: 'failures in the log', atMost: 0 },
      slow_bodies_closed: { label: 'slow senders let go, of 40', atLeast: 40 },
      memory_growth_ratio: { label: 'memory after the run, compared with after warming up', unit: '×', atMost: 1.3 },
      handles_growth: { label: 'handles left open', atMost: 20 },
      requests_per_second: { label: 'requests a second' },
      seed: { label: 'seed' },
    },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const size = options.short ? SHORT : FULL
  const document = readDocument()
  const operations = listOperations(document)
  const log = watchLog()
  await using stage = await openFuzzStage(log.onLog)
  const port = Number(new URL(stage.api.url).port)
  const about = {
    stage,
    operations,
    check: createCheck(document),
    seed: options.seed,
    say: options.say,
  }
  const warmUp = Math.round(size.requests * WARM_UP_SHARE)
  const warm = await bombard(about, { from: 0, count: warmUp })
  await sleep(SETTLE_MS)
  const before = getFootprint(stage.api.pid)
  const slow = openSlowSenders(port, size.slow, size.slowSenders, size.slowLimitMs)
  const run = await bombard(about, { from: warmUp, count: size.requests - warmUp }, warm)
  const slowClosed = await slow.closed()
  await sleep(SETTLE_MS)
  const after = getFootprint(stage.api.pid)
  const isHealthy = (await fetch(`${stage.api.url}/healthz`)).status === 200
  const unbalanced = await findUnbalancedAccounts(stage.app.db)
  for (const line of log.failures) console.error(`✗ log: ${line.slice(0, 900)}`)
  const memory = run.memory.filter(({ requests }) => requests > warmUp)
  const growth = after.rssMb / before.rssMb
  const count = run.findings
  const figures = {
    requests: run.requests,
    operations_covered: run.covered.size,
    operations_answered: run.succeeded.size,
    server_errors: count.count('server error'),
    busy: count.count('busy'),
    hangs: count.count('hang'),
    schema_mismatches: count.count('schema mismatch'),
    undocumented_statuses: count.count('undocumented status'),
    leaks: count.count('inner words') + count.count('script on a page'),
    headers_missing: count.count('header missing'),
    connections_dropped: count.count('connection dropped'),
    log_failures: log.failureCount(),
    rate_limited_share: round((run.statuses.get('429') ?? 0) / run.requests, 2),
    slow_senders: slow.opened,
    slow_bodies_closed: slowClosed,
    memory_before_mb: Math.round(before.rssMb),
    memory_after_mb: Math.round(after.rssMb),
    memory_growth_ratio: round(growth, 2),
    memory_mb_per_100k: Math.round(slopeOf(memory.map(({ requests, rssMb }) => ({ x: requests / 1e5, y: rssMb })))),
    handles_growth: after.handles - before.handles,
    unbalanced_accounts: unbalanced.length,
    requests_per_second: Math.round(run.requests / run.seconds),
    seed: options.seed,
  }
  options.say(describeShares('status', run.statuses))
  options.say(describeShares('what was done to the request', run.mutations))
  return {
    ...figures,
    ok:
      isHealthy &&
      NONE.every((figure) => figures[figure] === 0) &&
      growth <= MEMORY_GROWTH_MAX &&
      figures.handles_growth <= HANDLES_GROWTH_MAX &&
      slowClosed === slow.opened,
  }
}

const NONE = [
  'server_errors',
  'hangs',
  'schema_mismatches',
  'undocumented_statuses',
  'leaks',
  'headers_missing',
  'connections_dropped',
  'log_failures',
  'unbalanced_accounts',
] as const
