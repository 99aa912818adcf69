import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { expireOpenAnswers } from '../../resolution/index.ts'
import { PROMPT_VERSION, parseDomain, QuestionRecorder, resolveDomain, type Task } from '../../resolver/index.ts'
import { listMeasures, type Measure, NOT_CONFIGURED, readUsage, recordMeasure } from '../../second-reader/index.ts'
import { type Output, printJson, printRecord, printTable, type WithApp } from './output.ts'

const DOMAINS_MAX = 1_000
const DAYS_SHOWN = 30
const TOOL = join(import.meta.dirname, '../../../tools/accuracy.ts')
/** The share of the questions that a model must answer to be measured. */
const ANSWERED_MIN = 0.95
const REPORT_BYTES_MAX = 64 * 1024 * 1024

export function addSecondReaderCommands(program: Command, withApp: WithApp): void {
  const reader = program
    .command('second-reader')
    .description('the language model that reads what the rules leave open: measure it, see its cost')

  reader
    .command('cases')
    .description('write the questions about sites to a file: both tasks, one line of JSON each, nothing is sent')
    .argument('<world or domains...>', 'domains, or one folder or .tar.gz of a world')
    .requiredOption('--out <file>', 'where to write them')
    .action(async (given: string[], { out }: { out: string }, command: Command) => {
      const [first = ''] = given
      if (existsSync(first)) return void runTool([first, '--cases', out])
      await withApp(command, async (app) => {
        if (given.length > DOMAINS_MAX)
          throw new DomainError('invalid_request', `Give at most ${DOMAINS_MAX} domains at a time.`)
        const recorder = new QuestionRecorder()
        for (const [index, domain] of given.map((one) => parseDomain(one)).entries()) {
          console.error(`Reading ${domain} (${index + 1} of ${given.length}) …`)
          await resolveDomain({ ...app, secondReader: recorder }, domain)
        }
        writeFileSync(out, recorder.format())
        console.log(`${recorder.questions.length} questions written to ${out}.`)
      })
    })

  reader
    .command('evaluate')
    .description('measure the model on a labelled world; it is asked in production only for tasks that it passes')
    .argument('<world>', 'a folder or .tar.gz of a world, such as worlds/exam-1.tar.gz')
    .option('--json', 'as JSON')
    .action(async (world: string, _options: object, command: Command) =>
      withApp(command, (app, output) => evaluate(app, output, world)),
    )

  reader
    .command('status')
    .description('the model, what it passed, and its cost of the last thirty days')
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) => withApp(command, showStatus))

  reader
    .command('expire')
    .description('expire the known answers without a match, so that the next request for one asks the model too')
    .action(async (_options: object, command: Command) =>
      withApp(command, async ({ db, clock }) => {
        const expired = await expireOpenAnswers(db, clock.now())
        console.log(`${expired} answers expired. The next request for one of them has its site read again.`)
      }),
    )
}

interface MeasuredReader {
  asked: Record<Task, number>
  added: { right: number; wrong: number }
  objected: { right: number; wrong: number }
  answered: number | null
  usage: { calls: number; failures: number; spent: number; spent_per_1000_sites: number } | null
}

async function evaluate(app: App, output: Output, world: string): Promise<void> {
  const model = getModel(app)
  console.error(`Asking ${model} about the sites of ${world}. This takes minutes and costs what its calls cost.`)
  const lines = runTool([world, '--second-reader', 'live', '--json'])
  const { second_reader: measured } = JSON.parse(lines.trim().split('\n').at(-1) ?? '{}') as {
    second_reader: MeasuredReader
  }
  const questions = measured.asked.find + measured.asked.check
  if (questions === 0 || (measured.answered ?? 0) < questions * ANSWERED_MIN) {
    const counts = `${measured.answered} of ${questions} questions were answered`
    throw new DomainError(
      'invalid_request',
      `${counts}: too few to measure the model. Nothing was recorded. Check SECOND_READER_URL, SECOND_READER_MODEL and SECOND_READER_KEY, then run it again.`,
    )
  }
  const shared = { model, promptVersion: PROMPT_VERSION, world: basename(world), measuredAt: app.clock.now() }
  const results: Measure[] = []
  for (const [task, { right, wrong }] of [
    ['find', measured.added],
    ['check', measured.objected],
  ] as const) {
    const counts = { asked: measured.asked[task], rightChanges: right, wrongChanges: wrong }
    results.push(await recordMeasure(app.db, { ...shared, task, ...counts }))
  }
  showEvaluation(output, results, measured)
  if (!results.some(({ isPassed }) => isPassed)) {
    throw new DomainError('invalid_request', 'The model is worse than the rules in all its tasks, so it is not asked.')
  }
}

function showEvaluation(output: Output, results: readonly Measure[], measured: MeasuredReader): void {
  if (output.json) return printJson({ measures: results, usage: measured.usage })
  printMeasures(output, results)
  console.log(`Cost of 1,000 sites: ${measured.usage?.spent_per_1000_sites.toFixed(2)}, by SECOND_READER_PRICES.`)
  console.log('Workers ask the model for the tasks that passed, within half a minute.')
}

function getModel({ config }: App): string {
  if (!config.secondReader) throw new DomainError('invalid_request', NOT_CONFIGURED)
  return config.secondReader.model
}

function printMeasures(output: Output, measures: readonly Measure[]): void {
  const rows = measures.map(({ task, world, asked, rightChanges, wrongChanges, isPassed, measuredAt }) => ({
    task,
    'is asked': isPassed ? 'yes' : 'no: worse than the rules',
    world,
    asked,
    'changed rightly': rightChanges,
    'changed wrongly': wrongChanges,
    measured: measuredAt,
  }))
  printTable(output, rows, 'It was never measured, so it is not asked. Run: nameplated second-reader evaluate <world>')
}

async function showStatus(app: App, output: Output): Promise<void> {
  const config = app.config.secondReader
  const model = getModel(app)
  const measures = await listMeasures(app.db, { model, promptVersion: PROMPT_VERSION })
  const usage = await readUsage(app.db, DAYS_SHOWN)
  const settings = {
    model,
    endpoint: config?.url.origin ?? null,
    tasks: config?.tasks.join(', '),
    budget_per_day: config?.budgetPerDay,
    prompt_version: PROMPT_VERSION,
  }
  if (output.json) return printJson({ ...settings, measures, usage })
  printRecord(output, settings)
  console.log()
  printMeasures(output, measures)
  console.log()
  printTable(
    output,
    usage.map((day) => ({ ...day, spent: day.spent.toFixed(4) })),
    'It has not been asked yet.',
  )
}

/** A world needs its own register and web, which the tools of the repository bring. Returns what the tool printed. */
function runTool(args: string[]): string {
  if (!existsSync(TOOL))
    throw new DomainError('invalid_request', 'Worlds are read in a checkout of the repository: npm run accuracy.')
  const isQuiet = args.includes('--json')
  return execFileSync(process.execPath, [TOOL, ...args], {
    stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', 'inherit'],
    maxBuffer: REPORT_BYTES_MAX,
    encoding: 'utf8',
  })
}
