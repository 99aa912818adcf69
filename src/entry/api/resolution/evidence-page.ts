/** The evidence pack as one page to print and file, without scripts, styles or pictures from elsewhere. */
import { createHash } from 'node:crypto'
import { themeOf } from '../../../lib/design/palette.ts'
import { Html, html } from '../../../lib/text/html.ts'
import { formatDay, formatPercent } from '../../../lib/text/wording.ts'
import type { EvidenceDocument } from './evidence-bodies.ts'

/** The page is for paper, so it has the light colours alone. It loads nothing: a reader with Inter sees it in Inter. */
const light = themeOf('light')
const FONT = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"

const STYLES = `
@page { size: A4; margin: 18mm 16mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 2.5rem 1.5rem; background: ${light.card}; color: ${light.ink}; font: 14.5px/1.55 ${FONT}; }
header { display: flex; justify-content: space-between; gap: 1rem; border-bottom: 2px solid ${light.ink}; padding-bottom: 0.6rem; font: 13px/1.5 ${FONT}; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 1.6rem 0 0.4rem; overflow-wrap: anywhere; }
h2 { font: 600 1rem/1.4 ${FONT}; margin: 2rem 0 0.6rem; padding-bottom: 0.25rem; border-bottom: 1px solid ${light.line}; break-after: avoid; }
p { margin: 0.4rem 0; }
.verdict { border: 1px solid ${light.ink}; border-left-width: 6px; padding: 0.9rem 1.2rem; margin: 1.2rem 0; break-inside: avoid; }
.verdict strong { font-size: 1.15rem; }
.matched { border-color: ${light.good}; } .needs_review { border-color: ${light.warn}; } .no_match { border-color: ${light.soft}; } .non_uk_entity { border-color: ${light.abroad}; } .scrape_failed { border-color: ${light.bad}; }
blockquote { margin: 0.3rem 0; padding-left: 0.9rem; border-left: 3px solid ${light['line-strong']}; font-style: italic; overflow-wrap: anywhere; }
.item { margin: 0.9rem 0; break-inside: avoid; }
.soft, .source { color: ${light.soft}; font: 12.5px/1.5 ${FONT}; overflow-wrap: anywhere; }
.hash { font: 11px/1.4 ui-monospace, monospace; color: ${light.soft}; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font: 13px/1.45 ${FONT}; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.7rem 0.35rem 0; border-bottom: 1px solid ${light.line}; overflow-wrap: anywhere; }
tr { break-inside: avoid; }
th { overflow-wrap: break-word; font-weight: 600; color: ${light.soft}; }
.check { white-space: nowrap; width: 4rem; }
.code { white-space: nowrap; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.total td { font-weight: 600; border-top: 1px solid ${light.ink}; }
.signed { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 2rem; margin-top: 3rem; font: 12.5px ${FONT}; break-inside: avoid; }
.signed div { border-top: 1px solid ${light.ink}; padding-top: 0.3rem; }
@media print { body { padding: 0; font-size: 11pt; } a { color: inherit; text-decoration: none; } }
`

export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

const HEADLINES: Record<EvidenceDocument['outcome'], string> = {
  matched: 'The site is run by',
  needs_review: 'Not decided: a person must look',
  no_match: 'No UK company is behind the site as far as it says',
  non_uk_entity: 'The site belongs to a company outside the UK register',
  scrape_failed: 'No answer: the site was not read',
}

/**
 * `sharedUntil` is the end of the share link by which the reader came. They are not shown the id of the answer: with it, every
 * account reads the evidence, also after the link.
 */
