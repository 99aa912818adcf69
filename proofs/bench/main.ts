/** `npm run bench -- <name> [--short] [--rows N] [--json]`: our path against the bare engine, as ratios in one run. */
import { type NamedRun, runNamed } from '../harness/named-runs.ts'
import { benchCrawl } from './crawl.ts'
import { benchFanout } from './fanout.ts'
import { benchGrowth, GROWTH_PROOF } from './growth.ts'
import { benchImport } from './import.ts'
import { benchJobs } from './jobs.ts'
import { benchLookup } from './lookup.ts'
import { benchMixed, MIXED_PROOF } from './mixed.ts'
import { benchOwners, OWNERS_PROOF } from './owners.ts'
import { benchSearch, SEARCH_PROOF } from './search.ts'
import { benchSheets, SHEETS_PROOF } from './sheets.ts'
import { benchSoak, SOAK_PROOF } from './soak.ts'
import { benchSweep, SWEEP_PROOF } from './sweep.ts'
import { benchTableScroll, TABLE_SCROLL_PROOF } from './table-scroll.ts'

const BENCHES: Record<string, NamedRun> = {
  jobs: { about: 'our job layer against bare pg-boss: throughput and pick-up time', run: benchJobs },
  import: {
    about: 'loading a register of N rows against a bare COPY, and a month later as a difference',
    run: benchImport,
  },
  owners: {
    about: 'loading N persons with significant control against a bare COPY, a month later as a difference, and groups',
    proof: OWNERS_PROOF,
    run: benchOwners,
  },
  search: {
    about: 'search over N companies by names, drawn filters and figures: latency and recall',
    proof: SEARCH_PROOF,
    run: benchSearch,
  },
  crawl: { about: 'crawling sites against Crawlee on the same pages; --world <folder or archive>', run: benchCrawl },
  sheets: {
    about: 'a table of N rows in, and back with 15 more columns, as CSV and as XLSX: seconds, memory, no cell lost',
    proof: SHEETS_PROOF,
    run: benchSheets,
  },
  lookup: { about: 'known answers over HTTP against a bare route with one SELECT, per CPU-second', run: benchLookup },
  fanout: { about: 'signals delivered to webhooks against bare undici', run: benchFanout },
  growth: {
    about: 'what calls cost as the tables behind them grow from 10,000 rows to 10,000,000, the signal feed among them',
    proof: GROWTH_PROOF,
    run: benchGrowth,
  },
  mixed: {
    about: 'all that customers do at once, at rising rates: the knee, and the time of each part',
    proof: MIXED_PROOF,
    run: benchMixed,
  },
  soak: {
    about: 'the same mix for --minutes 30 at --rate N: memory, handles, queues and times stay flat',
    proof: SOAK_PROOF,
    run: benchSoak,
  },
  sweep: {
    about: 'a list of --domains 1000000 added and read for --minutes 30: rates, CPU, bytes and memory',
    proof: SWEEP_PROOF,
    run: benchSweep,
  },
  'table-scroll': {
    about: 'the results of a bulk job with N rows scrolled in Chromium: frames a second, and tasks that block the page',
    proof: TABLE_SCROLL_PROOF,
    run: benchTableScroll,
  },
}

await runNamed({ name: 'bench', usage: '[--rows N] [--domains N] [--rate N] [--minutes N]' }, BENCHES)
