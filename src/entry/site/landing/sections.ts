/** The parts of the landing page below the example. */
import { PLANS, WELCOME_CREDITS } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { type IconName, icon } from '../../../lib/design/icons.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { resourceOf } from '../../../oauth/index.ts'
import { renderMarkdown } from '../docs/markdown.ts'
import { readFirstRuns } from './accuracy-figures.ts'

export function sectionsOf(app: App): Html {
  return html`${HOW}${PEOPLE}${accuracy()}${SIGNALS}${agents(app)}${code(app)}${plans()}${TRUST}${LAST}`
}

const HOW = html`
  <section class="band" id="how"><div>
    <h2>How it proves</h2>
    <p class="lead">UK companies must print their name, number and registered office on their sites. Few do it the same way. Nameplate finds it anyway, and shows you where.</p>
    <ol class="ways numbered">
      <li><h3>1. It reads the site</h3><p>Up to ten pages: the home page, then the pages where companies identify themselves. It keeps the time and the SHA-256 of each.</p></li>
      <li><h3>2. It compares with the register</h3><p>Numbers, names, former names and offices against all of Companies House, other sites that claim the same company, and the words around the number: an agency’s credit is not the owner.</p></li>
      <li><h3>3. It answers, or refuses</h3><p>A match with a checklist and quotes, a question for a person, or a clear no. A name alone is never a match.</p></li>
    </ol>
    <figure class="screen">
      <picture>
        <source media="(prefers-color-scheme: dark)" srcset="/assets/answer-dark.webp" />
        <img src="/assets/answer-light.webp" alt="The console’s answer for harbourlantern.co.uk: the company, the checklist, and the quoted sentence with its page, time and fingerprint." width="1200" height="860" loading="lazy" decoding="async" />
      </picture>
    </figure>
  </div></section>`

const FOR: ReadonlyArray<{ icon: IconName; name: string; words: string; href: string; link: string }> = [
  {
    icon: 'file-check',
    name: 'Compliance',
    words: 'File the evidence pack: quotes, pages, times, hashes, the register’s record, who decided and why.',
    href: '/docs/outcomes#seal-an-answer',
    link: 'From a domain to a filed proof',
  },
  {
    icon: 'table',
    name: 'Sales operations',
    words: 'Drop a spreadsheet of domains. Get companies, statuses and a short list of rows to look at.',
    href: '/docs/spreadsheets',
    link: 'Clean a list of domains',
  },
  {
    icon: 'webhook',
    name: 'Platforms and developers',
    words: 'A flat endpoint for tables, signed webhooks, typed clients, idempotent requests.',
    href: '/docs/resolve',
    link: 'Integrate in an afternoon',
  },
  {
    icon: 'bot',
    name: 'Agents',
    words: 'An MCP endpoint with OAuth and a daily cap on what the agent may spend.',
    href: '/docs/agents',
    link: 'Connect Claude, ChatGPT or Cursor',
  },
]

const PEOPLE = html`
  <section class="band sunken"><div>
    <h2>Who it is for</h2>
    <ul class="people">${FOR.map(
      (one) =>
        html`<li class="card">${icon(one.icon)}<h3>${one.name}</h3><p>${one.words}</p><p><a href="${one.href}">${one.link}</a></p></li>`,
    )}</ul>
  </div></section>`

const RUNS_SHOWN = 4

/** Leads with the runs that hurt: sites that the rules had never seen. */
function accuracy(): Html {
  const runs = readFirstRuns().slice(0, RUNS_SHOWN)
  return html`
  <section class="band" id="accuracy"><div>
    <h2>Published accuracy, with its honest half</h2>
    <p class="lead">A wrong match costs you more than no match. So we publish how often we are wrong, on sites the rules had never seen, before anything was changed for them. Anyone can run it again.</p>
    <div class="table-wrap" tabindex="0" role="group" aria-label="First runs on unseen sites"><table>
      <thead><tr><th scope="col">First run on</th><th scope="col" class="number">Sites</th><th scope="col" class="number">Wrong matches</th><th scope="col" class="number">Matches that are right</th><th scope="col" class="number">Companies found</th></tr></thead>
      <tbody>${runs.map(
        ({ world, sites, wrongMatches, precision, recall }) =>
          html`<tr><td>${world.replace(/^[\w-]+: /, '')}</td><td class="number">${sites}</td><td class="number">${wrongMatches}</td><td class="number">${precision}</td><td class="number">${recall}</td></tr>`,
      )}</tbody>
    </table></div>
    <p class="soft">The sites are made up, or modelled on real pages with invented names, so the web may differ. <a href="/docs/accuracy">All runs, with intervals, and how to repeat them</a></p>
  </div></section>`
}

const EXAMPLE_SIGNALS = [
  { tone: 'bad', word: 'Warning', words: 'Proposal to strike off published', when: 'the day it is in the register' },
  { tone: 'bad', word: 'Warning', words: 'Accounts are overdue', when: 'the day after the deadline' },
  { tone: 'warn', word: 'Notice', words: 'New person with significant control', when: 'as the register publishes it' },
  { tone: 'warn', word: 'Notice', words: 'Registered office moved', when: 'with the address before and after' },
]

const SIGNALS = html`
  <section class="band sunken" id="signals"><div class="two">
    <div>
      <h2>Know when it changes</h2>
      <p class="lead">Watch a company and get a signal when its record changes: in the console, by e-mail each morning, or as a signed webhook with retries, replay and a log of every attempt.</p>
      <p><a href="/docs/webhooks">Webhooks</a> · <a href="/docs/watching">What is watched</a></p>
    </div>
    <ul class="list card">${EXAMPLE_SIGNALS.map(
      ({ tone, word, words, when }) =>
        html`<li class="row"><span class="badge ${tone}">${word}</span><span class="grow"><strong>${words}</strong><br /><span class="soft small">${when}</span></span></li>`,
    )}</ul>
  </div></section>`

