/**
 * The resolver's crawl of a world's sites, extraction included, against Crawlee's CheerioCrawler fetching the same pages.
 * `ratio` is our sites per second of CPU over those of Crawlee as its users have it; the long form also pits us against
 * Crawlee obeying robots.txt as we do, and against Crawlee with everything off that can be. The simulated web and every
 * crawl are processes of their own, and medians are compared. In the long form the crawlers take turns, each with the
 * machine to itself. In the short form they run side by side: its runs are too brief to be alike on a busy machine, and
 * so whatever disturbs one disturbs the other; CPU is what counts there, sites per second would be those of half a machine.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchEnvironment } from '../../rig/stage.ts'
import { openWorld } from '../../rig/world.ts'
import { loadConfig } from '../../src/config.ts'
import type { SimulatedWeb } from '../../src/lib/web/guarded-client.ts'
import { startWeb } from '../../tools/accuracy/web.ts'
import { type CrawlTask, crawlInProcess, type ListedSite, type MeasuredCrawl } from './crawl/measured-crawl.ts'
import type { BenchOptions } from './main.ts'

const WORLDS = ['dev.tar.gz', 'demo'].map((name) => join(import.meta.dirname, '../../worlds', name))
const OURS = 'our-crawl.ts'
const CRAWLEE = 'usual-crawlee.ts'
const OTHER_CRAWLEES = { polite: 'polite-crawlee.ts', lean: 'lean-crawlee.ts' }
const SITES_AT_ONCE = 8
const WARM_UP_SITES = 15
const SITES_SHORT = 30
const ROUNDS = 5
const ROUNDS_SHORT = 3
/** Who takes longer makes us wait, by Crawl-delay or by answering late: nothing to do with what a crawl costs. */
const SITE_MS_MAX = 3_000
/** With fewer, somebody was spared work; a page or two may be lost to a busy machine. */
const PAGES_SHARE_MIN = 0.99

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
  const others: Record<string, string> = options.short ? {} : OTHER_CRAWLEES
  const runs = await runRounds([OURS, CRAWLEE, ...Object.values(others)], task, options)
  const pages = task.sites.reduce((sum, site) => sum + site.pages.length, 0)
  const ours = summarise(OURS, runs, pages)
  const crawlee = summarise(CRAWLEE, runs, pages)
  const rest = Object.entries(others).map(([name, program]) => ({ name, crawl: summarise(program, runs, pages) }))
  const perSite = ({ cpuMs }: Summary) => round2(cpuMs / task.sites.length)
  return {
    ratio: round2(crawlee.cpuMs / ours.cpuMs),
    ...Object.fromEntries(rest.map(({ name, crawl }) => [`ratio_to_${name}`, round2(crawl.cpuMs / ours.cpuMs)])),
    sites: task.sites.length,
    pages,
    our_requests: ours.requests,
    ...(options.short
      ? {}
      : {
          our_sites_per_second: round2(ours.sitesPerSecond),
          crawlee_sites_per_second: round2(crawlee.sitesPerSecond),
        }),
    our_cpu_ms_per_site: perSite(ours),
    crawlee_cpu_ms_per_site: perSite(crawlee),
    ...Object.fromEntries(rest.map(({ name, crawl }) => [`${name}_crawlee_cpu_ms_per_site`, perSite(crawl)])),
    our_cpu_ms_per_request: round2(ours.cpuMs / ours.requests),
    our_peak_mb: ours.peakMb,
    crawlee_peak_mb: crawlee.peakMb,
  }
}

async function runRounds(programs: string[], task: CrawlTask, options: BenchOptions): Promise<Turn[]> {
  const turns: Turn[] = []
  const rounds = options.short ? ROUNDS_SHORT : ROUNDS
  for (let round = 1; round <= rounds; round += 1) {
    const crawl = async (program: string) => {
      const run = await crawlInProcess(program, task)
      turns.push({ program, run })
      say(options, `round ${round} of ${rounds}: ${program.padEnd(17)} ${describe(run)}`)
    }
    // Every other round in the opposite order, so that nobody always follows the same neighbour.
    const ordered = round % 2 === 1 ? programs : programs.toReversed()
    if (options.short) await Promise.all(ordered.map(crawl))
    else for (const program of ordered) await crawl(program)
  }
  return turns
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

interface Turn {
  program: string
  run: MeasuredCrawl
}

interface Summary {
  cpuMs: number
  requests: number
  sitesPerSecond: number
  peakMb: number
}

/** Throws when a crawl read less than the others. */
function summarise(program: string, turns: Turn[], pages: number): Summary {
  const runs = turns.filter((turn) => turn.program === program).map((turn) => turn.run)
  const worst = Math.min(...runs.map((run) => run.pages))
  if (worst < pages * PAGES_SHARE_MIN) throw new Error(`${program} read ${worst} of ${pages} pages`)
  return {
    cpuMs: median(runs.map((run) => run.cpuMs)),
    requests: median(runs.map((run) => run.requests)),
    sitesPerSecond: median(runs.map((run) => run.sites.length / run.seconds)),
    peakMb: Math.round(Math.max(...runs.map((run) => run.peakMb))),
  }
}

function describe({ sites, pages, seconds, cpuMs, peakMb }: MeasuredCrawl): string {
  const perSite = `${round2(cpuMs / sites.length)} ms CPU a site`
  return `${pages} pages, ${round2(sites.length / seconds)} sites/s, ${perSite}, ${Math.round(peakMb)} MB`
}

function say(options: BenchOptions, line: string): void {
  if (!options.json) console.log(line)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
