/**
 * Reads a day of the accounts data product into PostgreSQL with the operator's command: 35,000 filings in the official
 * shape, of about 80 kB each. The second run reads the same file again and has nothing to write.
 */
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { drawAccountsFiles, writeAccountsDay } from '../../rig/companies-house/accounts-file.ts'
import type { ZippedFile } from '../../rig/companies-house/zip.ts'
import { openStage, type Stage } from '../../rig/stage.ts'
import { round } from '../../rig/statistics.ts'
import type { FiguresReport } from '../../src/register/index.ts'
import type { RunOptions, RunReport } from '../../tools/named-runs.ts'
import type { Proof } from '../../tools/proof/render.ts'

const FILINGS = 35_000
const FILINGS_SHORT = 2_000
const SECONDS_MAX = 600

export const FIGURES_PROOF: Proof = {
  title: 'A day of filed accounts',
  about:
    'The operator’s command reads a day of the accounts data product, in the official shape, into the database: each filing is opened, ' +
    'its iXBRL is read and its figures are stored.',
  figures: {
    filings: { label: 'filings', atLeast: FILINGS },
    file_mb: { label: 'file, compressed', unit: 'MB' },
    seconds: { label: 'time', unit: 's', atMost: SECONDS_MAX },
    again_seconds: { label: 'the same file again', unit: 's' },
    unreadable: { label: 'filings that were not read', atMost: 0 },
    peak_mb: { label: 'memory, at most', unit: 'MB' },
  },
}

export async function benchFigures(options: RunOptions): Promise<RunReport> {
  const filings = options.rows ?? (options.short ? FILINGS_SHORT : FILINGS)
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-bench-figures-'))
  try {
    const path = join(folder, 'Accounts_Bulk_Data-2026-02-10.zip')
    options.say(`writing ${filings} filings`)
    const documents = { bytes: 0 }
    const files = countBytes(drawAccountsFiles(options.seed, filings), documents)
    await pipeline(Readable.from(writeAccountsDay(files)), createWriteStream(path))
    await using stage = await openStage()
    options.say('first run')
    const first = await runImport(stage, path)
    options.say('the same file again')
    const again = await runImport(stage, path)
    const secondsForDay = (first.seconds / first.filings) * FILINGS
    return {
      ok: secondsForDay <= SECONDS_MAX && first.unreadable === 0 && first.companies === filings,
      filings_per_second: first.filingsPerSecond,
      seconds_for_35000: round(secondsForDay, 1),
      peak_mb: Math.max(first.peakMb, again.peakMb),
      filings: first.filings,
      unreadable: first.unreadable,
      periods: first.periods,
      seconds: round(first.seconds, 1),
      again_seconds: round(again.seconds, 1),
      file_mb: Math.round((await stat(path)).size / 1e6),
      document_kb: Math.round(documents.bytes / filings / 1_000),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function* countBytes(files: Iterable<ZippedFile>, counted: { bytes: number }): Generator<ZippedFile> {
  for (const file of files) {
    counted.bytes += file.bytes.length
    yield file
  }
}

type Report = FiguresReport & { filingsPerSecond: number; peakMb: number }

/** Runs the operator's command in a process, so that its memory is what an operator would see. */
async function runImport({ settings }: Stage, path: string): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../../src/main.ts'), 'register', 'figures', path, '--json'],
    { env: { PATH: process.env['PATH'], ...settings } },
  )
  return JSON.parse(stdout) as Report
}
