/**
 * Pages of real shape made worse in every way, and bombs, through all that is done with a page once its bytes are there:
 * decoding, reading, extraction, matching. Each must end in its time, throw nothing, and be read the same twice.
 */
import { inspect } from 'node:util'
import { countUp, describeShares, quantile, round } from '../../rig/statistics.ts'
import { every } from '../../rig/until.ts'
import { IsolatedThreads, ThreadFailure } from '../../src/lib/isolated-threads.ts'
import type { NamedRun, RunOptions, RunReport } from '../harness/named-runs.ts'
import { BOMBS } from './pages/bombs.ts'
import { inflateBombs } from './pages/inflate-bombs.ts'
import type { PageTask, ReadPage } from './pages/reader-thread.ts'
import { listPatterns } from './pages/regex-bait.ts'

const PAGES = 100_500
const PAGES_SHORT = 2_500
const THREADS = 2
/** Far above any bound of a page: only for pages that would never end. */
const LIMITS = { threads: THREADS, queueMax: THREADS, heapMbMax: 768, cpuMsMax: 60_000 }
const PROGRAM = new URL('./pages/reader-thread.ts', import.meta.url)
const TRIES_MAX = 3
/** Processor time, so that a busy machine fails no page. */
const PAGE_CPU_MS_MAX = 1_500
const BOMB_CPU_MS_MAX = 6_000
const ANSWER_CHARACTERS_MAX = 400_000
const SAY_EVERY_MS = 4_000
const SHOWN_MAX = 12

export const fuzzPages: NamedRun = {
  about: 'pages that no site should publish, and bombs: each read in its time and memory',
  proof: {
    title: 'Hostile pages',
    about:
      'Pages of the worlds are damaged in every way that pages are, and in ways that only an attacker would ' +
      'think of. Each goes through all that is done with a page, in a thread with a limit. Times are CPU.',
    figures: {
      pages: { label: 'pages', atLeast: 100_000 },
      bombs: { label: 'bombs' },
      patterns_baited: { label: 'patterns baited' },
      hangs: { label: 'hangs', atMost: 0 },
      crashes: { label: 'crashes', atMost: 0 },
      slowest_ms: { label: 'slowest page', unit: 'ms', atMost: 1_500 },
      slowest_bomb_ms: { label: 'slowest bomb', unit: 'ms', atMost: 6_000 },
      p99_ms: { label: '99 % of pages within', unit: 'ms' },
      memory_peak_mb: { label: 'memory at its peak', unit: 'MB' },
      seed: { label: 'seed' },
    },
  },
  run,
}

async function run(options: RunOptions): Promise<RunReport> {
  const startedAtMs = performance.now()
  const wanted = options.short ? PAGES_SHORT : PAGES
  const pages: ReadPage[] = []
  let residentMb = 0
  const threads = new IsolatedThreads({ program: PROGRAM, ...LIMITS })
  let next = -BOMBS.length
  const work = async () => {
    while (next < wanted) {
      const page = await readPage(threads, { seed: options.seed, index: next++ })
      pages.push(page)
      if (page.failure !== null) console.error(describe(page, options.seed))
      residentMb = Math.max(residentMb, process.memoryUsage.rss() / 2 ** 20)
    }
  }
  using _progress = every(SAY_EVERY_MS, () => {
    options.say(`${pages.length} pages, ${failuresOf(pages).length} failures`)
  })
  await Promise.all(Array.from({ length: THREADS }, work))
  await threads.close()
  const inflated = await inflateBombs()
  const { ok, ...figures } = summarise(pages, options)
  options.say(describeShares('what was done to the page', countKinds(pages)))
  return {
    ...figures,
    bombs: BOMBS.length + inflated.bombs,
    bombs_inflated_wrongly: inflated.wrong.length,
    patterns_baited: listPatterns().length,
    heap_peak_mb: Math.round(Math.max(...pages.map(({ heapMb }) => heapMb))),
    memory_peak_mb: Math.round(residentMb),
    seconds: Math.round((performance.now() - startedAtMs) / 1_000),
    seed: options.seed,
    ok: ok === true && inflated.wrong.length === 0,
  }
}

/** A page on which the thread hung or died says so. One whose thread got no processor is read again. */
async function readPage(threads: IsolatedThreads, task: PageTask): Promise<ReadPage> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await threads.run(task)) as ReadPage
    } catch (error) {
      if (!(error instanceof ThreadFailure) && tries < TRIES_MAX) continue
      const isHang = error instanceof ThreadFailure && error.reason === 'time'
      const failure = isHang ? 'hang' : `crash: ${inspect(error)}`
      return { index: task.index, kind: 'lost', bytes: 0, cpuMs: 0, answerCharacters: 0, heapMb: 0, failure }
    }
  }
}

function failuresOf(pages: readonly ReadPage[]): ReadPage[] {
  return pages.filter(({ failure }) => failure !== null)
}

function summarise(all: ReadPage[], options: RunOptions): RunReport {
  const pages = all.filter(({ index }) => index >= 0)
  const bombs = all.filter(({ index }) => index < 0)
  const failures = failuresOf(all)
  const hangs = failures.filter(({ failure }) => failure === 'hang')
  const slow = [
    ...pages.filter(({ cpuMs }) => cpuMs > PAGE_CPU_MS_MAX),
    ...bombs.filter(({ cpuMs }) => cpuMs > BOMB_CPU_MS_MAX),
  ]
  const long = all.filter(({ answerCharacters }) => answerCharacters > ANSWER_CHARACTERS_MAX)
  const times = pages.map(({ cpuMs }) => cpuMs)
  const slowest = all.toSorted((one, other) => other.cpuMs - one.cpuMs)
  for (const page of [...slow, ...long].slice(0, SHOWN_MAX)) console.error(describe(page, options.seed))
  for (const page of slowest.slice(0, 6)) options.say(describe(page, options.seed))
  return {
    pages: pages.length,
    hangs: hangs.length,
    crashes: failures.length - hangs.length,
    too_slow: slow.length,
    p50_ms: round(quantile(times, 0.5), 2),
    p99_ms: round(quantile(times, 0.99), 2),
    slowest_ms: Math.round(Math.max(...times)),
    slowest_bomb_ms: Math.round(Math.max(0, ...bombs.map(({ cpuMs }) => cpuMs))),
    longest_answer_characters: Math.max(...all.map(({ answerCharacters }) => answerCharacters)),
    ok: failures.length === 0 && slow.length === 0 && long.length === 0,
  }
}

function describe({ index, kind, bytes, cpuMs, answerCharacters, failure }: ReadPage, seed: number): string {
  const figures = `${Math.round(cpuMs)} ms, ${bytes} bytes, answer of ${answerCharacters}`
  return `seed ${seed}, page ${index} (${kind}): ${figures}${failure === null ? '' : `\n  ✗ ${failure.slice(0, 800)}`}`
}

function countKinds(pages: readonly ReadPage[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, index } of pages) {
    for (const one of index < 0 ? ['bomb'] : kind.split(' + ')) countUp(counts, one)
  }
  return counts
}
