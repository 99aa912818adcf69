/** One mistake with all that led to it, so that a person sees why without running anything. */
import { type Html, html } from '../../src/lib/text/html.ts'
import type { EvidenceItem, Explanation, Resolution } from '../../src/resolver/resolution.ts'
import type { Report } from './report.ts'
import type { ScoredAnswer } from './scoring.ts'
import { describeExpected, describeGot, percent, signed } from './wording.ts'

// A crawl is bounded anyway; a page of many mistakes should stay one that can be opened.
const ITEMS_MAX = 40

export function mistakeArticle(report: Report, scoredAnswer: ScoredAnswer): Html {
  const { label, answer } = scoredAnswer
  const site = report.sites.get(label.domain)
  const names = (numbers: readonly string[]) => numbers.map((number) => report.companyNames.get(number)).filter(Boolean)
  const expectedNames = names(label.companyNumbers).join(' | ')
  const gotName = names([answer.companyNumber ?? answer.candidates[0] ?? '']).join('')
  return html`<details class="mistake" open id="${label.domain}">
    <summary><strong>${label.domain}</strong> <span class="soft">${label.stratum}</span>${scoredAnswer.isWrongMatch && html` <span class="flag">wrong match</span>`}${answer.outcome === 'error' && html` <span class="flag">error</span>`}</summary>
    <dl>
      <dt>Expected</dt><dd>${describeExpected(scoredAnswer)}${expectedNames && html` <span class="soft">${expectedNames}</span>`}</dd>
      <dt>Got</dt><dd>${describeGot(scoredAnswer)}${gotName && html` <span class="soft">${gotName}</span>`}</dd>
      ${label.note && html`<dt>The case</dt><dd>${label.note}</dd>`}
      ${site?.resolution && html`<dt>Reason</dt><dd>${site.resolution.reason}</dd>`}
      ${site?.resolution && html`<dt>Crawl</dt><dd>${describeCrawl(site.resolution)}</dd>`}
    </dl>
    ${site?.error && html`<pre>${site.error}</pre>`}
    ${site?.resolution && traceOf(site.resolution)}
  </details>`
}

function describeCrawl({ crawl }: Resolution): string {
  const redirected = crawl.redirectedTo ? `redirected to ${crawl.redirectedTo}` : ''
  return [crawl.finding, crawl.reason, redirected].filter(Boolean).join(' · ')
}

function traceOf(resolution: Resolution): Html {
  const { candidates, evidence, explanation, crawl } = resolution
  return html`
    ${
      candidates.length > 0 &&
      html`<h3>Candidates</h3><table><tbody>${candidates.map(
        ({ company, confidence, reasons }) =>
          html`<tr><td>${company.number}</td><td>${company.name} <span class="soft">${company.status}</span></td><td class="number">${percent(confidence)}</td><td>${reasons.join('; ')}</td></tr>`,
      )}</tbody></table>`
    }
    ${explanation.features.length > 0 && explanationTable(explanation)}
    ${evidence.length > 0 && html`<h3>Evidence</h3>${evidence.slice(0, ITEMS_MAX).map(evidenceQuote)}`}
    <h3>Pages read</h3>
    ${crawl.pages.length === 0 && html`<p class="soft">None.</p>`}
    <ul class="urls">${crawl.pages.slice(0, ITEMS_MAX).map(({ url, status }) => html`<li>${status} ${url}</li>`)}</ul>
    ${
      crawl.attempts.length > 0 &&
      html`<h3>Attempts</h3><ul class="urls">${crawl.attempts
        .slice(0, ITEMS_MAX)
        .map(
          ({ url, outcome, milliseconds }) =>
            html`<li>${outcome} ${url} <span class="soft">${Math.round(milliseconds)} ms</span></li>`,
        )}</ul>`
    }`
}

function explanationTable({ prior, features, total, runnerUp, margin, version }: Explanation): Html {
  return html`<h3>Weights <span class="soft">in bits, ${version}</span></h3>
  <table>
    <thead><tr><th>Feature</th><th class="number">Weight</th><th>Found</th><th>Registered</th></tr></thead>
    <tbody>
      <tr><td>prior</td><td class="number">${signed(prior)}</td><td></td><td></td></tr>
      ${features.map(
        ({ name, says, weight, found, registered }) =>
          html`<tr><td>${name}<br /><span class="soft">${says}</span></td><td class="number">${signed(weight)}</td><td>${found}</td><td>${registered}</td></tr>`,
      )}
      <tr class="total"><td>total</td><td class="number">${signed(total)}</td><td colspan="2">${runnerUp && `runner-up ${runnerUp.companyNumber} ${runnerUp.companyName} ${signed(runnerUp.total)}`}${margin !== null && `, margin ${signed(margin)}`}</td></tr>
    </tbody>
  </table>`
}

function evidenceQuote({ kind, strength, supports, quote, url }: EvidenceItem): Html {
  return html`<blockquote class="${strength === 'against' && 'against'}"><p>${quote}</p><footer>${[kind, strength, supports ?? '', url].filter(Boolean).join(' · ')}</footer></blockquote>`
}
