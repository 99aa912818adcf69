import { Presets, SingleBar } from 'cli-progress'
import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { toLondonDate } from '../../lib/clock.ts'
import { NothingThere, openDownload } from '../../lib/web/download.ts'
import {
  type ImportProgress,
  importFigures,
  importPscs,
  importSnapshot,
  listUnreadDays,
  openAccountsFile,
  openPscSnapshot,
  openSnapshotFile,
  readFreshness,
  rebuildSearchIndex,
} from '../../register/index.ts'
import { describeFailure, type Output, printJson, printRecord, printTable, type WithApp } from './output.ts'

export function addRegisterCommands(program: Command, withApp: WithApp): void {
  const register = program.command('register').description('load the register and see how fresh it is')

  register
    .command('import')
    .description('load a Basic Company Data file: all of it the first time, what differs after that')
    .argument('<file>', 'a .zip or .csv, or its address')
    .option('--json', 'as JSON, without a progress bar')
    .addHelpText(
      'after',
      '\nSafe to run while the service runs, and again after it was cut off: it goes on where it was.',
    )
    .action(async (source: string, _options: object, command: Command) =>
      withApp(
        command,
        async (app, output) => {
          const file = await openSnapshotFile(source, openDownload)
          await importWithProgress(output, file, 'rows', async (progress) => {
            const { badLines, ...figures } = await importSnapshot(app, file, progress)
            const rowsPerSecond = Math.round(figures.rowsRead / figures.loadSeconds)
            return { figures: { ...figures, rowsPerSecond }, unreadable: { badLines } }
          })
        },
        'register',
      ),
    )

  register
    .command('import-owners')
    .description(
      'load the file of all persons with significant control: all of it the first time, what differs after that',
    )
    .argument('<parts...>', 'all parts of one day as .zip or .txt, or their addresses')
    .option('--json', 'as JSON, without a progress bar')
    .addHelpText(
      'after',
      '\nThe register publishes it daily. Safe to run while the service runs, and again after it was cut off.',
    )
    .action(async (parts: string[], _options: object, command: Command) =>
      withApp(
        command,
        async (app, output) => {
          const file = await openPscSnapshot(parts, openDownload)
          await importWithProgress(output, file, 'rows', async (progress) => {
            const { badLines, ...figures } = await importPscs(app, file, progress)
            const rowsPerSecond = Math.round(figures.rowsRead / figures.seconds)
            return { figures: { ...figures, rowsPerSecond }, unreadable: { badLines } }
          })
        },
        'register',
      ),
    )

  register
    .command('figures')
    .description('read the figures of filed accounts: a day or a month of the accounts data product')
    .argument('<file>', 'a .zip, or its address; with --days, {day} is where the day belongs')
    .option('--days <n>', 'read the files of the last days that were not read yet, the oldest first', parseFileDays)
    .option('--json', 'as JSON, without a progress bar')
    .addHelpText(
      'after',
      '\nSafe to run while the service runs, and again. Files may come in any order: for each period the latest accounts count.' +
        '\nWith --days, a day without a file is left out: there is none on Sundays, Mondays and public holidays.' +
        '\nOne that cannot be read is named at the end, after those of the other days, and the command fails.',
    )
    .action(async (source: string, { days }: { days?: number }, command: Command) =>
      withApp(command, async (app, output) =>
        days === undefined ? readFigures(app, output, source) : readMissedDays(app, output, { source, days }),
      ),
    )

  register
    .command('rebuild-search')
    .description(
      'count again how common each word of a name is; once a month, where the service itself may not build tables',
    )
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(
        command,
        async (app, output) => printRecord(output, { ...(await rebuildSearchIndex(app.db)) }),
        'register',
      ),
    )

  register
    .command('status')
    .description('how far each stream is behind, and the newest files that were loaded')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const { streams, snapshot, owners, figures } = await readFreshness(app)
        if (output.json) return printJson({ streams, snapshot, owners, figures })
        printTable(
          output,
          streams.map((stream) => ({ ...stream })),
          '',
        )
        console.log(
          snapshot
            ? `Snapshot of ${snapshot.asOf ?? 'unknown day'}, ${snapshot.rows} companies.`
            : 'No snapshot yet. Run: nameplated register import <file>',
        )
        console.log(
          owners
            ? `Owners of ${owners.asOf ?? 'unknown day'}, ${owners.rows} records.`
            : 'No file of owners yet. Run: nameplated register import-owners <parts>',
        )
        console.log(
          figures
            ? `Newest file of accounts: ${figures.asOf ?? 'unknown day'}.`
            : 'No figures of accounts yet. Run: nameplated register figures <file>',
        )
      }),
    )
}

