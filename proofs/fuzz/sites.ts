/**
 * Whole hostile sites, served from raw sockets to the real crawl loop in a process of its own: rules, redirects, refreshes,
 * sitemaps, headers, cookies, character sets, names, certificates, endless and slow bodies. Every site must be answered, no
 * process may die, and nothing may hold up the event loop.
 */
import { join } from 'node:path'
import { type Child, startChild } from '../../rig/child.ts'
import { isAlive } from '../../rig/processes.ts'
import { countUp, describeShares, quantile, sum } from '../../rig/statistics.ts'
import { every } from '../../rig/until.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { makeBait } from './pages/regex-bait.ts'
import { readSeedPages } from './pages/seed-pages.ts'
import type { Peaks, SiteRead, ToCrawler } from './sites/crawler-process.ts'
import { SUFFIX, startHostileWeb } from './sites/hostile-web.ts'
import { PLANTED_COUNT, planSite } from './sites/planned-site.ts'

const SITES = 20_200
const SITES_SHORT = 300
const SECONDS_MAX = 25 * 60
const SECONDS_MAX_SHORT = 30
/** As many as a worker reads at once. */
const SITES_AT_ONCE = 40
const WORKERS = 2
const WORKERS_SHORT = 1
/** A crawl ends after 20 seconds, and may have 15 more for our own reading. */
const SITE_MS_MAX = 60_000
const STALL_MS_MAX = 250
/** Brief runs share their machine with others. */
const STALL_MS_MAX_SHORT = 500
const PLANTED_MS_MAX = 1_000
const PLANTED_MS_MAX_SHORT = 10_000
const RETRIES_MAX = 3
const HEAP_MB_MAX = 400
const MEMORY_MB_MAX = 1_500
const SAY_EVERY_MS = 4_000
const SHOWN_MAX = 10
const PROGRAM = join(import.meta.dirname, 'sites/crawler-process.ts')

type Answered = Omit<SiteRead, 'peaks'> & { index: number }

