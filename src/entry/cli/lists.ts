import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Presets, SingleBar } from 'cli-progress'
import { type Command, InvalidArgumentError } from 'commander'
import { DomainError } from '../../errors.ts'
import { importLinks, type SweepReport, sweepDomains } from '../../resolution/index.ts'
import { type Output, printRecord, type WithApp } from './output.ts'

const AHEAD = 500
/** After so long without an answer, no worker is running. */
const QUIET_MS = 60_000

export function addSweepCommand(program: Command, withApp: WithApp): void {
  program
    .command('sweep')
    .description('resolve a list of domains in the background, after all waiting requests')
    .argument('<file>', 'one domain a line, or a CSV with them in its first column')
    .option('--ahead <n>', 'how many are queued at a time', toCount, AHEAD)
    .option('--json', 'as JSON, without a progress bar')
    .addHelpText(
      'after',
      '\nThe workers of the service do the reading, so one must run (nameplated work, or nameplated all). What is known\nalready is left out: after Ctrl-C, start the same sweep again and it goes on. Nothing is charged.',
    )
    .action(async (path: string, options: { ahead: number }, command: Command) =>
      withApp(command, async (app, output) => {
        const file = await stat(path).catch(() => null)
        if (!file?.isFile()) throw new DomainError('not_found', `There is no file ${path}.`)
        const stop = new AbortController()
        const interrupt = () => stop.abort()
        process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
        const input = createReadStream(path)
        let bytes = 0
        input.on('data', (chunk) => (bytes += chunk.length))
        const progress = createProgress(output, file.size, () => bytes)
        try {
          const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
          const report = await sweepDomains(app, lines, {
            ahead: options.ahead,
            onProgress: (soFar) => progress.show(soFar),
            signal: stop.signal,
          })
          progress.end()
          printRecord(output, { ...report })
          if (stop.signal.aborted && !output.json) console.log('Stopped. Start the same sweep again to go on.')
        } finally {
          progress.end()
          input.destroy()
          process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
        }
      }),
    )
}

function toCount(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 100_000) return value
  throw new InvalidArgumentError('It must be a whole number from 1 to 100000.')
}

/** One bar in a terminal; elsewhere a warning when nothing moves. */
function createProgress(output: Output, totalBytes: number, bytesRead: () => number) {
  const bar =
    !output.json && process.stdout.isTTY
      ? new SingleBar(
          { format: '{bar} {percentage}% · {done} answered · {underWay} under way · {rate}/s', hideCursor: true },
          Presets.shades_classic,
        )
      : null
  bar?.start(totalBytes, 0, { done: 0, underWay: 0, rate: 0 })
  const startedAt = Date.now()
  let last = { done: -1, at: Date.now(), warned: false }
  return {
    show(report: SweepReport) {
      const answered = Object.values(report.outcomes).reduce((sum, count) => sum + count, 0)
      const done = answered + report.known + report.failed
      const rate = Math.round((answered / Math.max(1, Date.now() - startedAt)) * 10_000) / 10
      bar?.update(bytesRead(), { done, underWay: report.underWay, rate })
      if (done !== last.done) last = { done, at: Date.now(), warned: false }
      else if (report.underWay > 0 && !last.warned && Date.now() - last.at > QUIET_MS) {
        last.warned = true
        console.error('\nNothing was answered for a minute. Is a worker running? (nameplated work)')
      }
    },
    end() {
      bar?.stop()
    },
  }
}

export function addLinksCommands(program: Command, withApp: WithApp): void {
  const links = program
    .command('links')
    .description('companies’ domains from other lists: candidates to check, never proof')

  links
    .command('import')
    .description('load a CSV with the columns company_number, domain and source')
    .argument('<csv>', 'a file')
    .option('--source <name>', 'where rows without a source come from', 'imported')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nFor open data such as Wikidata, gender-pay-gap and charity extracts. A link is checked when a customer asks for the\ncompany’s web site, and counts only if the site proves it. Importing twice adds nothing.',
    )
    .action(async (path: string, options: { source: string }, command: Command) =>
      withApp(command, async (app, output) => {
        const file = await stat(path).catch(() => null)
        if (!file?.isFile()) throw new DomainError('not_found', `There is no file ${path}.`)
        const isWatched = !output.json && process.stderr.isTTY
        const report = await importLinks(app, createReadStream(path), {
          source: options.source,
          onRows: (rows) => isWatched && process.stderr.write(`\r${rows} rows `),
        })
        if (isWatched) process.stderr.write('\n')
        const { badLines, ...figures } = report
        printRecord(output, output.json ? { ...report } : figures)
        if (!output.json) for (const line of badLines) console.log(line)
      }),
    )
}
