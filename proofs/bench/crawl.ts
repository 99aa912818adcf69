/**
 * The resolver's crawl of a world's sites, extraction included, against Crawlee's CheerioCrawler fetching the same pages.
 * `ratio` is our sites per second of CPU over those of Crawlee as its users have it. The simulated web and every crawl are
 * processes, and medians are compared. In the long form each crawler has the machine to itself. In the short form they run
 * side by side: its runs are too brief to be alike on a busy machine, and so a disturbance of one disturbs the other; CPU is
 * what counts there, sites per second would be those of half a machine.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseSettings } from '../../rig/settings.ts'
import { median, round, spread, sum } from '../../rig/statistics.ts'
import { startWeb } from '../../rig/web-process.ts'
import { openWorld } from '../../rig/world.ts'
import { loadConfig } from '../../src/config.ts'
import type { SimulatedWeb } from '../../src/lib/web/guarded-client.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { type CrawlTask, crawlInProcess, type ListedSite, type MeasuredCrawl } from './crawl/measured-crawl.ts'

const WORLDS = ['dev.tar.gz', 'demo'].map((name) => join(import.meta.dirname, '../../worlds', name))
const OURS = 'our-crawl.ts'
const CRAWLEE = 'crawlee.ts'
const SITES_AT_ONCE = 8
const WARM_UP_SITES = 15
const SITES_SHORT = 30
const ROUNDS = 5
const ROUNDS_SHORT = 3
/** A site that takes longer makes us wait, by Crawl-delay or by a late answer: nothing to do with what a crawl costs. */
const SITE_MS_MAX = 3_000
/** With fewer, a crawler was spared work; a page or two may be lost to a busy machine. */
const PAGES_SHARE_MIN = 0.99

export const benchCrawl: NamedRun = {
  about: 'crawling sites against Crawlee on the same pages; --world <folder or archive>',
  short: {
    // The goal is at most 1.4 times the CPU of Crawlee, a ratio of 0.71. Over a few dozen sites, while code is still compiled,
    // 0.95 to 1.1 was measured.
    ratio: { atLeast: 0.72 },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  using world = openWorld(options.given.world ?? WORLDS.find((path) => existsSync(path)) ?? '')
  await using process = await startWeb({ world: world.folder })
  const web = readSettings(process.setting)
  const domains = world.labels.filter(({ outcome }) => outcome !== 'scrape_failed').map(({ domain }) => domain)
  const sites = await listReadableSites(web, options.short ? spread(domains, SITES_SHORT) : domains)
  options.say(`${world.name}: ${sites.length} sites`)
  return await compare({ web, sites, sitesAtOnce: SITES_AT_ONCE, warmUpSites: WARM_UP_SITES }, options)
}

async function compare(task: CrawlTask, options: RunOptions): Promise<RunReport> {
  const runs = await runRounds(task, options)
  const pages = sum(task.sites.map((site) => site.pages.length))
  const ours = summarise(OURS, runs, pages)
  const crawlee = summarise(CRAWLEE, runs, pages)
  const speeds = {
    our_sites_per_second: round(ours.sitesPerSecond, 2),
    crawlee_sites_per_second: round(crawlee.sitesPerSecond, 2),
  }
  return {
    ratio: round(crawlee.cpuMs / ours.cpuMs, 2),
    sites: task.sites.length,
    pages,
    our_requests: ours.requests,
    ...(options.short ? {} : speeds),
    our_cpu_ms_per_site: round(ours.cpuMs / task.sites.length, 2),
    crawlee_cpu_ms_per_site: round(crawlee.cpuMs / task.sites.length, 2),
    our_cpu_ms_per_request: round(ours.cpuMs / ours.requests, 2),
    our_peak_mb: ours.peakMb,
    crawlee_peak_mb: crawlee.peakMb,
  }
}

interface Crawled {
  program: string
  run: MeasuredCrawl
}

async function runRounds(task: CrawlTask, options: RunOptions): Promise<Crawled[]> {
  const crawled: Crawled[] = []
  const rounds = options.short ? ROUNDS_SHORT : ROUNDS
  for (let count = 1; count <= rounds; count += 1) {
    const crawl = async (program: string) => {
      const run = await crawlInProcess(program, task)
      crawled.push({ program, run })
      options.say(`round ${count} of ${rounds}: ${program.padEnd(12)} ${describe(run)}`)
    }
    // Every other round in the opposite order, so that no crawler always follows the same neighbour.
    const ordered = count % 2 === 1 ? [OURS, CRAWLEE] : [CRAWLEE, OURS]
    if (options.short) await Promise.all(ordered.map(crawl))
    else for (const program of ordered) await crawl(program)
  }
  return crawled
}

/** Crawls once to learn which sites can be read, and which of their pages there are to fetch. */
async function listReadableSites(web: SimulatedWeb, domains: string[]): Promise<ListedSite[]> {
  const asked = domains.map((domain) => ({ domain, pages: [] }))
  const { sites } = await crawlInProcess(OURS, { web, sites: asked, sitesAtOnce: SITES_AT_ONCE, warmUpSites: 0 })
  return sites
    .filter(({ isReadable, milliseconds }) => isReadable && milliseconds <= SITE_MS_MAX)
    .map(({ domain, pages }) => ({ domain, pages }))
    .sort((a, b) => (a.domain < b.domain ? -1 : 1))
}

function readSettings(setting: string): SimulatedWeb {
  const { simulatedWeb } = loadConfig({ ...databaseSettings('postgresql://127.0.0.1:1/none'), SIMULATED_WEB: setting })
  if (!simulatedWeb) throw new Error('the simulated web has no settings')
  const { certificateAuthorityFile, ...settings } = simulatedWeb
  return { ...settings, certificateAuthority: readFileSync(certificateAuthorityFile, 'utf8') }
}

/** Throws when a crawl read less than the others. */
function summarise(program: string, crawled: Crawled[], pages: number) {
  const runs = crawled.filter((each) => each.program === program).map(({ run }) => run)
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
  const perSite = `${round(cpuMs / sites.length, 2)} ms CPU a site`
  return `${pages} pages, ${round(sites.length / seconds, 2)} sites/s, ${perSite}, ${Math.round(peakMb)} MB`
}
