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
  const wrong = mistakes.map((scoredAnswer) => [
    scoredAnswer.label.domain,
    scoredAnswer.label.stratum,
    describeExpected(scoredAnswer),
    describeGot(scoredAnswer),
    describeReason(report, scoredAnswer.label.domain),
  ])
  const sections = [
    `# Accuracy`,
    `The resolver on the world \`${report.world}\`${report.only ? `, only \`${report.only}\`` : ''}: ${figures.sites} web sites, ${report.companies} companies in the register${reverse.companies > 0 ? `, ${reverse.companies} companies asked for their site` : ''}. Run on ${report.ranAt.toISOString().slice(0, 10)}.`,
    INTRODUCTION,
    `## Figures\n\n${table(['figure', 'value', ''], headline)}`,
    report.folds ? foldsSection(report.folds) : '',
    `## By kind of case\n\n${table(['stratum', 'sites', 'right', 'wrong matches', 'accuracy', 'recall'], strata)}`,
    `## Reliability\n\nFor best candidates with a confidence between these bounds: the average confidence we claimed, and the share that was right.\n\n${table(['confidence', 'answers', 'claimed', 'true'], reliability)}`,
    `## The mistakes\n\n${wrong.length === 0 ? 'None.' : table(['domain', 'stratum', 'expected', 'got', 'reason'], wrong)}`,
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

const INTRODUCTION = `A world is a simulated register and web with known answers. All its sites and companies are invented. The product itself
resolves every domain of the world's \`labels.csv\` over real sockets, and we compare each answer with its label:

- *wrong match*: a match with another company than the label's, or a match where the label allows none
- *precision*: the share of matches that are right; the lower bound is Wilson's at 95%
- *recall*: the share of \`matched\` labels for which we found the right company
- *outcome accuracy*: the share of answers with the label's outcome (or one it accepts) and, for a match, the right company
- *calibration error*: the distance between confidence and truth, over ten bins and all answers with a best candidate

We tuned the rules on this world, so they do less well on unseen sites: [worlds](../worlds/README.md) has the figures of the
first run on four worlds that were written independently of the rules. We look for the site of each company twice: by its
name alone, before any domain was read, and then with everything the run had learnt.

To measure again: \`npm run accuracy -- <world> --markdown docs/accuracy.md\`. \`--out report.html\` shows each mistake with
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
  return `## By fold\n\nThe sites are in ${folds.length} parts. All domains of a company are in the same part.\n\n${table(head, [...rows, ['worst difference', '', '', ...last]])}`
}

function table(head: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const line = (cells: ReadonlyArray<string | number>) => `| ${cells.map(toCell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

function toCell(value: string | number): string {
  return String(value).replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
}
