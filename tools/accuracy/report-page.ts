/** The report as one page that needs nothing else: to read, to send, to print. */
import { Html, html } from '../../src/lib/text/html.ts'
import { confusionMatrix, reliabilityDiagram, reliabilityTable, strataBars } from './charts.ts'
import { type FigureTable, listPartTables } from './figure-tables.ts'
import { PAGE_STYLES } from './page-styles.ts'
import { listIncompleteReviews, listMistakes, type Report } from './report.ts'
import { mistakeArticle } from './trace.ts'
import { decimal, describeCues, percent, toHeadlines } from './wording.ts'

export function formatPage(report: Report): string {
  const title = `Accuracy on ${report.world}`
  const mistakes = listMistakes(report)
  const page = html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Nameplate</title>
    <style>${new Html(PAGE_STYLES)}</style>
  </head>
  <body>
    <main>
      <p class="brand">Nameplate</p>
      <h1>${title}</h1>
      <p class="soft">${report.score.figures.sites} web sites${report.only && ` (only ${report.only})`}, ${report.companies} companies in the register. Run at ${report.ranAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.</p>
      <p class="soft">The sites are made up, or modelled on real ones. ${describeCues(report)}</p>
      <div class="cards">${toHeadlines(report).map(
        ({ name, value, detail, isBad }) =>
          html`<div class="card"><div class="name">${name}</div><div class="value ${isBad && 'bad'}">${value}</div><div class="soft">${detail}</div></div>`,
      )}</div>
      ${listPartTables(report).map(figureTable)}
      <h2>Is the confidence true?</h2>
      <p class="soft">Each dot is a tenth of the scale: how sure the answers were, and how many of their best candidates were right. On the dashed line both are the same; below it the answers claim too much. The bars count the answers.</p>
      <div class="beside">${reliabilityDiagram(report.score.reliability)}${reliabilityTable(report.score.reliability)}</div>
      <h2>By kind of case</h2>
      <p class="legend"><span class="key good"></span>right <span class="key other"></span>not right <span class="key wrong"></span>wrong match</p>
      ${strataBars(report.score.strata)}
      <h2>Expected and answered</h2>
      ${confusionMatrix(report.score.confusion)}
      ${report.folds && foldsSection(report.folds)}
      ${incompleteReviews(report)}
      ${wrongWebsites(report)}
      <h2>Not right (${mistakes.length})</h2>
      ${mistakes.length === 0 && html`<p>Every answer is right.</p>`}
      ${mistakes.map((scoredAnswer) => mistakeArticle(report, scoredAnswer))}
    </main>
  </body>
</html>
`
  return page.markup
}

function figureTable({ title, explanation, head, rows }: FigureTable): Html {
  const kind = (column: number) => column > 0 && 'number'
  const intervalBelow = (cell: string | number) => String(cell).replace(' (', '\n(')
  const capitalise = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
  return html`<h2>${title}</h2>
  <p class="soft">${explanation}</p>
  <div class="wide"><table class="figures">
    <thead><tr>${head.map((name, column) => html`<th class="${kind(column)}">${capitalise(name)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell, column) => html`<td class="${kind(column)}">${intervalBelow(cell)}</td>`)}</tr>`)}</tbody>
  </table></div>`
}

function foldsSection({ folds, worstDifference }: NonNullable<Report['folds']>): Html {
  const cells = (fold: Pick<(typeof folds)[number], keyof typeof worstDifference>) =>
    html`<td class="number">${percent(fold.precision)}</td><td class="number">${percent(fold.recall)}</td><td class="number">${percent(fold.outcomeAccuracy)}</td><td class="number">${percent(fold.reviewRate)}</td><td class="number">${decimal(fold.ece)}</td>`
  return html`<h2>By fold</h2>
  <p class="soft">The sites in ${folds.length} parts; the domains of a company are in the same one.</p>
  <table>
    <thead><tr><th>Fold</th><th class="number">Sites</th><th class="number">Wrong matches</th><th class="number">Precision</th><th class="number">Recall</th><th class="number">Accuracy</th><th class="number">Review rate</th><th class="number">Calibration error</th></tr></thead>
    <tbody>
      ${folds.map((fold, index) => html`<tr><td>${index + 1}</td><td class="number">${fold.sites}</td><td class="number">${fold.wrongMatches}</td>${cells(fold)}</tr>`)}
      <tr class="total"><td colspan="3">Worst difference</td>${cells(worstDifference)}</tr>
    </tbody>
  </table>`
}

function incompleteReviews(report: Report): Html | null {
  const scoredAnswers = listIncompleteReviews(report)
  if (scoredAnswers.length === 0) return null
  return html`<h2>Reviews without a company that had to be offered (${scoredAnswers.length})</h2>
  <table>
    <thead><tr><th>Domain</th><th>Kind of case</th><th>Not offered</th></tr></thead>
    <tbody>${scoredAnswers.map(
      ({ label, missingCandidates }) =>
        html`<tr><td>${label.domain}</td><td>${label.stratum}</td><td>${missingCandidates
          .map((number) => `${number} ${report.companyNames.get(number) ?? ''}`.trim())
          .join(', ')}</td></tr>`,
    )}</tbody>
  </table>`
}

function wrongWebsites(report: Report): Html | null {
  const wrongWebsites = report.reverse.scored.filter((website) => website.isWrongMatch)
  if (wrongWebsites.length === 0) return null
  return html`<h2>Company to domain: wrong (${wrongWebsites.length})</h2>
  <table>
    <thead><tr><th>Company</th><th>Kind of case</th><th>Expected</th><th>Answered</th></tr></thead>
    <tbody>${wrongWebsites.map(
      ({ website, answered }) =>
        html`<tr><td>${website.companyNumber} ${report.companyNames.get(website.companyNumber)}</td><td>${website.stratum}</td><td>${website.domain ?? 'not_found'}</td><td>${answered}</td></tr>`,
    )}</tbody>
  </table>`
}
