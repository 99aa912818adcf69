/**
 * The pages that answers quote, over the sites of exam-1 (or --world): their size for each site that quotes any, before and after
 * the same bytes are stored once and compressed; and the CPU that keeping takes beyond the crawl. Every site is read once. Then
 * its quoted pages are compressed again, and its answer is stored without and with them, in turns, and what each takes is counted.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { getTimes, readFamilyCpuMs } from '../../rig/processes.ts'
import { openWorldStage, type WorldStage } from '../../rig/stage.ts'
import { round, spread, sum } from '../../rig/statistics.ts'
import { openWorld } from '../../rig/world.ts'
import type { App } from '../../src/app.ts'
import { onlyRow } from '../../src/lib/db/db.ts'
import { storeAnswer } from '../../src/resolution/index.ts'
import { compressBody, type Resolution, resolveDomain } from '../../src/resolver/index.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'

const WORLD = ['exam-1.tar.gz', 'demo']
const SITES_AT_ONCE = 8
const SITES_SHORT = 40
const ROUNDS = 3

export async function benchArchive(options: RunOptions): Promise<RunReport> {
  const folder = join(import.meta.dirname, '../../worlds')
  const path = WORLD.map((name) => join(folder, name)).find((name) => existsSync(name)) ?? ''
  using world = openWorld(options.world ?? path)
  await using stage = await openWorldStage(world, { say: options.say })
  const readable = world.labels.filter(({ outcome }) => outcome !== 'scrape_failed').map(({ domain }) => domain)
  const sites = options.short ? spread(readable, SITES_SHORT) : readable.slice(0, options.domains ?? readable.length)
  const resolutions = await readSites(stage.app, sites, options.say)
  const quoting = resolutions.filter(({ captures = [] }) => captures.length > 0)
  options.say(`${quoting.length} of ${resolutions.length} sites have pages that are quoted`)
  const compressMs = await measureCompression(quoting)
  const stored = await measureStoring(stage, quoting)
  return { ...describeSizes(resolutions, quoting), ...describeCpu(quoting.length, compressMs, stored) }
}

async function readSites(app: App, domains: string[], say: (line: string) => void): Promise<Resolution[]> {
  const results: Resolution[] = []
  const left = [...domains]
  const readOn = async () => {
    for (let domain = left.pop(); domain !== undefined; domain = left.pop()) {
      results.push(await resolveDomain(app, domain))
      if (results.length % 100 === 0) say(`${results.length} sites read`)
    }
  }
  await Promise.all(Array.from({ length: SITES_AT_ONCE }, readOn))
  return results
}

function describeSizes(resolutions: readonly Resolution[], quoting: readonly Resolution[]) {
  const captures = quoting.flatMap((resolution) => resolution.captures ?? [])
  const bodies = [...new Map(captures.map((capture) => [capture.sha256, capture])).values()]
  const storedBytes = sum(bodies.map(({ content }) => Buffer.byteLength(content, 'base64')))
  const headBytes = sum(captures.map(({ request, response }) => request.length + response.length))
  const perSite = (bytes: number) => Math.round(bytes / quoting.length)
  return {
    sites: resolutions.length,
    sites_with_quotes: quoting.length,
    pages: captures.length,
    bodies: bodies.length,
    bytes_per_site: perSite(sum(captures.map(({ bytes }) => bytes))),
    bytes_per_site_once: perSite(sum(bodies.map(({ bytes }) => bytes))),
    bytes_per_site_compressed: perSite(storedBytes),
    head_bytes_per_site: perSite(headBytes),
  }
}

const decompress = promisify(zstdDecompress)

/** Returns the CPU of all threads, in the best of some rounds. */
async function measureCompression(quoting: readonly Resolution[]): Promise<number> {
  const contents = quoting.flatMap(({ captures = [] }) => captures.map(({ content }) => Buffer.from(content, 'base64')))
  const bodies = await Promise.all(contents.map((content) => decompress(content)))
  const rounds: number[] = []
  for (let count = 0; count < ROUNDS; count += 1) {
    const before = process.cpuUsage()
    for (const body of bodies) await compressBody(body)
    rounds.push(toMs(process.cpuUsage(before)))
  }
  return Math.min(...rounds)
}

const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000

interface StoreCost {
  ownMs: number
  databaseMs: number
}

/** Stores each answer without its pages, and then as another one with them. */
async function measureStoring(
  { app }: WorldStage,
  quoting: readonly Resolution[],
): Promise<StoreCost & { tableBytes: number }> {
  const backend = onlyRow(await app.db.query<{ pid: number }>('select pg_backend_pid() as pid'))
  const server = getTimes(backend.pid).parent
  const cost = async (toStored: (resolution: Resolution) => Resolution): Promise<StoreCost> => {
    const [before, databaseBefore] = [process.cpuUsage(), readFamilyCpuMs(server)]
    for (const resolution of quoting) await app.db.transaction((tx) => storeAnswer(app, tx, toStored(resolution)))
    return { ownMs: toMs(process.cpuUsage(before)), databaseMs: readFamilyCpuMs(server) - databaseBefore }
  }
  const bare = (resolution: Resolution): Resolution => ({ ...resolution, captures: [] })
  // The first round compiles and plans.
  await cost(bare)
  const without = await cost(bare)
  const sized = await cost((resolution) => resolution)
  const [size] = await app.db.query<{ bytes: number }>(
    `select (pg_total_relation_size('page_body') + pg_total_relation_size('page_capture'))::float8 as bytes`,
  )
  return {
    ownMs: Math.max(0, sized.ownMs - without.ownMs),
    databaseMs: Math.max(0, sized.databaseMs - without.databaseMs),
    tableBytes: size?.bytes ?? 0,
  }
}

function describeCpu(
  sites: number,
  compressMs: number,
  { ownMs, databaseMs, tableBytes }: StoreCost & { tableBytes: number },
) {
  return {
    table_bytes_per_site: Math.round(tableBytes / sites),
    compress_cpu_ms_per_site: round(compressMs / sites, 2),
    store_cpu_ms_per_site: round(ownMs / sites, 2),
    cpu_ms_per_site: round((compressMs + ownMs) / sites, 2),
    database_cpu_ms_per_site: round(databaseMs / sites, 2),
  }
}
