/** The worker's part, in a process of its own: reads the sites that it is sent, with a watch on its event loop and heap. */
import { systemClock } from '../../../src/lib/clock.ts'
import { type Admission, LeasedLimiter } from '../../../src/lib/limits/leased-limiter.ts'
import { GuardedClient, type SimulatedWeb } from '../../../src/lib/web/guarded-client.ts'
import { protectGlobalFetch } from '../../../src/lib/web/outgoing-fetch.ts'
import { Pace } from '../../../src/lib/web/pace.ts'
import { crawlSite } from '../../../src/resolver/crawl/crawl-site.ts'
import { matchSite } from '../../../src/resolver/match/match-site.ts'
import { present } from '../../../src/resolver/match/present.ts'
import { siteReader, Unreadable } from '../../../src/resolver/read/site-reader.ts'
import { type FixtureCompany, fixtureRegister } from '../../../src/resolver/register-view.fixture.ts'

export type ToCrawler =
  | { kind: 'start'; web: SimulatedWeb; companies: FixtureCompany[] }
  | { kind: 'site'; place: number; domain: string }

export type FromCrawler =
  | { kind: 'ready' }
  | { kind: 'answered'; place: number; finding: string; milliseconds: number; failure: string | null }
  | { kind: 'watch'; stallMs: number; heapMb: number; memoryMb: number }

/** Pace would be all that is tried: sites are a thousand a minute here. */
class NobodyWaits extends LeasedLimiter {
  constructor() {
    super({ query: () => Promise.reject(new Error('there is no database here')) })
  }

  override async admit(): Promise<Admission> {
    return { kind: 'admitted', remaining: 1, resetSeconds: 0 }
  }
}

class FreePace extends Pace {
  override async enterAddress(): Promise<() => void> {
    return () => {}
  }
}

const tell = (message: FromCrawler) => process.send?.(message)

protectGlobalFetch()
process.once('disconnect', () => process.exit(0))
process.once('message', (start: ToCrawler) => {
  if (start.kind !== 'start') return
  const web = new GuardedClient({ userAgent: 'NameplateBot/fuzz', dnsServers: [], simulated: start.web })
  const world = { web, pace: new FreePace(new NobodyWaits()), clock: systemClock }
  const register = fixtureRegister(start.companies)
  watch()
  process.on('message', (message: ToCrawler) => {
    if (message.kind === 'site') void read(world, register, message).then(tell)
  })
  tell({ kind: 'ready' })
})

async function read(
  world: Parameters<typeof crawlSite>[0],
  register: ReturnType<typeof fixtureRegister>,
  { place, domain }: { place: number; domain: string },
): Promise<FromCrawler> {
  const startedAtMs = performance.now()
  const answered = (finding: string, failure: string | null): FromCrawler => {
    return { kind: 'answered', place, finding, milliseconds: performance.now() - startedAtMs, failure }
  }
  try {
    const crawl = await crawlSite(world, domain, { isProofComplete: () => false })
    if (crawl.pages.length > 0) {
      const findings = await siteReader().extractFindings(crawl)
      const { verdict, site } = matchSite(findings, register)
      JSON.stringify(present(verdict, site))
    }
    return answered(crawl.outcome, null)
  } catch (error) {
    if (error instanceof Unreadable) return answered('unreadable', null)
    return answered(
      'none',
      error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error),
    )
  }
}

const TICK_MS = 20
const TELL_EVERY_MS = 1_000

/**
 * The longest time that the event loop was held up by this process's own work: no more than a tick was late, and no more
 * than its thread had of the processor meanwhile, so that a busy machine is not taken for a stall.
 */
function watch(): void {
  let [expectedAtMs, cpu, stallMs] = [performance.now() + TICK_MS, process.threadCpuUsage(), 0]
  setInterval(() => {
    const lateMs = performance.now() - expectedAtMs
    const { user, system } = process.threadCpuUsage(cpu)
    stallMs = Math.max(stallMs, Math.min(lateMs, (user + system) / 1_000))
    expectedAtMs = performance.now() + TICK_MS
    cpu = process.threadCpuUsage()
  }, TICK_MS).unref()
  setInterval(() => {
    const { heapUsed, rss } = process.memoryUsage()
    tell({ kind: 'watch', stallMs, heapMb: heapUsed / 2 ** 20, memoryMb: rss / 2 ** 20 })
  }, TELL_EVERY_MS).unref()
}
