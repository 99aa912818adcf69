import { setTimeout as sleep } from 'node:timers/promises'
import type { Resolution } from '../../src/resolver/resolution.ts'
import type { ResolvedSite } from './answer.ts'

export type Resolve = (domain: string) => Promise<Resolution>

export interface ResolveOptions {
  resolve: Resolve
  concurrency: number
  onSite: (site: ResolvedSite) => void
  signal: AbortSignal
}

// Far beyond what a resolution may take by itself: a domain that never answers must not hold the others up.
const SITE_TIMEOUT_MS = 180_000

/** Resolves every domain, `concurrency` at a time. What throws for one is its answer, and the others go on. */
export async function resolveSites(domains: readonly string[], options: ResolveOptions): Promise<ResolvedSite[]> {
  const sites: ResolvedSite[] = []
  const queue = domains.values()
  const work = async () => {
    for (const domain of queue) {
      if (options.signal.aborted) return
      const site = await resolveSite(options.resolve, domain)
      sites.push(site)
      options.onSite(site)
    }
  }
  const all = Promise.all(Array.from({ length: Math.min(options.concurrency, domains.length) }, work))
  await Promise.race([all, rejectOnAbort(options.signal)])
  return sites
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

async function resolveSite(resolve: Resolve, domain: string): Promise<ResolvedSite> {
  const startedAt = performance.now()
  const timer = new AbortController()
  const late = sleep(SITE_TIMEOUT_MS, null, { signal: timer.signal }).then(() => {
    throw new Error(`no answer within ${SITE_TIMEOUT_MS / 1_000} s`)
  })
  late.catch(() => undefined)
  try {
    const resolution = await Promise.race([resolve(domain), late])
    return { domain, resolution, error: null, milliseconds: performance.now() - startedAt }
  } catch (error) {
    return { domain, resolution: null, error: describe(error), milliseconds: performance.now() - startedAt }
  } finally {
    timer.abort()
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
