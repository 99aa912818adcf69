/** The report as Markdown, short enough to be read where the code is. */
import { type FigureTable, listPartTables, toFirstRunsTable } from './figure-tables.ts'
import type { FirstRun } from './first-runs.ts'
import { listMistakes, type Report } from './report.ts'
import {
  decimal,
  describeCues,
  describeExpected,
  describeGot,
  describeReason,
  percent,
  toHeadlines,
} from './wording.ts'

export function formatMarkdown(report: Report, firstRuns: readonly FirstRun[]): string {
  const { score } = report
  const mistakes = listMistakes(report)
  const headline = toHeadlines(report).map(({ name, value, detail }) => [name, value, detail])
  const strata = [...score.strata].map(([name, stratum]) => [
    name,
    stratum.sites,
    stratum.right,
    stratum.wrongMatches,
    percent(stratum.outcomeAccuracy),
    percent(stratum.recall),
  ])
  const reliability = score.reliability
    .filter((bin) => bin.answers > 0)
    .map((bin) => [`${bin.from}–${bin.to}`, bin.answers, percent(bin.confidence), percent(bin.correct)])
  const wrong = mistakes.map((scoredAnswer) => [
    scoredAnswer.label.domain,
    scoredAnswer.label.stratum,
    describeExpected(scoredAnswer),
    describeGot(scoredAnswer),
    describeReason(report, scoredAnswer.label.domain),
  ])
  const sections = [
    `# Accuracy`,
    OPENING,
    tableSection(toFirstRunsTable(firstRuns)),
    METHOD,
    `## The world ${report.world}\n\n${describeRun(report)} ${describeCues(report) || TUNED}`,
    table(['figure', 'value', ''], headline),
    ...listPartTables(report).map(tableSection),
    report.folds ? foldsSection(report.folds) : '',
    `## By kind of case\n\n${table(['stratum', 'sites', 'right', 'wrong matches', 'accuracy', 'recall'], strata)}`,
    `## Reliability\n\nFor best candidates with a confidence between these bounds: the average confidence we claimed, and the share that was right.\n\n${table(['confidence', 'answers', 'claimed', 'true'], reliability)}`,
    `## The mistakes\n\n${wrong.length === 0 ? 'None.' : table(['domain', 'stratum', 'expected', 'got', 'reason'], wrong)}`,
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

const OPENING = `The web sites that we measure on are made up, or modelled on real pages with invented names, unless a row says otherwise. So
these figures describe our test data, and the web may differ. A set of such sites, with a simulated register and known
answers, is a world.`

const METHOD = `## How we measure

The product itself resolves every domain of a world's \`labels.csv\` over real sockets. We compare each answer with its label:

- *wrong match*: a match with another company than the label's, or a match where the label allows none
- *precision*: the share of matches that are right; the lower bound is Wilson's at 95%
- *recall*: the share of \`matched\` labels for which we found the right company; some of these labels accept a review too, so
  we also give the recall of those where only a match is right
- *accuracy*: the share of answers with the label's outcome (or one it accepts) and, for a match, the right company
- *calibration error*: the distance between confidence and truth, over ten bins and all answers with a best candidate
- *held out*: the same with weights that were fitted without this world
- *explanation gap*: the distance between the stated confidence, as log-odds, and the sum of the terms that explain it

To measure again: \`npm run accuracy -- <world> --markdown docs/accuracy.md\`. \`--out report.html\` shows each mistake with
its evidence, and \`--without-own-cues\` switches off the wordings that the world taught. [Worlds](../worlds/README.md)
describes the worlds.`

const TUNED = 'After its first run a world teaches the rules, so later figures on it are no test of unseen sites.'

function describeRun({ score, companies, reverse, only, ranAt }: Report): string {
  const asked =
    reverse.companies > 0
      ? ` We looked for the site of ${reverse.companies} companies twice: by the name alone, before any domain was read, and then with everything the run had learnt.`
      : ''
  const part = only ? ` (only \`${only}\`)` : ''
  return `${score.figures.sites} web sites${part} and ${companies} companies in the register, run on ${ranAt.toISOString().slice(0, 10)}.${asked}`
}

function tableSection({ title, explanation, head, rows }: FigureTable): string {
  return `## ${title}\n\n${explanation}\n\n${table(head, rows)}`
}

function foldsSection({ folds, worstDifference }: NonNullable<Report['folds']>): string {
  const rows = folds.map((fold, index) => [
    index + 1,
    fold.sites,
    fold.wrongMatches,
    percent(fold.precision),
    percent(fold.recall),
    percent(fold.outcomeAccuracy),
    decimal(fold.ece),
  ])
  const worst = worstDifference
  const last = [percent(worst.precision), percent(worst.recall), percent(worst.outcomeAccuracy), decimal(worst.ece)]
  const head = ['fold', 'sites', 'wrong matches', 'precision', 'recall', 'accuracy', 'calibration error']
  return `## By fold\n\nThe sites are in ${folds.length} parts. All domains of a company are in the same part.\n\n${table(head, [...rows, ['worst difference', '', '', ...last]])}`
}

function table(head: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const line = (cells: ReadonlyArray<string | number>) => `| ${cells.map(toCell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

function toCell(value: string | number): string {
  return String(value).replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
}
