/** `npm run fuzz -- <name> [--short] [--json] [--seed N]`: hostile input on purpose; prints what was found, `ok` last. */
import { type NamedRun, type RunOptions, type RunReport, readFlags, runNamed } from '../../tools/named-runs.ts'
import { fuzzApi } from './api.ts'
import { fuzzPages } from './pages.ts'
import { API_PROOF, PAGES_PROOF, SITES_PROOF } from './proofs.ts'
import { fuzzSites } from './sites.ts'

export interface FuzzOptions extends RunOptions {
  /** What decides every choice; printed, so that a run can be repeated. */
  seed: number
}

export interface FuzzReport extends RunReport {
  ok: boolean
}

const RUNS: Record<string, NamedRun<FuzzOptions>> = {
  api: {
    about: 'every endpoint asked with what nobody should send: no error of ours, no hang, no growth',
    proof: API_PROOF,
    run: fuzzApi,
  },
  pages: {
    about: 'pages that nobody should publish, and bombs: each read in its time and memory',
    proof: PAGES_PROOF,
    run: fuzzPages,
  },
  sites: {
    about: 'whole sites that attack their reader: each answered, no death, no stall, memory bounded',
    proof: SITES_PROOF,
    run: fuzzSites,
  },
}

await runNamed({ name: 'fuzz', usage: '[--short] [--json] [--seed N]', readOptions }, RUNS)

function readOptions(argv: readonly string[]): FuzzOptions {
  const at = argv.indexOf('--seed')
  return { ...readFlags(argv), seed: at === -1 ? Math.trunc(Math.random() * 2 ** 31) : Number(argv[at + 1]) }
}
