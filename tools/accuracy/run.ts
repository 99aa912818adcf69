/** One run of `npm run accuracy`: measures a world and writes what was asked for. */
import { createWriteStream, writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { InvalidArgumentError } from 'commander'
import { QuestionRecorder } from '../../src/resolver/second-reader/question-recorder.ts'
import { FIRST_RUNS } from './first-runs.ts'
import { formatMarkdown } from './markdown.ts'
import { type MeasureOptions, measureAccuracy } from './measure.ts'
import { createProgress } from './progress.ts'
import { listErrors, presentReport, type Report } from './report.ts'
import { formatPage } from './report-page.ts'
import { LiveReader, ReplayReader } from './second-reader.ts'
import { formatSummary } from './summary.ts'

export interface AccuracyOptions {
  json?: boolean
  out?: string
  markdown?: string
  dump?: string
  only?: string
  folds?: number
  cases?: string
  secondReader?: string
  withoutOwnCues?: boolean
  concurrency: number
}

/** Returns the domains for which the resolver threw. */
export async function runAccuracy(path: string, options: AccuracyOptions, signal: AbortSignal): Promise<string[]> {
  const progress = createProgress()
  const reader = chooseReader(options)
  const report = await measureAccuracy(path, { ...options, ...reader, progress, signal })
  if (options.cases) writeFileSync(options.cases, report.questions)
  if (options.out) writeFileSync(options.out, formatPage(report))
  if (options.markdown) writeFileSync(options.markdown, formatMarkdown(report, FIRST_RUNS))
  if (options.dump) await pipeline(dumpLines(report), createWriteStream(options.dump))
  console.log(options.json ? JSON.stringify(presentReport(report)) : formatSummary(report))
  return listErrors(report).map((site) => site.domain)
}

function chooseReader({ cases, secondReader }: AccuracyOptions): Pick<MeasureOptions, 'openReader' | 'settings'> {
  if (secondReader === undefined) return cases === undefined ? {} : { openReader: () => new QuestionRecorder() }
  if (secondReader === 'live') return { openReader: (app) => new LiveReader(app), settings: readerSettings() }
  const [, file] = /^replay:(.+)$/.exec(secondReader) ?? []
  if (file === undefined) throw new InvalidArgumentError('A second reader is replay:<file of answers>, or live.')
  return { openReader: () => new ReplayReader(file) }
}

/** The settings of the model that this machine's service would ask. Every match is checked, whatever it costs: it is a measurement. */
function readerSettings(): Record<string, string> {
  const given = Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith('SECOND_READER_') && value ? [[name, value] as const] : [],
  )
  return {
    ...Object.fromEntries(given),
    SECOND_READER_TASKS: 'find,check-all',
    SECOND_READER_BUDGET_PER_DAY: '1000000',
  }
}

/** Returns a line per label with the whole answer, so that it can be scored or tuned on without another run. */
function* dumpLines(report: Report): Generator<string> {
  for (const [{ label, answer, isRight, isWrongMatch }, naming] of report.namings) {
    const site = report.sites.get(label.domain)
    yield `${JSON.stringify({ domain: label.domain, label, answer, isRight, isWrongMatch, naming, ...site })}\n`
  }
}
