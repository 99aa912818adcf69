import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../sim/postgres.ts'

/** A PostgreSQL of its own with durability on: what is measured is what production would do. */
export async function withBenchDatabase<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const given = process.env['BENCH_DATABASE_URL']
  if (given) return work(given)
  const directory = mkdtempSync(join(tmpdir(), 'nameplate-bench-'))
  const postgres = await startPostgres({ directory: join(directory, 'postgres'), persistent: false, settings: { shared_buffers: '512MB' } })
  try {
    return await work(postgres.url)
  } finally {
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
