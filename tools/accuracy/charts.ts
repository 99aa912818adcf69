/** The drawings of the report: plain SVG and tables, coloured by the page's own names so that both themes fit. */

import { OUTCOMES } from '../../rig/labels.ts'
import { type Html, html } from '../../src/lib/text/html.ts'
import type { ReliabilityBin } from './calibration.ts'
import type { Figures, Score } from './scoring.ts'
import { percent } from './wording.ts'

const PLOT = { left: 56, top: 16, size: 360, countsTop: 404, countsHeight: 64 }
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]
const DOT_RADIUS = { least: 4, most: 14 }

export function reliabilityDiagram(bins: readonly ReliabilityBin[]): Html {
  const { left, top, size, countsTop, countsHeight } = PLOT
  const x = (value: number) => round(left + value * size)
  const y = (value: number) => round(top + (1 - value) * size)
  const most = Math.max(1, ...bins.map((bin) => bin.answers))
  const radius = (answers: number) =>
    round(DOT_RADIUS.least + (DOT_RADIUS.most - DOT_RADIUS.least) * Math.sqrt(answers / most))
  const filled = bins.filter((bin) => bin.answers > 0)
  const dot = ({ answers, confidence, correct }: ReliabilityBin) => html`
    <line class="gap" x1="${x(confidence ?? 0)}" y1="${y(confidence ?? 0)}" x2="${x(confidence ?? 0)}" y2="${y(correct ?? 0)}" />
    <circle class="dot" cx="${x(confidence ?? 0)}" cy="${y(correct ?? 0)}" r="${radius(answers)}"><title>${answers} answers: claimed ${percent(confidence)}, true ${percent(correct)}</title></circle>`
  const bar = ({ from, answers }: ReliabilityBin) => {
    const height = round((answers / most) * (countsHeight - 16))
    const base = countsTop + countsHeight
    return html`<rect class="count" x="${x(from) + 2}" y="${base - height}" width="${size / bins.length - 4}" height="${height}" /><text class="tick" text-anchor="middle" x="${x(from) + size / bins.length / 2}" y="${base - height - 4}">${answers}</text>`
  }
  return html`<svg class="plot" viewBox="0 0 440 500" role="img" aria-label="Confidence claimed against share of right candidates">
    ${TICKS.map(
      (tick) =>
        html`<line class="grid" x1="${x(0)}" x2="${x(1)}" y1="${y(tick)}" y2="${y(tick)}" /><line class="grid" y1="${y(0)}" y2="${y(1)}" x1="${x(tick)}" x2="${x(tick)}" /><text class="tick" text-anchor="end" x="${left - 8}" y="${y(tick) + 4}">${Math.round(tick * 100)}%</text><text class="tick" text-anchor="middle" x="${x(tick)}" y="${countsTop - 12}">${Math.round(tick * 100)}%</text>`,
    )}
    <line class="ideal" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" />
    ${filled.map(dot)}
    ${filled.map(bar)}
    <text class="axis" text-anchor="middle" x="${x(0.5)}" y="492">confidence claimed</text>
    <text class="axis" text-anchor="middle" transform="translate(13 ${y(0.5)}) rotate(-90)">true</text>
  </svg>`
}

export function reliabilityTable(bins: readonly ReliabilityBin[]): Html {
  const rows = bins
    .filter((bin) => bin.answers > 0)
    .map(
      ({ from, to, answers, confidence, correct }) =>
        html`<tr><td>${Math.round(from * 100)}–${Math.round(to * 100)}%</td><td class="number">${answers}</td><td class="number">${percent(confidence)}</td><td class="number">${percent(correct)}</td></tr>`,
    )
  return html`<table>
    <thead><tr><th>Confidence</th><th class="number">Answers</th><th class="number">Claimed</th><th class="number">True</th></tr></thead>
    <tbody>${rows}</tbody>
  </table>`
}

export function strataBars(strata: ReadonlyMap<string, Figures>): Html {
  const rows = [...strata].map(([name, figures]) => {
    const part = (count: number, kind: string) =>
      count > 0 && html`<span class="${kind}" style="width:${round((count / figures.sites) * 100)}%"></span>`
    const other = figures.sites - figures.right - figures.wrongMatches
    return html`<tr><td>${name}</td><td class="number">${figures.sites}</td><td class="number">${figures.right}</td><td class="number ${figures.wrongMatches > 0 && 'bad'}">${figures.wrongMatches}</td><td class="bar"><div>${part(figures.right, 'good')}${part(other, 'other')}${part(figures.wrongMatches, 'wrong')}</div></td><td class="number">${percent(figures.outcomeAccuracy)}</td><td class="number">${percent(figures.recall)}</td></tr>`
  })
  return html`<table class="strata">
    <thead><tr><th>Kind of case</th><th class="number">Sites</th><th class="number">Right</th><th class="number">Wrong matches</th><th></th><th class="number">Accuracy</th><th class="number">Recall</th></tr></thead>
    <tbody>${rows}</tbody>
  </table>`
}

export function confusionMatrix(confusion: Score['confusion']): Html {
  const hasErrors = [...confusion.values()].some((row) => row.has('error'))
  const answered = hasErrors ? [...OUTCOMES, 'error' as const] : OUTCOMES
  const row = (outcome: string) => {
    const counts = confusion.get(outcome) ?? new Map<string, number>()
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const cell = (other: string) => {
      const count = counts.get(other) ?? 0
      const kind = other === outcome ? 'good' : other === 'matched' || other === 'error' ? 'wrong' : 'other'
      // Even a single site must be seen beside hundreds.
      const strength = count === 0 ? 0 : Math.round(14 + 46 * (count / total))
      return html`<td class="number cell" style="background:color-mix(in srgb, var(--${kind}) ${strength}%, transparent)">${count === 0 ? '·' : count}</td>`
    }
    return html`<tr><th scope="row">${outcome}</th>${answered.map(cell)}<td class="number soft">${total}</td></tr>`
  }
  return html`<div class="wide"><table class="confusion">
    <thead><tr><th>Expected ↓ answered →</th>${answered.map((outcome) => html`<th class="number">${outcome}</th>`)}<th class="number">sites</th></tr></thead>
    <tbody>${OUTCOMES.filter((outcome) => confusion.has(outcome)).map(row)}</tbody>
  </table></div>
  <p class="soft">Off the diagonal an answer may still be right: some sites accept more than one outcome.</p>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
