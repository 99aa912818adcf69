/** One crawl in a process of its own, so that the CPU and memory counted are its alone. */
import { join } from 'node:path'
import { serveParent, startChild } from '../../../rig/child.ts'
import { sum } from '../../../rig/statistics.ts'
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
  /** The pages there are to fetch, for a crawler that does not find them by itself. */
  pages: string[]
}

export interface CrawledSite extends ListedSite {
  /** Pages and all other requests on the way to them. */
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

/** `program` is a file beside this one that calls `serveCrawl`. */
export async function crawlInProcess(program: string, task: CrawlTask): Promise<MeasuredCrawl> {
  await using child = await startChild(join(import.meta.dirname, program))
  return await child.ask<MeasuredCrawl>(task)
}

export function serveCrawl(crawl: Crawler): void {
  serveParent('ready', (task: CrawlTask) => measure(crawl, task))
}

/** Crawls a few sites to warm up, then measures all of them. */
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
    pages: sum(sites.map((site) => site.pages.length)),
    requests: sum(sites.map((site) => site.requests)),
    seconds,
    cpuMs: cpuMicroseconds / 1_000,
    peakMb: after.maxRSS / 1_024,
  }
}
