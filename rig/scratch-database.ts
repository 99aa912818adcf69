import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './postgres.ts'

/** A PostgreSQL for one piece of work, with durability on: what is measured there is what production would do. */
export async function withScratchDatabase<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const given = process.env['SCRATCH_DATABASE_URL']
  if (given) return work(given)
  const directory = mkdtempSync(join(tmpdir(), 'nameplate-scratch-'))
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    persistent: false,
    settings: { shared_buffers: '512MB' },
  })
  try {
    return await work(postgres.url)
  } finally {
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
