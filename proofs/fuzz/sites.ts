/**
 * Whole hostile sites, served from raw sockets to the real crawl loop in a process of its own: rules, redirects, refreshes,
 * sitemaps, headers, cookies, character sets, names, certificates, endless and slow bodies. Every site must be answered, no
 * process may die, and nothing may hold up the event loop.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeShares, quantile } from '../../rig/statistics.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import { makeBait } from './pages/regex-bait.ts'
import { readSeedPages } from './pages/seed-pages.ts'
import type { FromCrawler, ToCrawler } from './sites/crawler-process.ts'
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
const SAY_EVERY_MS = 5_000
const SHOWN_MAX = 10
const PROGRAM = join(import.meta.dirname, 'sites/crawler-process.ts')

type Answered = FromCrawler & { kind: 'answered' }

export async function fuzzSites(options: RunOptions): Promise<RunReport> {
  const startedAtMs = performance.now()
  const elapsedSeconds = () => (performance.now() - startedAtMs) / 1_000
  const seeds = readSeedPages()
  const stock = { seeds: seeds.pages, bait: makeBait(options.seed) }
  const plans = new Map<number, ReturnType<typeof planSite>>()
  const web = await startHostileWeb((host) => {
    const place = Number(/^s(\d+)\./.exec(host)?.[1] ?? Number.NaN)
    return plans.get(place) ?? null
  })
  const start: ToCrawler = { kind: 'start', web: web.settings, companies: seeds.companies.slice(0, 2_000) }
  const runs = Array.from({ length: options.short ? WORKERS_SHORT : WORKERS }, () => new FuzzRun(start))
  const wanted = options.short ? SITES_SHORT : SITES
  const secondsMax = options.short ? SECONDS_MAX_SHORT : SECONDS_MAX
  let next = 0
  const readSites = async (run: FuzzRun) => {
    while (next < wanted && elapsedSeconds() < secondsMax) {
      const place = next++
      plans.set(place, planSite(options.seed, place, stock))
      await run.read(place)
      plans.delete(place)
    }
  }
  const saying = setInterval(() => {
    const answered = runs.reduce((sum, { answers }) => sum + answers.length, 0)
    if (!options.json) console.log(`${answered} of ${wanted} sites after ${Math.round(elapsedSeconds())} s`)
  }, SAY_EVERY_MS)
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
  clearInterval(saying)
  for (const run of runs) run.close()
  web.close()
  return summarise(runs, { planted, options, seconds: Math.round(elapsedSeconds()) })
}

function summarise(
  runs: FuzzRun[],
  { planted, options, seconds }: { planted: Answered[]; options: RunOptions; seconds: number },
): RunReport {
  const answers = runs.flatMap((run) => run.answers)
  const failures = answers.filter(({ failure }) => failure !== null)
  for (const { place, failure } of failures.slice(0, SHOWN_MAX)) {
    console.error(`seed ${options.seed}, site ${place}: ${failure?.slice(0, 800)}`)
  }
  const times = answers.map(({ milliseconds }) => milliseconds)
  const longest = (of: (run: FuzzRun) => number) => Math.round(Math.max(...runs.map(of)))
  const plantedMs = Math.max(...planted.map(({ milliseconds }) => milliseconds))
  const counts = new Map<string, number>()
  for (const { finding } of answers) counts.set(finding, (counts.get(finding) ?? 0) + 1)
  const report = {
    sites: answers.length,
    workers: runs.length,
    repeated: runs.reduce((sum, { repeated }) => sum + repeated, 0),
    unanswered: failures.length,
    deaths: runs.reduce((sum, { deaths }) => sum + deaths, 0),
    stall_ms_max: longest(({ stallMs }) => stallMs),
    planted_ms_max: Math.round(plantedMs),
    heap_peak_mb: longest(({ heapMb }) => heapMb),
    memory_peak_mb: longest(({ memoryMb }) => memoryMb),
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
class FuzzRun {
  readonly answers: Answered[] = []
  deaths = 0
  repeated = 0
  stallMs = 0
  heapMb = 0
  memoryMb = 0
  readonly #start: ToCrawler
  readonly #waiting = new Map<number, (answer: Answered) => void>()
  #child: Promise<ChildProcess> | undefined
  #isClosing = false

  constructor(start: ToCrawler) {
    this.#start = start
  }

  /** As the job does: an attempt that fails by our own stall is made again. */
  async read(place: number): Promise<Answered> {
    let answer = await this.#attempt(place)
    for (let retry = 0; retry < RETRIES_MAX && answer.failure?.includes('stalled'); retry += 1) {
      this.repeated += 1
      answer = await this.#attempt(place)
    }
    this.answers.push(answer)
    return answer
  }

  async #attempt(place: number): Promise<Answered> {
    this.#child ??= this.#open()
    const child = await this.#child
    const { promise, resolve } = Promise.withResolvers<Answered>()
    this.#waiting.set(place, resolve)
    child.send({ kind: 'site', place, domain: `s${place}.${SUFFIX}` } satisfies ToCrawler)
    const timer = new AbortController()
    const late = sleep(SITE_MS_MAX, failed(place, 'not answered in time'), { signal: timer.signal })
    const answer = await Promise.race([promise, late.catch(() => failed(place, 'ended'))])
    timer.abort()
    this.#waiting.delete(place)
    return answer
  }

  close(): void {
    this.#isClosing = true
    void this.#child?.then((child) => child.kill('SIGKILL'))
  }

  #open(): Promise<ChildProcess> {
    const { promise, resolve } = Promise.withResolvers<ChildProcess>()
    const child = fork(PROGRAM, {
      execArgv: [`--max-old-space-size=${HEAP_MB_MAX}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.on('message', (message: FromCrawler) => {
      if (message.kind === 'ready') resolve(child)
      else if (message.kind === 'answered') this.#waiting.get(message.place)?.(message)
      else this.#note(message)
    })
    child.on('exit', (code, signal) => {
      if (this.#isClosing) return
      this.deaths += 1
      this.#child = undefined
      for (const [place, answer] of this.#waiting) answer(failed(place, `the process ended (${code ?? signal})`))
    })
    child.send(this.#start)
    return promise
  }

  #note({ stallMs, heapMb, memoryMb }: FromCrawler & { kind: 'watch' }): void {
    this.stallMs = Math.max(this.stallMs, stallMs)
    this.heapMb = Math.max(this.heapMb, heapMb)
    this.memoryMb = Math.max(this.memoryMb, memoryMb)
  }
}

function failed(place: number, failure: string): Answered {
  return { kind: 'answered', place, finding: 'none', milliseconds: SITE_MS_MAX, failure }
}