export function formatEvidencePage(pack: EvidenceDocument, sharedUntil: string | null = null): string {
  return html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Evidence: ${pack.domain}</title>
    <style>${new Html(STYLES)}</style>
  </head>
  <body>
    <header><strong>Nameplate · evidence pack</strong>${sharedUntil === null ? html`<span>${pack.resolution_id}</span>` : null}</header>
    <h1>Who runs ${pack.domain}?</h1>
    <p class="soft">Site read ${moment(pack.resolved_at)} · this copy made ${moment(pack.read_at)} · method ${pack.model_version}</p>
    ${sharedUntil === null ? null : html`<p class="soft">You opened a share link. It shows this one answer, until ${moment(sharedUntil)}.</p>`}
    ${verdict(pack)}
    ${decided(pack)}
    ${secondReader(pack)}
    ${whyNot(pack)}
    ${checklist(pack)}
    ${register(pack)}
    ${quotes(
      'What the site says',
      pack.evidence.filter((item) => isGround(item, pack)),
    )}
    ${quotes(
      'What else it says',
      pack.evidence.filter((item) => !isGround(item, pack)),
    )}
    ${candidates(pack)}
    ${others(pack)}
    ${weights(pack)}
    ${pages(pack)}
    ${check(pack)}
    <div class="signed"><div>Reviewed by</div><div>Date</div><div>Decision</div></div>
  </body>
</html>
`.markup
}

/** A company abroad that runs the site speaks against every company here, and is the ground of such an answer. */
function isGround({ strength, kind }: EvidenceDocument['evidence'][number], { outcome }: EvidenceDocument): boolean {
  return strength !== 'against' || (outcome === 'non_uk_entity' && kind === 'foreign_company')
}

function verdict({ outcome, confidence, reason, register: { before: then } }: EvidenceDocument): Html {
  const who =
    outcome === 'matched' && then
      ? html`<strong>${then.company_name}</strong>, company number ${then.company_number}`
      : null
  const chance =
    confidence === null
      ? null
      : html`<p>Probability that the best candidate runs the site: ${formatPercent(confidence)}.</p>`
  return html`<div class="verdict ${outcome}"><p>${who ? html`${HEADLINES[outcome]} ${who}.` : html`<strong>${HEADLINES[outcome]}.</strong>`}</p><p>${reason}</p>${chance}</div>`
}

function decided({ decided_by: decision }: EvidenceDocument): Html | null {
  if (!decision) return null
  const { action, company_number: number, reviewer, reason, decided_at: at } = decision
  const noCompany = action === 'dispute' ? 'It is not this company.' : 'It is none of the candidates.'
  return html`<h2>What your account decided</h2>
    <p><strong>${number === null ? noCompany : `It is company ${number}.`}</strong> ${reviewer}, ${moment(at)}.</p>
    ${reason ? html`<blockquote>“${reason}”</blockquote>` : null}`
}

const READINGS = {
  match: 'found the company. The rules alone had not matched one.',
  confirm: 'agrees with the rules.',
  object: 'objects to what the rules had matched.',
}

function secondReader({ second_reader: reading }: EvidenceDocument): Html | null {
  if (!reading) return null
  const quote = reading.quote
    ? html`<blockquote>“${reading.quote}”</blockquote><p class="source">${reading.url}</p>`
    : null
  return html`<h2>What the second reader says</h2>
    <p>A language model that read the same pages ${READINGS[reading.decision]} ${reading.reason}</p>
    ${quote}
    <p class="soft">Model ${reading.model}, instructions ${reading.prompt_version}. Every quoted word was found on the page by our own code.</p>`
}

function whyNot({ why_not: why }: EvidenceDocument): Html | null {
  if (!why) return null
  return html`<h2>Why not ${why.company_name ?? why.company_number}?</h2>
    <p>${why.answer}</p>
    ${why.quote ? html`<blockquote>“${why.quote}”</blockquote><p class="source">${why.url}</p>` : null}
    ${list(why.reasons)}`
}

function checklist({ explanation: { checklist: checks }, candidates: [best] }: EvidenceDocument): Html | null {
  if (checks.length === 0) return null
  const about = best ? html`<p class="soft">For ${best.company_name}, ${best.company_number}.</p>` : null
  return html`<h2>Checklist</h2>${about}<table>
    ${checks.map(({ met, says }) => html`<tr><td class="check">${met ? '✓ yes' : '✗ no'}</td><td>${says}</td></tr>`)}</table>`
}

function register({ register: { before: then, now } }: EvidenceDocument): Html | null {
  if (!then && now.length === 0) return null
  const today = then && now.find(({ company_number: number }) => number === then.company_number)
  if (!then) return null
  const row = (name: string, before: string | null, after: string | null | undefined) =>
    html`<tr><th>${name}</th><td>${before ?? '–'}</td><td>${after ?? '–'}</td></tr>`
  return html`<h2>The register’s record</h2>
    <table>
      <tr><th></th><th>When the site was read</th><th>Now</th></tr>
      ${row('Name', then.company_name, today?.company_name)}
      ${row('Number', then.company_number, today?.company_number)}
      ${row('Status', then.company_status_text, today?.company_status_text)}
      ${row('Registered postcode', then.registered_postcode, today?.registered_postcode)}
      ${row('Kind of company', null, today?.company_type_text)}
      ${row('Business', null, today?.sic_codes.map((code, index) => today.sic_codes_text?.[index] ?? code).join('; '))}
      ${row('Incorporated', null, today?.incorporated_on && formatDay(today.incorporated_on))}
      ${row('Record version', moment(then.record_changed_at), today && moment(today.record_changed_at))}
    </table>`
}

function quotes(title: string, items: EvidenceDocument['evidence']): Html | null {
  if (items.length === 0) return null
  return html`<h2>${title}</h2>${items.map(
    ({ says, quote, url, strength, fetched_at: at, content_sha256: hash }) => html`<div class="item">
      <p>${says} ${strength === 'against' ? '' : html`<span class="soft">(${strength})</span>`}</p>
      <blockquote>“${quote}”</blockquote>
      <p class="source">${url} · ${moment(at)}</p><p class="hash">SHA-256 ${hash}</p>
    </div>`,
  )}`
}

function candidates({ outcome, candidates: all }: EvidenceDocument): Html | null {
  if (outcome === 'matched' || all.length === 0) return null
  return html`<h2>Candidates to look at</h2>${all.map(
    ({ company_name: name, company_number: number, confidence, reasons }) => html`<div class="item">
      <p><strong>${name}</strong>, ${number}: ${formatPercent(confidence)}</p>${list(reasons)}
    </div>`,
  )}`
}

/** Companies that are named and are not the answer. */
function others({ considered, register: { before: then }, candidates: all }: EvidenceDocument): Html | null {
  const chosen = new Set([then?.company_number, ...all.map(({ company_number: number }) => number)])
  const rest = considered.filter(({ company_number: number }) => !chosen.has(number))
  if (rest.length === 0) return null
  return html`<h2>Other companies that the site names</h2><table>
    ${rest.map(
      ({ company_name: name, company_number: number, says, url }) =>
        html`<tr><td>${name}<br /><span class="soft">${number}</span></td><td>${says}<br /><span class="soft">${url}</span></td></tr>`,
    )}</table>`
}

function weights({ explanation, confidence }: EvidenceDocument): Html | null {
  const { prior, features, total, runner_up: next, margin } = explanation
  if (features.length === 0) return null
  const line = (says: string, weight: number) => html`<tr><td>${says}</td><td class="number">${bits(weight)}</td></tr>`
  return html`<h2>How it was weighed</h2>
    <p class="soft">Each finding counts in bits: +1 doubles the odds that this company runs the site, −1 halves them.</p>
    <table>
      ${line('Before anything was read: one company among millions', prior)}
      ${features.map(({ kind, says, weight }) => line(`${KINDS[kind]}${says}`, weight))}
      <tr class="total"><td>Together${confidence === null ? '' : `: the odds of ${formatPercent(confidence)}`}</td><td class="number">${bits(total)}</td></tr>
    </table>
    ${next && margin !== null ? html`<p class="soft">The next best, ${next.company_name} (${next.company_number}), comes to ${bits(next.total)}: ${bits(margin)} behind.</p>` : null}`
}

function pages({ crawl }: EvidenceDocument): Html {
  const led = crawl.redirected_to ? html`<p>The domain led to ${crawl.redirected_to}.</p>` : null
  if (crawl.pages.length === 0) return html`<h2>Pages read</h2>${led}<p>None. ${crawl.reason}</p>`
  return html`<h2>Pages read</h2>${led}<table>
    ${crawl.pages.map(
      ({ url, status, fetched_at: at, sha256 }) =>
        html`<tr><td>${url}<div class="hash">SHA-256 ${sha256}</div></td><td class="code">${status}</td><td>${moment(at)}</td></tr>`,
    )}</table>`
}

function check({ crawl }: EvidenceDocument): Html {
  return html`<h2>How to check this</h2>
    <p class="soft">${crawl.pages.length > 0 ? 'A SHA-256 is of the page as the server sent it, so a kept copy can be compared. ' : ''}The register’s record is public at find-and-update.company-information.service.gov.uk. The probability is calibrated: how often answers at that level were right on sites whose company is known is published with the method.</p>`
}

const list = (sentences: readonly string[]): Html | null =>
  sentences.length === 0 ? null : html`<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`

const KINDS = { evidence: '', veto: 'Veto: ', calibration: 'Calibration: ' } as const

const bits = (weight: number) => `${weight > 0 ? '+' : weight < 0 ? '−' : ''}${Math.abs(weight).toFixed(1)}`

/** A reader in London sees London's time. */
function moment(at: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'Europe/London' }).format(
    new Date(at),
  )
}
