/** One crawl in a process of its own, so that the CPU and memory counted are its alone. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SimulatedWeb } from '../../../src/lib/web/guarded-client.ts'

export interface CrawlTask {
  web: SimulatedWeb
  sites: ListedSite[]
  sitesAtOnce: number
  /** Crawled first and not counted: code is compiled while it first runs. */
  warmUpSites: number
}

export interface ListedSite {
  domain: string
  /** What there is to fetch, for a crawler that does not find it by itself. */
  pages: string[]
}

export interface CrawledSite extends ListedSite {
  /** Pages and whatever else was asked for on the way to them. */
  requests: number
  isReadable: boolean
  milliseconds: number
}

export interface MeasuredCrawl {
  sites: CrawledSite[]
  pages: number
  requests: number
  seconds: number
  /** User and system time of the whole process, its other threads included. */
  cpuMs: number
  peakMb: number
}

export type Crawler = (task: CrawlTask) => Promise<CrawledSite[]>

const TIMEOUT_MS = 600_000

/** `program` is a file beside this one that calls `serveCrawl`. */
export async function crawlInProcess(program: string, task: CrawlTask): Promise<MeasuredCrawl> {
  const child = fork(join(import.meta.dirname, program), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  try {
    const answered = once(child, 'message').then(([message]) => message as MeasuredCrawl)
    const ended = once(child, 'exit').then(([code]) => new Error(`${program} ended with code ${code}`))
    const late = sleep(TIMEOUT_MS, new Error(`${program} was not done in time`), { ref: false })
    child.send(task)
    const first = await Promise.race([answered, ended, late])
    if (first instanceof Error) throw first
    return first
  } finally {
    child.kill('SIGKILL')
  }
}

/** Crawls what the parent sends, once. */
export function serveCrawl(crawl: Crawler): void {
  process.once('disconnect', () => process.exit(0))
  process.once('message', (task: CrawlTask) => {
    // A failure ends the process, and the parent hears of it.
    void measure(crawl, task).then((measured) => process.send?.(measured))
  })
}

/** A few sites to warm up, then all of them with the meter running. */
async function measure(crawl: Crawler, task: CrawlTask): Promise<MeasuredCrawl> {
  await crawl({ ...task, sites: task.sites.slice(0, task.warmUpSites) })
  const before = process.resourceUsage()
  const startedAtMs = performance.now()
  const sites = await crawl(task)
  const seconds = (performance.now() - startedAtMs) / 1_000
  const after = process.resourceUsage()
  const cpuMicroseconds = after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime
  return {
    sites,
    pages: sites.reduce((sum, site) => sum + site.pages.length, 0),
    requests: sites.reduce((sum, site) => sum + site.requests, 0),
    seconds,
    cpuMs: cpuMicroseconds / 1_000,
    peakMb: after.maxRSS / 1_024,
  }
}