export const fuzzSites: NamedRun = {
  about: 'whole sites that attack their reader: each answered, no death, no stall, memory bounded',
  proof: {
    title: 'Hostile sites',
    about:
      'Whole sites are served from raw sockets, byte by byte: rules of every size and shape, redirects and refreshes that ' +
      'lead in circles, inwards or nowhere, sitemaps, floods of headers and cookies, false lengths and encodings, names that ' +
      'lead nowhere, certificates of every kind, and bodies that are cut, slow or endless. The real crawl loop reads them in ' +
      'a process of its own, with the guarded client, the reader threads, extraction and matching; its event loop and ' +
      'memory are watched. A stall is counted by the processor time of the thread, so that a busy machine is none.',
    figures: {
      sites: { label: 'sites', atLeast: 20_000 },
      unanswered: { label: 'sites without an answer', atMost: 0 },
      deaths: { label: 'deaths of the worker', atMost: 0 },
      stall_ms_max: { label: 'longest stall of the event loop', unit: 'ms', atMost: 250 },
      planted_ms_max: { label: 'slowest answer to the rules that once stopped a worker', unit: 'ms', atMost: 1_000 },
      heap_peak_mb: { label: 'heap at its peak', unit: 'MB', atMost: 400 },
      memory_peak_mb: { label: 'memory at its peak, threads included', unit: 'MB' },
      p99_ms: { label: '99 % of sites within', unit: 'ms' },
      seed: { label: 'seed' },
    },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const startedAtMs = performance.now()
  const elapsedSeconds = () => (performance.now() - startedAtMs) / 1_000
  const seeds = readSeedPages()
  const stock = { seeds: seeds.pages, bait: makeBait(options.seed) }
  const plans = new Map<number, ReturnType<typeof planSite>>()
  const web = await startHostileWeb((host) => {
    const index = Number(/^s(\d+)\./.exec(host)?.[1] ?? Number.NaN)
    return plans.get(index) ?? null
  })
  const start: ToCrawler = { kind: 'start', web: web.settings, companies: seeds.companies.slice(0, 2_000) }
  const runs = Array.from({ length: options.short ? WORKERS_SHORT : WORKERS }, () => new FuzzRun(start))
  const wanted = options.short ? SITES_SHORT : SITES
  const secondsMax = options.short ? SECONDS_MAX_SHORT : SECONDS_MAX
  let next = 0
  const readSites = async (run: FuzzRun) => {
    while (next < wanted && elapsedSeconds() < secondsMax) {
      const index = next++
      plans.set(index, planSite(options.seed, index, stock))
      await run.read(index)
      plans.delete(index)
    }
  }
  using _progress = every(SAY_EVERY_MS, () => {
    options.say(`${sum(runs.map(({ answers }) => answers.length))} of ${wanted} sites`)
  })
  // Planted sites are read by each process alone, one after the other: the time they take is promised.
  const planted: Answered[] = []
  for (; next < PLANTED_COUNT; next += 1) {
    plans.set(next, planSite(options.seed, next, stock))
    for (const run of runs) {
      const answer = await run.read(next)
      // The first warms the process up.
      if (next > 0) planted.push(answer)
    }
  }
  await Promise.all(runs.flatMap((run) => Array.from({ length: SITES_AT_ONCE }, () => readSites(run))))
  await Promise.all(runs.map((run) => run[Symbol.asyncDispose]()))
  web.close()
  return summarise(runs, { planted, options, seconds: Math.round(elapsedSeconds()) })
}

function summarise(
  runs: FuzzRun[],
  { planted, options, seconds }: { planted: Answered[]; options: RunOptions; seconds: number },
): RunReport {
  const answers = runs.flatMap((run) => run.answers)
  const failures = answers.filter(({ failure }) => failure !== null)
  for (const { index, failure } of failures.slice(0, SHOWN_MAX)) {
    console.error(`seed ${options.seed}, site ${index}: ${failure?.slice(0, 800)}`)
  }
  const times = answers.map(({ milliseconds }) => milliseconds)
  const peak = (name: keyof Peaks) => Math.round(Math.max(...runs.map(({ peaks }) => peaks[name])))
  const [slowest] = answers.toSorted((one, other) => other.decisionMs - one.decisionMs)
  const plantedMs = Math.max(...planted.map(({ milliseconds }) => milliseconds))
  const counts = new Map<string, number>()
  for (const { finding } of answers) countUp(counts, finding)
  const report = {
    sites: answers.length,
    workers: runs.length,
    repeated: sum(runs.map(({ repeated }) => repeated)),
    unanswered: failures.length,
    deaths: sum(runs.map(({ deaths }) => deaths)),
    stall_ms_max: peak('stallMs'),
    decision_ms_max: Math.round(slowest?.decisionMs ?? 0),
    decision_slowest_site: slowest?.index ?? 0,
    planted_ms_max: Math.round(plantedMs),
    heap_peak_mb: peak('heapMb'),
    memory_peak_mb: peak('memoryMb'),
    p99_ms: Math.round(quantile(times, 0.99)),
    slowest_ms: Math.round(Math.max(...times)),
    seconds,
    seed: options.seed,
  }
  return {
    ...report,
    details: describeShares('how the site was found', counts),
    ok:
      report.unanswered === 0 &&
      report.deaths === 0 &&
      report.stall_ms_max <= (options.short ? STALL_MS_MAX_SHORT : STALL_MS_MAX) &&
      plantedMs < (options.short ? PLANTED_MS_MAX_SHORT : PLANTED_MS_MAX) &&
      report.heap_peak_mb <= HEAP_MB_MAX &&
      report.memory_peak_mb <= MEMORY_MB_MAX,
  }
}

/** The crawling process, and another when it dies. */
class FuzzRun implements AsyncDisposable {
  readonly answers: Answered[] = []
  deaths = 0
  repeated = 0
  peaks: Peaks = { stallMs: 0, heapMb: 0, memoryMb: 0 }
  readonly #start: ToCrawler
  #child: Promise<Child<unknown>> | undefined

  constructor(start: ToCrawler) {
    this.#start = start
  }

  /** As the job does: an attempt that fails by our own stall is made again. */
  async read(index: number): Promise<Answered> {
    let answer = await this.#attempt(index)
    for (let retry = 0; retry < RETRIES_MAX && answer.isStalled; retry += 1) {
      this.repeated += 1
      answer = await this.#attempt(index)
    }
    this.answers.push(answer)
    return answer
  }

  async #attempt(index: number): Promise<Answered> {
    const opened = (this.#child ??= this.#open())
    const child = await opened
    try {
      const question: ToCrawler = { kind: 'site', domain: `s${index}.${SUFFIX}` }
      const read = await child.ask<SiteRead>(question, SITE_MS_MAX)
      for (const name of ['stallMs', 'heapMb', 'memoryMb'] as const)
        this.peaks[name] = Math.max(this.peaks[name], read.peaks[name])
      return { ...read, index }
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      // All sites that a dead process was reading fail; it died once.
      if (this.#child === opened && !isAlive(child.pid)) {
        this.deaths += 1
        this.#child = undefined
      }
      return { index, finding: 'none', milliseconds: SITE_MS_MAX, failure, decisionMs: 0, isStalled: false }
    }
  }

  async #open(): Promise<Child<unknown>> {
    const child = await startChild(PROGRAM, { flags: [`--max-old-space-size=${HEAP_MB_MAX}`] })
    await child.ask(this.#start)
    return child
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#child)?.[Symbol.asyncDispose]()
  }
}
