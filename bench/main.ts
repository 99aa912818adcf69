/** `npm run bench -- <name> [--short | --full] [--rows N] [--json]`: our path against the bare engine, as ratios in one run. */
import { type NamedRun, type RunOptions, readFlags, runNamed } from '../tools/named-runs.ts'
import { benchCrawl } from './crawl.ts'
import { benchFanout } from './fanout.ts'
import { benchFeed } from './feed.ts'
import { benchImport } from './import.ts'
import { benchJobs } from './jobs.ts'
import { benchLookup } from './lookup.ts'
import { benchReconcile } from './reconcile.ts'
import { benchSearch } from './search.ts'
import { benchTable } from './table.ts'

export interface BenchOptions extends RunOptions {
  /** The size that goals are set for, where that takes minutes. */
  full: boolean
  rows?: number
  /** A CSV of real company names to mix in. */
  real?: string
  /** A folder or archive with the sites to crawl. */
  world?: string
}

const BENCHES: Record<string, NamedRun<BenchOptions>> = {
  jobs: { about: 'our job layer against bare pg-boss: throughput and pick-up time', run: benchJobs },
  import: {
    about: 'loading a register of N rows against a bare COPY, and a month later as a difference',
    run: benchImport,
  },
  search: { about: 'search over N companies: latency and recall; --real <csv> mixes real names in', run: benchSearch },
  reconcile: { about: 'names typed without their ending, against the companies of --real <csv>', run: benchReconcile },
  crawl: { about: 'crawling sites against Crawlee on the same pages; --world <folder or archive>', run: benchCrawl },
  lookup: { about: 'known answers over HTTP against a bare route with one SELECT, per CPU-second', run: benchLookup },
  feed: { about: 'the signal feed for lists of 10 to 50,000; --full is 10 M watches, 20 M signals', run: benchFeed },
  fanout: { about: 'signals delivered to webhooks against the bare engine running empty jobs', run: benchFanout },
  table: { about: 'a table of N domains, one waiting request a row, ten rows a second', run: benchTable },
}

await runNamed({ name: 'bench', usage: '[--short | --full] [--rows N] [--json]', readOptions }, BENCHES)

function readOptions(argv: readonly string[]): BenchOptions {
  const valueAfter = (flag: string) => (argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined)
  const rows = valueAfter('--rows')
  const real = valueAfter('--real')
  const world = valueAfter('--world')
  return {
    ...readFlags(argv),
    full: argv.includes('--full'),
    ...(rows ? { rows: Number(rows) } : {}),
    ...(real ? { real } : {}),
    ...(world ? { world } : {}),
  }
}
