/** `npm run fuzz -- <name> [--short] [--json] [--seed N]`: hostile input on purpose; prints what was found, `ok` last. */
import { runNamed } from '../harness/named-runs.ts'
import { fuzzApi } from './api.ts'
import { fuzzPages } from './pages.ts'
import { fuzzSites } from './sites.ts'

await runNamed('fuzz', {
  api: fuzzApi,
  pages: fuzzPages,
  sites: fuzzSites,
})