function agents(app: App): Html {
  return html`
  <section class="band" id="agents"><div class="two">
    <div>
      <h2>Ask from your agent</h2>
      <p class="lead">Add this address as a connector in Claude, ChatGPT, Cursor or VS Code and approve it with your account. You set how many credits it may spend a day.</p>
      <p><a href="/docs/agents">How to connect, step by step</a></p>
    </div>
    <div class="code"><pre tabindex="0"><code>${resourceOf(app)}</code></pre></div>
  </div></section>`
}

function code({ config: { baseUrl } }: App): Html {
  return html`
  <section class="band sunken" id="api"><div class="two">
    <div>
      <h2>Three lines to an answer</h2>
      <p class="lead">One endpoint for a domain, one for a company, one flat one for tables. Problem details on every error, idempotency keys, credits in the headers, a test mode with fixed answers.</p>
      <p><a href="/docs/quickstart">Quick start</a> · <a href="/docs/api">API reference</a> · <a href="/docs/agents#clients">Clients</a></p>
    </div>
    <div>${renderMarkdown(examplesFor(baseUrl.origin))}</div>
  </div></section>`
}

const examplesFor = (api: string) => `\`\`\`sh
curl -s ${api}/v1/resolve/domain \\
  -H "X-API-Key: $NAMEPLATE_API_KEY" \\
  -H 'content-type: application/json' \\
  -H 'prefer: wait=30' \\
  -d '{"domain":"harbourlantern.co.uk"}'
\`\`\`

\`\`\`ts
import { Nameplate } from '@nameplate/client'

const nameplate = new Nameplate()
const { company, evidence } =
  await nameplate.resolve('harbourlantern.co.uk')
console.log(company?.company_name, evidence[0]?.quote)
\`\`\`

\`\`\`python
from nameplate import Nameplate

nameplate = Nameplate()
answer = nameplate.resolve("harbourlantern.co.uk")
print(answer["company"], answer["evidence"][0]["quote"])
\`\`\`
`

const number = (value: number) => value.toLocaleString('en-GB')

/** The plans as cards; also on the page about prices. */
export function planCards(): Html {
  const card = ([name, { monthlyCredits, watchlistMax, limits }]: [string, (typeof PLANS)[keyof typeof PLANS]]) =>
    html`<li class="card"><h3>${name[0]?.toUpperCase()}${name.slice(1)}</h3>
      <p class="figure">${number(monthlyCredits === 0 ? WELCOME_CREDITS : monthlyCredits)}</p><p class="soft">${monthlyCredits === 0 ? 'credits, once' : 'credits a month'}</p>
      <ul class="small"><li>${number(watchlistMax)} watched companies</li><li>${limits.api.perSecond} requests a second</li><li>Everything else included</li></ul></li>`
  return html`<ul class="plans">${Object.entries(PLANS).map(card)}</ul>`
}

function plans(): Html {
  return html`
  <section class="band" id="plans"><div>
    <h2>Pay for matches, and for nothing else</h2>
    <p class="lead">One credit per match. No match, a site that cannot be read, a question for a person, searches of the register, signals: free. The same fact is free again for 30 days, and you can dispute a wrong match to get its credit back.</p>
    ${planCards()}
    <p class="soft"><a href="/pricing">What a credit buys, and what is free</a></p>
  </div></section>`
}

const TRUSTED: ReadonlyArray<{ icon: IconName; name: string; words: string; href: string }> = [
  {
    icon: 'shield',
    name: 'Security, requirement by requirement',
    words: 'Every requirement of OWASP ASVS with what meets it, and a threat model.',
    href: '/docs/security',
  },
  {
    icon: 'lock',
    name: 'Data protection',
    words: 'What is stored about people, for how long, and the command that deletes it.',
    href: '/docs/data-protection',
  },
  {
    icon: 'fingerprint',
    name: 'Evidence that can be checked',
    words: 'Each quote has its page, its time and the SHA-256 of the page as it was sent.',
    href: '/docs/outcomes#evidence',
  },
  {
    icon: 'scale',
    name: 'Measured, not claimed',
    words: 'Faults, load and fuzzing: what was run, on which commit, and what it showed.',
    href: '/docs/proof',
  },
  {
    icon: 'server',
    name: 'Yours to run',
    words: 'Apache-2.0. One process and PostgreSQL; Compose and Kubernetes files are included.',
    href: '/docs/self-hosting',
  },
  {
    icon: 'bot',
    name: 'A crawler with manners',
    words: 'It obeys robots.txt, reads at most ten pages, and says who it is.',
    href: '/bot',
  },
]

const TRUST = html`
  <section class="band sunken" id="trust"><div>
    <h2>Security and data protection</h2>
    <ul class="people three">${TRUSTED.map(
      (one) =>
        html`<li class="card">${icon(one.icon)}<h3><a href="${one.href}">${one.name}</a></h3><p>${one.words}</p></li>`,
    )}</ul>
  </div></section>`

const LAST = html`
  <section class="band last"><div>
    <h2>Put a name to a domain</h2>
    <p class="row"><a class="button large" href="/sign-up">Start free ${icon('arrow-right')}</a><a class="button quiet large" href="/docs/quickstart">Read the quick start</a></p>
  </div></section>`
