/** The report for a terminal. */
import Table from 'cli-table3'
import { OUTCOMES } from '../../rig/labels.ts'
import { listPartTables } from './figure-tables.ts'
import type { Folds } from './folds.ts'
import { listErrors, listIncompleteReviews, listMistakes, type Report } from './report.ts'
import {
  decimal,
  describeCues,
  describeExpected,
  describeGot,
  describeReason,
  percent,
  toHeadlines,
} from './wording.ts'

export function formatSummary(report: Report): string {
  const incomplete = listIncompleteReviews(report)
  const wrongWebsites = report.reverse.scored.filter((website) => website.isWrongMatch)
  const sections = [
    `Accuracy on ${report.world}${report.only ? ` (only ${report.only})` : ''}, ${report.companies} companies in the register`,
    describeCues(report),
    table(
      ['figure', 'value', ''],
      toHeadlines(report).map(({ name, value, detail }) => [name, value, detail]),
    ),
    ...listPartTables(report).map(
      ({ title, explanation, head, rows }) => `${title}\n${explanation}\n${table(head, rows)}`,
    ),
    `By kind of case\n${strataTable(report)}`,
    `Expected outcome (down) and answered (across)\n${confusionTable(report)}`,
    `Reliability: what was claimed and what was true\n${reliabilityTable(report)}`,
    report.folds && `By fold\n${foldsTable(report.folds)}`,
    mistakesSection(report),
    incomplete.length > 0 &&
      `Reviews without a company that had to be offered\n${table(
        ['domain', 'stratum', 'not offered'],
        incomplete.map(({ label, missingCandidates }) => [label.domain, label.stratum, missingCandidates.join(', ')]),
      )}`,
    wrongWebsites.length > 0 &&
      `Company to domain: wrong\n${table(
        ['company', 'stratum', 'expected', 'got'],
        wrongWebsites.map(({ website, answered }) => [
          website.companyNumber,
          website.stratum,
          website.domain ?? 'not_found',
          answered ?? 'not_found',
        ]),
      )}`,
    report.reader && readerSection(report.reader),
    ...listErrors(report).map((site) => `Threw for ${site.domain}\n${site.error}`),
  ]
  return sections.filter(Boolean).join('\n\n')
}

function readerSection({ asked, added, objected, without, usage }: NonNullable<Report['reader']>): string {
  const rows = [
    ['find', asked.find, `added ${added.right} right matches`, `and ${added.wrong} wrong ones`],
    ['check', asked.check, `took away ${objected.right} wrong matches`, `and ${objected.wrong} right ones`],
  ]
  const alone = `${percent(without.recall)} recall, ${without.wrongMatches} wrong matches`
  const cost = usage
    ? `\n${usage.calls} calls, ${usage.failures} failed; ${usage.input_tokens} and ${usage.output_tokens} tokens; ${usage.spent_per_1000_sites.toFixed(2)} for 1,000 sites by SECOND_READER_PRICES`
    : ''
  return `Second reader (the rules alone: ${alone})\n${table(['task', 'asked', '', ''], rows)}${cost}`
}

function mistakesSection(report: Report): string {
  const mistakes = listMistakes(report)
  if (mistakes.length === 0) return 'Every answer is right.'
  const rows = mistakes.map((scoredAnswer) => [
    scoredAnswer.isWrongMatch ? `✗ ${scoredAnswer.label.domain}` : scoredAnswer.label.domain,
    scoredAnswer.label.stratum,
    describeExpected(scoredAnswer),
    describeGot(scoredAnswer),
    describeReason(report, scoredAnswer.label.domain),
  ])
  const head = ['domain', 'stratum', 'expected', 'got', 'reason']
  return `Not right: ${mistakes.length} (✗ is a wrong match)\n${table(head, rows, [null, null, 36, 36, 60])}`
}

function strataTable({ score }: Report): string {
  const rows = [...score.strata].map(([name, figures]) => [
    name,
    figures.sites,
    figures.right,
    figures.wrongMatches,
    percent(figures.outcomeAccuracy),
    percent(figures.recall),
  ])
  return table(['stratum', 'sites', 'right', 'wrong matches', 'accuracy', 'recall'], rows)
}

function confusionTable({ score }: Report): string {
  const answered = [...OUTCOMES, 'error'] as const
  const rows = OUTCOMES.filter((outcome) => score.confusion.has(outcome)).map((outcome) => [
    outcome,
    ...answered.map((other) => score.confusion.get(outcome)?.get(other) ?? '·'),
  ])
  return table(['', ...answered], rows)
}

function reliabilityTable({ score }: Report): string {
  const rows = score.reliability
    .filter((bin) => bin.answers > 0)
    .map((bin) => [`${bin.from}–${bin.to}`, bin.answers, percent(bin.confidence), percent(bin.correct)])
  return table(['confidence', 'answers', 'claimed', 'true'], rows)
}

function foldsTable({ folds, worstDifference }: Folds): string {
  const rows = folds.map((fold, index) => [
    index + 1,
    fold.sites,
    fold.wrongMatches,
    percent(fold.precision),
    percent(fold.recall),
    percent(fold.outcomeAccuracy),
    percent(fold.reviewRate),
    decimal(fold.ece),
  ])
  const worst = worstDifference
  const last = [
    'worst difference',
    '',
    '',
    percent(worst.precision),
    percent(worst.recall),
    percent(worst.outcomeAccuracy),
    percent(worst.reviewRate),
    decimal(worst.ece),
  ]
  return table(
    ['fold', 'sites', 'wrong matches', 'precision', 'recall', 'accuracy', 'review rate', 'ece'],
    [...rows, last],
  )
}

/** A width of null fits the column's content. Colours only on terminals that show them. */
function table(
  head: string[],
  rows: ReadonlyArray<ReadonlyArray<string | number>>,
  widths: Array<number | null> = [],
): string {
  const colours = process.stdout.isTTY ? { head: ['bold'], border: ['gray'] } : { head: [], border: [] }
  const view = new Table({ head, style: { ...colours, compact: true }, colWidths: widths, wordWrap: true })
  for (const row of rows) view.push([...row])
  return view.toString()
}
