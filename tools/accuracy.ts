/** `npm run accuracy -- <world>`: resolves every site of a world and holds the answers against the right ones. */
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { DomainError } from '../src/errors.ts'
import type { AccuracyOptions } from './accuracy/run.ts'

const EXIT = { ok: 0, failed: 1, usage: 2, stopped: 130 } as const
const stop = new AbortController()

const program = new Command('npm run accuracy --')
  .description(
    'How right the resolver is on a world: every domain of its labels.csv is resolved against the world’s own register\nand web, and scored. Brings its own PostgreSQL and needs nothing prepared.',
  )
  .argument('<world>', 'a folder, or a .tar.gz of one')
  .option('--json', 'the figures as one JSON object on the last line of stdout')
  .option('--out <file>', 'write a page (HTML) with every mistake and what led to it')
  .option('--markdown <file>', 'write the report as Markdown')
  .option('--dump <file>', 'write every answer as a line of JSON')
  .option('--only <stratum or domain>', 'run a part of the world')
  .option('--without-own-cues', 'switch off the wordings that this world taught: how the others do on it')
  .option('--cases <file>', 'write the questions for a second reader, a line of JSON each')
  .option(
    '--second-reader <replay:file or live>',
    'let recorded answers, or the model of SECOND_READER_URL, have their say',
  )
  .option('--folds <n>', 'the figures of each of n parts of the sites too, and how far they differ', toCount(2, 100))
  .option('--concurrency <n>', 'domains resolved at once', toCount(1, 200), 16)
  .exitOverride()
  .showHelpAfterError('Add --help to see how it is used.')
  .addHelpText(
    'after',
    `
Examples:
  npm run accuracy -- worlds/demo
  npm run accuracy -- worlds/demo --only trading_name --out report.html
  npm run accuracy -- worlds/market.tar.gz --without-own-cues
  npm run accuracy -- world.tar.gz --folds 5 --json > figures.json

Exit code 0 when every domain was answered, rightly or not; 1 when the resolver threw for one, or the run failed;
2 for wrong usage.`,
  )
  .action(async (path: string, options: AccuracyOptions) => {
    // The database and the web are ended on the way out, so Ctrl-C takes that way too.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
    // Loaded once the arguments are known to be right.
    const { runAccuracy } = await import('./accuracy/run.ts')
    const thrown = await runAccuracy(path, options, stop.signal)
    if (thrown.length === 0) return
    console.error(`The resolver threw for ${thrown.join(', ')}`)
    process.exitCode = EXIT.failed
  })

function toCount(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text)
    if (Number.isInteger(value) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = explainFailure(error)
}

function explainFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (stop.signal.aborted) {
    console.error('Stopped.')
    return EXIT.stopped
  }
  // The error of an unusable world explains itself; any other error is a fault, shown with its stack.
  console.error(error instanceof DomainError ? error.message : error)
  return EXIT.failed
}
