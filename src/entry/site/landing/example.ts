/** The live example of the landing page: an answer with its proof, for a visitor without an account. */
import type { App } from '../../../app.ts'
import { icon } from '../../../lib/design/icons.ts'
import { type BucketPolicy } from '../../../lib/limits/leased-limiter.ts'
import { Html, html } from '../../../lib/text/html.ts'
import { formatPercent } from '../../../lib/text/wording.ts'
import { admitAddressBlock } from '../../../limits.ts'
import { describeStatus } from '../../../register/index.ts'
import { type Example, findExample, presentChecklist } from '../../../resolution/index.ts'

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

const OUTCOMES = {
  matched: { tone: 'good', words: 'Matched' },
  needs_review: { tone: 'warn', words: 'Needs review' },
  no_match: { tone: 'neutral', words: 'No match' },
  non_uk_entity: { tone: 'abroad', words: 'Not a UK company' },
  scrape_failed: { tone: 'bad', words: 'Site could not be read' },
} as const

const QUOTES_MAX = 2

export function showExample(shown: ShownExample): Html {
  if (shown.kind === 'busy') {
    return card(
      html`<p class="note warn" role="status">You opened many examples in a short time. Wait a minute, or <a href="/sign-up">create a free account</a>.</p>`,
    )
  }
  if (shown.kind === 'none') {
    return card(html`<h3>This domain is not one of the examples</h3>
      <p>We read any site for you once you have an account: 25 matches are free.</p>
      <p><a class="button" href="/sign-up">Create a free account</a></p>`)
  }
  const { domain, answer } = shown.example
  if (!answer) {
    return card(html`<div data-reading="true" role="status"><h3><span class="spinner" aria-hidden="true"></span> Reading ${domain}</h3>
      <p class="soft">This takes a few seconds. <a href="/?domain=${domain}#answer">Look again</a></p></div>`)
  }
  const { known, company } = answer
  const { tone, words } = OUTCOMES[known.outcome]
  const checks = known.outcome === 'matched' ? presentChecklist(known) : []
  const quotes = known.findings.evidence.slice(0, QUOTES_MAX)
  return card(html`
    <header><span class="mono">${domain}</span><span class="badge ${tone}">${words}</span></header>
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
        html`<figure><blockquote>${markNumber(quote, company?.number ?? null)}</blockquote><figcaption>${url} · read ${formatMoment(fetchedAt)}</figcaption></figure>`,
    )}`)
}

function card(body: Html): Html {
  return html`<div class="proof-card card" id="answer" tabindex="-1">${body}</div>`
}

/** Marks the company's number in a quote, also where the site writes it with spaces or without leading zeros. */
function markNumber(quote: string, number: string | null): Html {
  const digits = number?.replace(/^0+/, '') ?? ''
  const found = digits === '' ? null : new RegExp(`0*${digits.split('').join(String.raw`[\s.-]?`)}`, 'i').exec(quote)
  if (!found) return html`${quote}`
  const end = found.index + found[0].length
  return html`${quote.slice(0, found.index)}<mark>${found[0]}</mark>${quote.slice(end)}`
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/London' })
const formatMoment = (at: string) => moment.format(new Date(at))
