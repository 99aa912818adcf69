/** The report as Markdown, short enough to be read where the code is. */
import { listMistakes, type Report } from './report.ts'
import { decimal, describeExpected, describeGot, describeReason, percent, toHeadlines } from './wording.ts'

export function formatMarkdown(report: Report): string {
  const { score, reverse } = report
  const { figures } = score
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
  const wrong = mistakes.map((verdict) => [
    verdict.label.domain,
    verdict.label.stratum,
    describeExpected(verdict),
    describeGot(verdict),
    describeReason(report, verdict.label.domain),
  ])
  const sections = [
    `# Accuracy`,
    `The resolver on the world \`${report.world}\`${report.only ? `, only \`${report.only}\`` : ''}: ${figures.sites} web sites, ${report.companies} companies in the register${reverse.companies > 0 ? `, ${reverse.companies} companies asked for their site` : ''}. Run on ${report.ranAt.toISOString().slice(0, 10)}.`,
    INTRODUCTION,
    `## Figures\n\n${table(['figure', 'value', ''], headline)}`,
    report.folds ? foldsSection(report.folds) : '',
    `## By kind of case\n\n${table(['stratum', 'sites', 'right', 'wrong matches', 'accuracy', 'recall'], strata)}`,
    `## Reliability\n\nOf the best candidates that were given a confidence between these bounds: what was claimed on average, and how many were right.\n\n${table(['confidence', 'answers', 'claimed', 'true'], reliability)}`,
    `## The mistakes\n\n${wrong.length === 0 ? 'None.' : table(['domain', 'stratum', 'expected', 'got', 'reason'], wrong)}`,
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

const INTRODUCTION = `A world is a register and a web with known answers. Every domain of its \`labels.csv\` is resolved by the product itself,
over real sockets, and held against its label:

- *wrong match*: matched to another company than the label's, or where the label allows no match
- *precision*: right matches of all matches; the lower bound is Wilson's at 95%
- *recall*: right matches of the labels that are \`matched\`
- *outcome accuracy*: the label's outcome or one it accepts, and the right company where matched
- *calibration error*: the distance between confidence and truth, over ten bins and every answer with a best candidate

The rules were tuned on this world, so on sites that nobody has looked at they do less well: [worlds](../worlds/README.md)
has the figures of the first run on four worlds that were written independently of them. A company is asked for its site
twice: by its name alone, before any domain was read, and with what the run then knew.

To measure again: \`npm run accuracy -- <world> --markdown docs/accuracy.md\`; \`--out report.html\` shows each mistake with
its evidence.`

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
  return `## By fold\n\nThe sites in ${folds.length} parts; the domains of a company are in the same one.\n\n${table(head, [...rows, ['worst difference', '', '', ...last]])}`
}

function table(head: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const line = (cells: ReadonlyArray<string | number>) => `| ${cells.map(toCell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

function toCell(value: string | number): string {
  return String(value).replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
}
