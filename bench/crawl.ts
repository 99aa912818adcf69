/**
 * The resolver's crawl of a world's sites, extraction included, against Crawlee's CheerioCrawler fetching the same pages.
 * The simulated web and every crawl are processes of their own; the two crawlers take turns, and the best of each counts.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../src/config.ts'
import type { SimulatedWeb } from '../src/lib/guarded-client.ts'
import { startWeb } from '../tools/accuracy/web.ts'
import { openWorld } from '../tools/accuracy/world.ts'
import { benchEnvironment } from './bench-app.ts'
import { type CrawlTask, crawlInProcess, type ListedSite, type MeasuredCrawl } from './crawl/measured-crawl.ts'
import type { BenchOptions } from './main.ts'

const WORLDS = ['dev.tar.gz', 'demo'].map((name) => join(import.meta.dirname, '../worlds', name))
const OURS = 'our-crawl.ts'
const CRAWLEE = 'crawlee-crawl.ts'
const SITES_AT_ONCE = 8
const WARM_UP_SITES = 20
const SITES_SHORT = 60
const ROUNDS = 4
const ROUNDS_SHORT = 2
/** Who takes longer makes us wait, by Crawl-delay or by answering late: nothing to do with what a crawl costs. */
const SITE_MS_MAX = 3_000

export async function benchCrawl(options: BenchOptions): Promise<Record<string, unknown>> {
  using world = openWorld(options.world ?? WORLDS.find((path) => existsSync(path)) ?? '')
  const scratch = mkdtempSync(join(tmpdir(), 'nameplate-bench-crawl-'))
  try {
    await using process = await startWeb(world, scratch)
    const web = readSettings(process.setting)
    const domains = world.labels.filter(({ outcome }) => outcome !== 'scrape_failed').map(({ domain }) => domain)
    const sites = await listReadableSites(web, options.short ? spread(domains, SITES_SHORT) : domains)
    say(options, `${world.name}: ${sites.length} sites`)
    return await compare({ web, sites, sitesAtOnce: SITES_AT_ONCE, warmUpSites: WARM_UP_SITES }, options)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function compare(task: CrawlTask, options: BenchOptions): Promise<Record<string, unknown>> {
  const ours: MeasuredCrawl[] = []
  const crawlee: MeasuredCrawl[] = []
  const rounds = options.short ? ROUNDS_SHORT : ROUNDS
  const turns = [
    { program: OURS, runs: ours },
    { program: CRAWLEE, runs: crawlee },
  ]
  for (let round = 1; round <= rounds; round += 1) {
    for (const { program, runs } of turns) {
      const run = await crawlInProcess(program, task)
      runs.push(run)
      say(options, `round ${round} of ${rounds}: ${program.padEnd(18)} ${describe(run)}`)
    }
    turns.reverse()
  }
  const [best, theirs] = [cheapest(ours), cheapest(crawlee)]
  const pages = task.sites.reduce((sum, site) => sum + site.pages.length, 0)
  return {
    ratio: round2(theirs.cpuMs / best.cpuMs),
    sites: task.sites.length,
    pages,
    our_pages: best.pages,
    crawlee_pages: theirs.pages,
    our_sites_per_second: round2(fastest(ours)),
    crawlee_sites_per_second: round2(fastest(crawlee)),
    our_cpu_ms_per_site: round2(best.cpuMs / task.sites.length),
    crawlee_cpu_ms_per_site: round2(theirs.cpuMs / task.sites.length),
    our_cpu_ms_per_page: round2(best.cpuMs / pages),
    crawlee_cpu_ms_per_page: round2(theirs.cpuMs / pages),
    our_peak_mb: Math.round(Math.max(...ours.map((run) => run.peakMb))),
    crawlee_peak_mb: Math.round(Math.max(...crawlee.map((run) => run.peakMb))),
  }
}

/** Crawled once by us to learn which sites can be read, and which pages of theirs there are to fetch. */
async function listReadableSites(web: SimulatedWeb, domains: string[]): Promise<ListedSite[]> {
  const asked = domains.map((domain) => ({ domain, pages: [] }))
  const { sites } = await crawlInProcess(OURS, { web, sites: asked, sitesAtOnce: SITES_AT_ONCE, warmUpSites: 0 })
  return sites
    .filter(({ isReadable, milliseconds }) => isReadable && milliseconds <= SITE_MS_MAX)
    .map(({ domain, pages }) => ({ domain, pages }))
    .sort((a, b) => (a.domain < b.domain ? -1 : 1))
}

function readSettings(setting: string): SimulatedWeb {
  const environment = { ...benchEnvironment('postgresql://127.0.0.1:1/none'), SIMULATED_WEB: setting }
  const { simulatedWeb } = loadConfig(environment)
  if (!simulatedWeb) throw new Error('the simulated web told no settings')
  const { certificateAuthorityFile, ...settings } = simulatedWeb
  return { ...settings, certificateAuthority: readFileSync(certificateAuthorityFile, 'utf8') }
}

/** As many as wanted, from all over the list: neighbours may be of one kind. */
function spread<Item>(items: Item[], wanted: number): Item[] {
  const step = Math.max(1, items.length / wanted)
  return Array.from({ length: Math.min(wanted, items.length) }, (_, place) => items[Math.floor(place * step)]).filter(
    (item) => item !== undefined,
  )
}

function cheapest(runs: MeasuredCrawl[]): MeasuredCrawl {
  return runs.reduce((best, run) => (run.cpuMs < best.cpuMs ? run : best))
}

function fastest(runs: MeasuredCrawl[]): number {
  return Math.max(...runs.map((run) => run.sites.length / run.seconds))
}

function describe({ sites, pages, seconds, cpuMs, peakMb }: MeasuredCrawl): string {
  const perSite = `${round2(cpuMs / sites.length)} ms CPU a site`
  return `${pages} pages, ${round2(sites.length / seconds)} sites/s, ${perSite}, ${Math.round(peakMb)} MB`
}

function say(options: BenchOptions, line: string): void {
  if (!options.json) console.log(line)
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
