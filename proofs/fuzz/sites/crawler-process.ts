/** The worker's part, in a process of its own: reads the sites that it is sent, with a watch on its event loop and heap. */
import { inspect } from 'node:util'
import { serveParent } from '../../../rig/child.ts'
import { NoPace } from '../../../rig/no-pace.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { LoopLag } from '../../../src/lib/loop-lag.ts'
import { GuardedClient, type SimulatedWeb } from '../../../src/lib/web/guarded-client.ts'
import { protectGlobalFetch } from '../../../src/lib/web/outgoing-fetch.ts'
import { crawlSite, ProcessStalled } from '../../../src/resolver/crawl/crawl-site.ts'
import type { Lookups, RegisterData } from '../../../src/resolver/match/register-view.ts'
import { openReaderThreads } from '../../../src/resolver/read/reader-threads.ts'
import { SiteReader, Unreadable } from '../../../src/resolver/read/site-reader.ts'
import { type FixtureCompany, fixtureRegister } from '../../../src/resolver/register-view.fixture.ts'

export type ToCrawler =
  | { kind: 'start'; web: SimulatedWeb; companies: FixtureCompany[] }
  | { kind: 'site'; domain: string }

export interface SiteRead {
  finding: string
  milliseconds: number
  failure: string | null
  /** From the question to the decision, which a reader thread makes. */
  decisionMs: number
  /** The failure is the machine's, and a job would be run again. */
  isStalled: boolean
  /** The process so far, at its worst. */
  peaks: Peaks
}

export interface Peaks {
  stallMs: number
  heapMb: number
  memoryMb: number
}

protectGlobalFetch()

let crawl = (_domain: string): Promise<SiteRead> => Promise.reject(new Error('the first question is the start'))

serveParent('ready', async (question: ToCrawler) => {
  if (question.kind === 'site') return crawl(question.domain)
  const web = new GuardedClient({ userAgent: 'NameplateBot/fuzz', dnsServers: [], simulated: question.web })
  const reader = new SiteReader(openReaderThreads())
  const world = { web, pace: new NoPace(), clock: systemClock, loopLag: new LoopLag(), reader }
  const { isRare: _, ...register } = fixtureRegister(question.companies)
  const peaks = watchPeaks()
  crawl = async (domain) => ({ ...(await read(world, register, domain)), peaks })
  return null
})

async function read(
  world: Parameters<typeof crawlSite>[0],
  register: RegisterData,
  domain: string,
): Promise<Omit<SiteRead, 'peaks'>> {
  const startedAtMs = performance.now()
  let decisionMs = 0
  const answered = (finding: string, error?: unknown) => ({
    finding,
    decisionMs,
    milliseconds: performance.now() - startedAtMs,
    failure: error === undefined ? null : inspect(error),
    isStalled: error instanceof ProcessStalled,
  })
  try {
    const crawl = await crawlSite(world, domain, { isProofComplete: () => false })
    if (crawl.pages.length > 0) {
      const extracted = await world.reader.extract(crawl)
      const beganAtMs = performance.now()
      JSON.stringify(await world.reader.decide(extracted, lookUp(register, extracted.lookups)))
      decisionMs = performance.now() - beganAtMs
    }
    return answered(crawl.outcome)
  } catch (error) {
    return error instanceof Unreadable ? answered('unreadable') : answered('none', error)
  }
}

/** Returns the part of the register that a site names, as a worker reads it from its database. */
function lookUp(register: RegisterData, { names, numbers }: Lookups): RegisterData {
  const letters = names.map((name) => name.replaceAll(' ', ''))
  const byName = new Map(
    letters.flatMap((key) => (register.byName.has(key) ? [[key, register.byName.get(key) ?? []]] : [])),
  )
  const found = [...numbers, ...[...byName.values()].flat()]
  const companies = new Map(
    found.flatMap((number) => {
      const company = register.companies.get(number)
      return company ? [[number, company]] : []
    }),
  )
  return { ...register, companies, byName }
}

const TICK_MS = 20

/**
 * Records the longest time that the event loop was held up by this process's own work: no more than a tick was late, and no
 * more than its thread had of the processor meanwhile, so that a busy machine is not taken for a stall.
 */
function watchPeaks(): Peaks {
  const peaks: Peaks = { stallMs: 0, heapMb: 0, memoryMb: 0 }
  let [expectedAtMs, cpu] = [performance.now() + TICK_MS, process.threadCpuUsage()]
  setInterval(() => {
    const lateMs = performance.now() - expectedAtMs
    const { user, system } = process.threadCpuUsage(cpu)
    const { heapUsed, rss } = process.memoryUsage()
    peaks.stallMs = Math.max(peaks.stallMs, Math.min(lateMs, (user + system) / 1_000))
    peaks.heapMb = Math.max(peaks.heapMb, heapUsed / 2 ** 20)
    peaks.memoryMb = Math.max(peaks.memoryMb, rss / 2 ** 20)
    expectedAtMs = performance.now() + TICK_MS
    cpu = process.threadCpuUsage()
  }, TICK_MS).unref()
  return peaks
}
