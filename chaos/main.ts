/** `npm run chaos -- <name> [--short] [--json]`: faults and kills on purpose; prints what was checked, `ok` last. */
import { type NamedRun, type RunOptions, type RunReport, readFlags, runNamed } from '../tools/named-runs.ts'
import { chaosBulk } from './bulk.ts'
import { chaosDeliveries } from './deliveries.ts'
import { chaosFollow } from './follow.ts'
import { chaosIsolation } from './isolation.ts'
import { chaosResolution } from './resolution.ts'

export type ChaosOptions = RunOptions

export interface ChaosReport extends RunReport {
  ok: boolean
}

const RUNS: Record<string, NamedRun> = {
  bulk: {
    about: 'a list of 10,000 rows while workers are killed: counts that add up throughout, each row its one outcome',
    run: chaosBulk,
  },
  deliveries: {
    about: 'signals delivered while receivers misbehave, workers are killed and PostgreSQL restarts: none is lost',
    run: chaosDeliveries,
  },
  follow: {
    about: 'the register followed through every fault and kill -9: nothing missing, nothing twice',
    run: chaosFollow,
  },
  isolation: {
    about: 'signals delivered beside 200 receivers that hang: those that are well do not wait',
    run: chaosIsolation,
  },
  resolution: {
    about: 'domains asked for while workers are killed: every job ends, and each match is paid for once',
    run: chaosResolution,
  },
}

await runNamed({ name: 'chaos', usage: '[--short] [--json]', readOptions: readFlags }, RUNS)