const FILE_DAYS_MAX = 60

function parseFileDays(text: string): number {
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= FILE_DAYS_MAX) return days
  throw new InvalidArgumentError(
    `Give a whole number from 1 to ${FILE_DAYS_MAX}: the register keeps its daily files so long.`,
  )
}

async function readFigures(app: App, output: Output, source: string): Promise<void> {
  const file = await openAccountsFile(source, openDownload)
  await importWithProgress(output, file, 'filings', async (progress) => {
    const { unreadableFiles, ...figures } = await importFigures(app, file, progress)
    const filingsPerSecond = Math.round(figures.filings / figures.seconds)
    return { figures: { ...figures, filingsPerSecond }, unreadable: { unreadableFiles } }
  })
}

/** A file that came late, or could not be loaded on its day, is loaded by a later run; those of other days do not wait for it. */
async function readMissedDays(app: App, output: Output, { source, days }: { source: string; days: number }) {
  if (!source.includes('{day}'))
    throw new DomainError('invalid_request', 'With --days, the address needs {day} in place of the day.')
  let [read, withoutFile] = [0, 0]
  const failed: string[] = []
  for (const day of await listUnreadDays(app.db, { until: toLondonDate(app.clock.now()), days })) {
    try {
      await readFigures(app, output, source.replaceAll('{day}', day))
      read += 1
    } catch (error) {
      if (error instanceof NothingThere) withoutFile += 1
      else failed.push(`${day}: ${describeFailure(error)}`)
    }
  }
  printRecord(output, { files_read: read, days_without_file: withoutFile, days_failed: failed.length })
  if (failed.length > 0)
    throw new DomainError('unavailable', `Not loaded, to be tried again by the next run:\n${failed.join('\n')}`)
}

interface Imported {
  figures: Record<string, string | number | boolean | null>
  /** By its name in the report: the beginnings of lines, or names of files. */
  unreadable: Record<string, string[]>
}

/** Shows how far an import is, then its figures and the first things that could not be read. */
async function importWithProgress(
  output: Output,
  file: { bytes: number; close(): Promise<void> },
  unit: 'rows' | 'filings',
  run: (progress: ImportProgress) => Promise<Imported>,
): Promise<void> {
  const progress = createProgress(output, { bytes: file.bytes, unit })
  try {
    const { figures, unreadable } = await run(progress)
    progress.end()
    const peakMb = Math.round(process.resourceUsage().maxRSS / 1_024)
    printRecord(output, { ...figures, peakMb, ...(output.json ? unreadable : {}) })
    if (!output.json) for (const text of Object.values(unreadable).flat()) console.log(`not readable: ${text} …`)
  } finally {
    progress.end()
    await file.close()
  }
}

/** One bar with rows a second and the time left; plain lines without a terminal. */
function createProgress(
  output: Output,
  { bytes: totalBytes, unit }: { bytes: number; unit: 'rows' | 'filings' },
): ImportProgress & { end(): void } {
  const startedAt = Date.now()
  let bytes = 0
  let rows = 0
  let step = 'reading'
  let bar: SingleBar | null = null
  if (!output.json && process.stdout.isTTY) {
    bar = new SingleBar(
      {
        format: `{bar} {percentage}% · {rows} ${unit} · {rate} ${unit}/s · {eta_formatted} left · {step}`,
        hideCursor: true,
      },
      Presets.shades_classic,
    )
    bar.start(totalBytes, 0, { rows, rate: 0, step })
  }
  const draw = () =>
    bar?.update(bytes, { rows, rate: Math.round(rows / Math.max(1, (Date.now() - startedAt) / 1_000)), step })
  return {
    advance: (moreBytes, moreRows) => {
      bytes += moreBytes
      rows += moreRows
      draw()
    },
    say: (next) => {
      step = next
      draw()
      if (!bar && !output.json)
        console.log(`${rows} ${unit}, ${Math.round((Date.now() - startedAt) / 1_000)} s: ${next}`)
    },
    end: () => {
      bar?.stop()
      bar = null
    },
  }
}
