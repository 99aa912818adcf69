/** The report as Markdown: a page of the documentation. Its details and every mistake are in the HTML report. */
import { type FigureTable, toFirstRunsTable } from './figure-tables.ts'
import type { FirstRun } from './first-runs.ts'
import type { Report } from './report.ts'
import { describeCues, percent, toHeadlines } from './wording.ts'

export function formatMarkdown(report: Report, firstRuns: readonly FirstRun[]): string {
  const { score } = report
  // Speed is that of the machine.
  const figures = toHeadlines(report).filter(({ name }) => name !== 'Speed')
  const headline = figures.map(({ name, value, detail }) => [name, value, detail])
  const reliability = score.reliability
    .filter((bin) => bin.answers > 0)
    .map((bin) => [`${bin.from}–${bin.to}`, bin.answers, percent(bin.confidence), percent(bin.correct)])
  const sections = [
    '# Accuracy',
    OPENING,
    tableSection(forPage(toFirstRunsTable(firstRuns))),
    METHOD,
    `## The world ${report.world}\n\n${describeRun(report)} ${describeCues(report) || TUNED}`,
    table(['figure', 'value', ''], headline),
    `## Confidence\n\n${CONFIDENCE}\n\n${table(['confidence', 'answers', 'claimed', 'true'], reliability)}`,
  ]
  return `${sections.join('\n\n')}\n`
}

const OPENING = `This page shows how often answers are right, on labelled web sites. Read the first table: it is about sites that the rules had never
seen. *Precision* says how many of the matches are right, and *recall* how many of the companies that can be found are found. What is not
found costs nothing; a wrong match is what we try hardest to avoid, and you can [dispute it](outcomes.md#dispute).

The sites are made up, or modelled on real pages with invented names, unless a row says otherwise. So these figures describe our test
data, and the web may differ. A set of such sites, with a simulated register and known answers, is a *world*.`

const METHOD = `## How we measure

The product itself resolves every domain of a world over real sockets. We compare each answer with its label:

- *wrong match*: a match with another company than the label's, or a match where the label allows none
- *precision*: the share of matches that are right; the lower bound is Wilson's at 95%
- *recall*: the share of sites with a company to be found for which we found it; some of these labels accept a review too, so we also give
  the recall of those where only a match is right
- *accuracy*: the share of answers with the label's outcome (or one it accepts) and, for a match, the right company
- *calibration error*: the distance between confidence and truth, over ten bins and all answers with a best candidate
- *held out*: the same with weights that were fitted without this world
- *explanation gap*: the distance between the stated confidence, as log-odds, and the sum of the terms that explain it

To measure again in a checkout: \`npm run accuracy -- <world> --markdown docs/accuracy.md\`. \`--out report.html\` writes the whole report, with the kinds
of case and each mistake with its evidence. [Worlds](../worlds/README.md) describes the worlds.`

const CONFIDENCE =
  'For best candidates with a confidence between these bounds: the average confidence that we claimed, and the share that was right. A match is never stated with more than the share of right matches on sites that the rules had not seen.'

const TUNED = 'After its first run a world teaches the rules, so later figures on it are no test of unseen sites.'

function describeRun({ score, companies, reverse, only, ranAt }: Report): string {
  const asked =
    reverse.companies > 0
      ? ` We looked for the site of ${reverse.companies} companies twice: by the name alone, before any domain was read, and then with everything the run had learnt.`
      : ''
  const part = only ? ` (only \`${only}\`)` : ''
  return `${score.figures.sites} web sites${part} and ${companies} companies in the register, run on ${ranAt.toISOString().slice(0, 10)}.${asked}`
}

/** Columns that the HTML report has too, and that a phone has no room for. */
const LEFT_OUT = ['recall, only a match is right', 'intervals by']

function forPage({ head, rows, ...rest }: FigureTable): FigureTable {
  const isKept = (_: unknown, index: number) => !LEFT_OUT.includes(head[index] ?? '')
  return { ...rest, head: head.filter(isKept), rows: rows.map((row) => row.filter(isKept)) }
}

function tableSection({ title, explanation, head, rows }: FigureTable): string {
  return `## ${title}\n\n${explanation}\n\n${table(head, rows)}`
}

function table(head: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const line = (cells: ReadonlyArray<string | number>) => `| ${cells.map(toCell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

function toCell(value: string | number): string {
  return String(value).replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
}
