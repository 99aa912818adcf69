/** The live example of the landing page: an answer with its proof, for a visitor without an account. */
import { WELCOME_CREDITS } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { icon } from '../../../lib/design/icons.ts'
import { OUTCOME_LOOKS } from '../../../lib/design/outcomes.ts'
import { type BucketPolicy } from '../../../lib/limits/leased-limiter.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { splitAtNumber } from '../../../lib/text/split-at-number.ts'
import { formatPercent } from '../../../lib/text/wording.ts'
import { admitAddressBlock } from '../../../limits.ts'
import { describeStatus } from '../../../register/index.ts'
import { type Example, findExample, presentChecklist } from '../../../resolution/index.ts'
import { formatMoment } from '../london-time.ts'

/** So many examples an address may open; the answers are stored, so each costs a statement or two. */
const EXAMPLES: BucketPolicy = { name: 'examples', perSecond: 0.5, burst: 30 }

export type ShownExample = { kind: 'answer'; example: Example } | { kind: 'busy' } | { kind: 'none' }

/** Returns the example that was asked for. */
export async function openExample(app: App, asked: { domain: string; origin: { ip: string } }): Promise<ShownExample> {
  const { demoDomains } = app.config
  const domain = asked.domain.trim().toLowerCase()
  if (!demoDomains.includes(domain)) return { kind: 'none' }
  const admission = await admitAddressBlock(app, asked.origin.ip, EXAMPLES)
  if (admission.kind === 'refused') return { kind: 'busy' }
  const example = await findExample(app, domain)
  return example ? { kind: 'answer', example } : { kind: 'none' }
}

const QUOTES_MAX = 2

export function showExample(shown: ShownExample): Html {
  if (shown.kind === 'busy') {
    return card(
      html`<p class="note warn" role="status">You opened many examples in a short time. Wait a minute, or <a href="/sign-up">create a free account</a>.</p>`,
    )
  }
  if (shown.kind === 'none') {
    return card(html`<h3>This domain is not one of the examples</h3>
      <p>We read any site for you once you have an account: ${WELCOME_CREDITS} matches are free.</p>
      <p><a class="button" href="/sign-up">Create a free account</a></p>`)
  }
  const { domain, answer } = shown.example
  if (!answer) {
    return card(html`<div data-reading="true" role="status"><h3><span class="spinner" aria-hidden="true"></span> Reading ${domain}</h3>
      <p class="soft">This takes a few seconds. <a href="/?domain=${domain}#answer">Look again</a></p></div>`)
  }
  const { known, company } = answer
  const { tone, word } = OUTCOME_LOOKS[known.outcome]
  const checks = known.outcome === 'matched' ? presentChecklist(known) : []
  const quotes = known.findings.evidence.slice(0, QUOTES_MAX)
  return card(html`
    <header><span class="mono">${domain}</span><span class="badge ${tone}">${word}</span></header>
    ${
      company &&
      html`<div class="company"><h3>${company.name}</h3>
        <p class="soft">Company number <span class="mono">${company.number}</span> · ${describeStatus(company)}${known.confidence === null ? '' : ` · ${formatPercent(known.confidence)} confidence`}</p></div>`
    }
    <p>${known.reason}</p>
    ${
      checks.length > 0 &&
      html`<ul class="checklist">${checks.map(({ met, says }) => html`<li class="${met ? 'met' : 'unmet'}">${icon(met ? 'check' : 'x')}<span><span class="visually-hidden">${met ? 'Yes: ' : 'No: '}</span>${says}</span></li>`)}</ul>`
    }
    ${quotes.map(
      ({ quote, url, fetchedAt }) =>
        html`<figure><blockquote>${markNumber(quote, company?.number ?? null)}</blockquote><figcaption>${url} · read ${formatMoment(new Date(fetchedAt))}</figcaption></figure>`,
    )}`)
}

function card(body: Html): Html {
  return html`<div class="proof-card card" id="answer" tabindex="-1">${body}</div>`
}

/** Marks the company's number in a quote. */
function markNumber(quote: string, number: string | null): Html {
  const parts = splitAtNumber(quote, number)
  return parts ? html`${parts[0]}<mark>${parts[1]}</mark>${parts[2]}` : html`${quote}`
}
