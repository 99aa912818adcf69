/** `npm run fuzz -- <name> [--short] [--json] [--seed N]`: hostile input on purpose; prints what was found, `ok` last. */
import { type NamedRun, runNamed } from '../harness/named-runs.ts'
import { API_PROOF, fuzzApi } from './api.ts'
import { fuzzPages, PAGES_PROOF } from './pages.ts'
import { fuzzSites, SITES_PROOF } from './sites.ts'

const RUNS: Record<string, NamedRun> = {
  api: {
    about: 'every endpoint with requests that no client should send: no error of ours, no hang, no growth',
    proof: API_PROOF,
    run: fuzzApi,
  },
  pages: {
    about: 'pages that no site should publish, and bombs: each read in its time and memory',
    proof: PAGES_PROOF,
    run: fuzzPages,
  },
  sites: {
    about: 'whole sites that attack their reader: each answered, no death, no stall, memory bounded',
    proof: SITES_PROOF,
    run: fuzzSites,
  },
}

await runNamed({ name: 'fuzz', usage: '[--seed N]' }, RUNS)
