import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { Presets, SingleBar } from 'cli-progress'
import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import {
  addList,
  type Estimate,
  listSweeps,
  pauseSweep,
  type SweepReport,
  sweepDomains,
} from '../../resolution/index.ts'
import { type Output, printRecord, printTable, type WithApp } from './output.ts'

/** After so long without an answer, no worker is running. */
const QUIET_MS = 60_000

interface ListOptions {
  every?: number
  list?: string
}

export function addSweepCommands(program: Command, withApp: WithApp): void {
  // Options after the name of a subcommand are its own.
  const sweep = describeList(program.command('sweep').enablePositionalOptions())
    .description('read a list of domains in the background, after all waiting requests')
    .addHelpText(
      'after',
      '\nThe workers of the service do the reading, so one must run (nameplated work, or nameplated all). What is known\nalready is left out. The command shows the progress; after Ctrl-C the reading goes on. Nothing is charged.',
    )
    .action(async (path: string, options: ListOptions, command: Command) =>
      withApp(command, (app, output) => followList(app, path, options, output)),
    )
  describeList(sweep.command('add'))
    .description('add a list, without waiting until it is read')
    .action(async (path: string, options: ListOptions, command: Command) =>
      withApp(command, async (app, output) => {
        using input = await openList(path)
        using counter = showCount(output)
        const { counts, added } = await addList(app, input.lines, {
          ...input.toList(options),
          onProgress: ({ read }) => counter.show(read),
          signal: NEVER,
        })
        counter.end()
        printRecord(output, { ...counts, added })
      }),
    )
  sweep
    .command('status')
    .description('how far each list is, and when it will be read')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) => withApp(command, showStatus))
  for (const [name, isPaused, about] of PAUSES) {
    sweep
      .command(name)
      .description(about)
      .argument('<list>', 'its name, as status shows it')
      .action(async (list: string, _options: object, command: Command) =>
        withApp(command, async (app) => {
          await pauseSweep(app, { name: list, isPaused })
          console.log(isPaused ? `${list} is paused. To go on: nameplated sweep resume ${list}` : `${list} goes on.`)
        }),
      )
  }
}

const PAUSES = [
  ['pause', true, 'stop reading a list; readings under way end'],
  ['resume', false, 'go on with a list'],
] as const

const NEVER = new AbortController().signal

/** In a terminal one line says how many lines were added; elsewhere nothing does. */
function showCount(output: Output): Disposable & { show(count: number): void; end(): void } {
  const isShown = !output.json && process.stderr.isTTY
  const end = () => void (isShown && process.stderr.write('\r\x1b[K'))
  const show = (count: number) => void (isShown && process.stderr.write(`\r${count.toLocaleString('en-GB')} lines`))
  return { show, end, [Symbol.dispose]: end }
}

function describeList(command: Command): Command {
  return command
    .argument('<file>', 'one domain a line, or a CSV with them in its first column; - for the standard input')
    .option('--every <days>', 'read each domain again after so many days', toDays)
    .option('--list <name>', 'the name of the list; that of the file by default')
    .option('--json', 'as JSON, without a progress bar')
}

async function followList(app: App, path: string, options: ListOptions, output: Output): Promise<void> {
  using input = await openList(path)
  using stop = listenForStop()
  const progress = createProgress(output)
  try {
    const report = await sweepDomains(app, input.lines, {
      ...input.toList(options),
      onProgress: (soFar) => progress.show(soFar),
      signal: stop.signal,
    })
    progress.end()
    printRecord(output, { ...report })
    if (stop.signal.aborted && !output.json) console.log('Stopped. What was added is read all the same.')
  } finally {
    progress.end()
  }
}

async function openList(path: string) {
  const isFile = path !== '-'
  const file = isFile ? await stat(path).catch(() => null) : null
  if (isFile && !file?.isFile()) throw new DomainError('not_found', `There is no file ${path}.`)
  const input: Readable = isFile ? createReadStream(path) : process.stdin
  return {
    lines: readLines(input),
    toList: ({ every, list }: ListOptions) => ({
      name: list ?? (isFile ? basename(path) : 'stdin'),
      everyDays: every ?? null,
    }),
    [Symbol.dispose]: () => void input.destroy(),
  }
}

/** An interface reads from the moment it is made, and loses the lines for which no one waits. */
async function* readLines(input: Readable): AsyncGenerator<string> {
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
}

function listenForStop(): { signal: AbortSignal } & Disposable {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt),
  }
}

async function showStatus(app: App, output: Output): Promise<void> {
  const rows = (await listSweeps(app)).map(({ readPerMinute, estimate, ...row }) => ({
    ...row,
    read_per_minute: readPerMinute === null ? null : Math.round(readPerMinute * 10) / 10,
    done_at: describeEstimate(estimate),
  }))
  printTable(output, rows, 'There are no lists. Add one: nameplated sweep add <file>')
}

function describeEstimate(estimate: Estimate): string {
  return estimate.kind === 'at' ? estimate.at.toISOString().slice(0, 16).replace('T', ' ') : estimate.kind
}

const DAYS_MAX = 3_650

function toDays(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= DAYS_MAX) return value
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${DAYS_MAX}.`)
}

/** One bar in a terminal; elsewhere a warning when nothing moves. */
function createProgress(output: Output) {
  const bar =
    !output.json && process.stdout.isTTY
      ? new SingleBar(
          { format: '{bar} {percentage}% · {value} of {total} · {underWay} under way · {rate}/s', hideCursor: true },
          Presets.shades_classic,
        )
      : null
  bar?.start(1, 0, { underWay: 0, rate: 0 })
  const startedAt = Date.now()
  let last = { done: -1, at: Date.now(), warned: false }
  return {
    show(report: SweepReport) {
      const answered = Object.values(report.outcomes).reduce((sum, count) => sum + count, 0)
      const done = report.read - report.underWay
      const rate = Math.round((answered / Math.max(1, Date.now() - startedAt)) * 10_000) / 10
      bar?.setTotal(Math.max(1, report.read))
      bar?.update(done, { underWay: report.underWay, rate })
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
