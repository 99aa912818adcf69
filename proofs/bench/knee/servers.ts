/** The servers of a larger installation: a primary with a replica that streams its log, and two crawl databases. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort, querySql, serverUser, startPostgres } from '../../../rig/postgres.ts'
import { ScratchDatabase } from '../../../rig/scratch-database.ts'
import { until } from '../../../rig/until.ts'
import { type GivenServers, watchServer } from '../mixed/stage.ts'

/** As the one that a stage starts: with durability on. */
const SETTINGS = { shared_buffers: '512MB' }
const CRAWL_STORES = ['c1', 'c2']

export interface Servers extends GivenServers, AsyncDisposable {}

export async function startServers(): Promise<Servers> {
  await using opened = new AsyncDisposableStack()
  const { primaryUrl, replicaUrl } = await startPair(opened)
  const stores: Array<{ name: string; url: string }> = []
  for (const name of CRAWL_STORES) {
    const { url } = opened.use(await ScratchDatabase.open({ shared_buffers: '64MB' }))
    stores.push({ name, url })
  }
  const processes = [
    await watchServer('PostgreSQL', primaryUrl),
    await watchServer('replica', replicaUrl),
    ...(await Promise.all(stores.map(({ name, url }) => watchServer(`crawl database ${name}`, url)))),
  ]
  const all = opened.move()
  return {
    databaseUrl: primaryUrl,
    settings: {
      DATABASE_REPLICA_URL: replicaUrl,
      CRAWL_DATABASE_URLS: stores.map(({ name, url }) => `${name}=${url}`).join(),
    },
    processes,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Copies the folder of a primary that has stopped: its package has no tool to copy one that runs. */
async function startPair(opened: AsyncDisposableStack): Promise<{ primaryUrl: string; replicaUrl: string }> {
  const home = mkdtempSync(join(tmpdir(), 'nameplate-pair-'))
  opened.defer(() => rmSync(home, { recursive: true, force: true }))
  chmodSync(home, 0o755)
  const [directory, copy] = [join(home, 'primary'), join(home, 'replica')]
  const start = async (of: string, port: number) => {
    const server = await startPostgres({ directory: of, port, persistent: true, settings: SETTINGS })
    opened.defer(() => server.stop())
    return server
  }
  const port = await findFreePort()
  await (await start(directory, port)).stop()
  execFileSync('cp', ['--archive', directory, copy])
  const { url: primaryUrl } = await start(directory, port)
  writeFileSync(join(copy, 'data/postgresql.auto.conf'), `primary_conninfo = '${primaryUrl}'\n`)
  const signal = join(copy, 'data/standby.signal')
  writeFileSync(signal, '')
  const runAs = serverUser()
  if (runAs) chownSync(signal, runAs.uid, runAs.gid)
  const { url: replicaUrl } = await start(copy, await findFreePort())
  const streams = 'select from pg_stat_replication'
  await until(async () => (await querySql(primaryUrl, streams)).length > 0, 'the replica does not stream')
  return { primaryUrl, replicaUrl }
}
