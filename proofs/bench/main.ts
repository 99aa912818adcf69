/** `npm run bench -- <name> [--short] [--rows N] [--json]`: our path against the bare engine, as ratios in one run. */
import { runNamed } from '../harness/named-runs.ts'
import { benchCrawl } from './crawl.ts'
import { benchFanout } from './fanout.ts'
import { benchGrowth } from './growth.ts'
import { benchImport } from './import.ts'
import { benchJobs } from './jobs.ts'
import { benchLookup } from './lookup.ts'
import { benchMixed } from './mixed.ts'
import { benchOwners } from './owners.ts'
import { benchSearch } from './search.ts'
import { benchSheets } from './sheets.ts'
import { benchSoak } from './soak.ts'
import { benchSweep } from './sweep.ts'
import { benchTableScroll } from './table-scroll.ts'

await runNamed('bench', {
  jobs: benchJobs,
  import: benchImport,
  owners: benchOwners,
  search: benchSearch,
  crawl: benchCrawl,
  sheets: benchSheets,
  lookup: benchLookup,
  fanout: benchFanout,
  growth: benchGrowth,
  mixed: benchMixed,
  soak: benchSoak,
  sweep: benchSweep,
  'table-scroll': benchTableScroll,
})
