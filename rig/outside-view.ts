/** The markup of the outside page: what a newcomer reads, and the forms. It works without script; a little renews the list. */
import { Html, html } from '../src/lib/text/html.ts'
import type { SimulatedCompaniesHouse } from './companies-house/index.ts'
import type { SimulatedChannel } from './incoming-webhooks/index.ts'
import { OUTSIDE_CHANGES } from './outside-changes.ts'
import type { ReceivedRequest, Receiver } from './web/index.ts'

export interface Outside {
  house: SimulatedCompaniesHouse
  receiver: Receiver
  receiverUrl: string
  channels?: readonly SimulatedChannel[]
  /** Where the person came from, and goes back to. */
  consoleUrl?: string
  /** Filled in where the address of the page names none. */
  companyNumber?: string
}

export interface View {
  companyNumber: string
  change: string
  /** Describes the change that was just made, or why it was refused. */
  done?: string
  problem?: string
}

const SHOWN_MAX = 20
const OFFERED_MAX = 500

export function renderOutside(outside: Outside, view: View): Html {
  const { consoleUrl } = outside
  return html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>The outside world · Nameplate development</title>
    <style>${STYLES}</style>
  </head>
  <body>
    <header><strong>Nameplate development</strong>${consoleUrl && html`<a href="${consoleUrl}">Back to the console</a>`}</header>
    <main>
      <h1>The outside world</h1>
      <p>On your machine the company register and the web are played by a simulator. This page is its control panel: make
      something happen to a company, and see what a customer’s system is told about it.</p>
      ${renderForm(outside, view)}
      ${renderReceiver(outside)}
      ${outside.channels && renderChannels(outside.channels)}
      <section id="received" data-arrived="${outside.receiver.arrived}" aria-labelledby="received-title" aria-live="polite">${renderReceived(outside)}</section>
    </main>
    <script>${SCRIPT}</script>
  </body>
</html>
`
}

function renderForm({ house }: Outside, { companyNumber, change, done, problem }: View): Html {
  const companies = house.companyNumbers().slice(0, OFFERED_MAX)
  const offers = companies.map((number) => html`<option value="${number}">${house.findCompany(number)?.name}</option>`)
  const kinds = Object.entries(OUTSIDE_CHANGES).map(
    ([name, { says, signal }]) => html`
          <label class="kind"><input type="radio" name="change" value="${name}"${name === change && new Html(' checked')} required /> <span>${says} <code>${signal}</code></span></label>`,
  )
  const name = house.findCompany(companyNumber)?.name
  return html`
      <section aria-labelledby="cause-title">
        <h2 id="cause-title">Make something happen to a company</h2>
        ${done && html`<p role="status" class="good">${done}</p>`}
        ${problem && html`<p role="alert" class="bad">${problem}</p>`}
        <form method="post" action="/" class="card">
          <label for="company">Company number</label>
          <input id="company" name="company_number" value="${companyNumber}" list="companies" aria-describedby="company-hint" autocomplete="off" spellcheck="false" required maxlength="20" />
          <p class="soft" id="company-hint">${name && html`Now ${name}. `}Any company of the demo register: type a part of its name to find it. Watch it in the console first, or nobody is told.</p>
          <datalist id="companies">${offers}</datalist>
          <fieldset><legend>What happens, and the signal that comes of it</legend>${kinds}</fieldset>
          <button>Make it happen</button>
        </form>
      </section>`
}

function renderReceiver({ receiverUrl }: Outside): Html {
  return html`
      <section aria-labelledby="receiver-title">
        <h2 id="receiver-title">A system to send webhooks to</h2>
        <p>Register this address as a webhook destination in the console. Whatever is sent there appears below.</p>
        <div class="copy"><label for="receiver">Address of the receiver</label>
        <input id="receiver" value="${receiverUrl}" readonly /><button type="button" id="copy" hidden>Copy</button></div>
      </section>`
}

const MESSAGES_MAX = 5

function renderChannels(channels: readonly SimulatedChannel[]): Html {
  const parts = channels.map(({ name, url, service }) => {
    const newest = service.messages.slice(-MESSAGES_MAX).toReversed()
    return html`<article class="card">
        <h3>${name}</h3>
        <p><code>${url}</code></p>
        <p class="soft">${service.messages.length} messages taken, ${service.refused.length} refused.</p>
        ${newest.map((message) => html`<details><summary>A message</summary><pre tabindex="0">${JSON.stringify(message, null, 2)}</pre></details>`)}
      </article>`
  })
  return html`
      <section aria-labelledby="channels-title">
        <h2 id="channels-title">Channels in Slack and Teams</h2>
        <p>Add one of these addresses as a destination of its kind. Each takes and refuses messages by the rules of its service.</p>
        ${parts}
      </section>`
}

function renderReceived({ receiver }: Outside): Html {
  const newest = receiver.received.slice(-SHOWN_MAX).toReversed()
  const empty = html`<p class="soft">Nothing has arrived yet. Register the address above, watch a company, and make something happen to it.</p>`
  return html`<h2 id="received-title">Webhooks that arrived</h2>
      <p class="soft">${receiver.arrived} in all, the newest first. <a href="/">Look again</a></p>
      ${newest.length > 0 ? newest.map((request, index) => renderRequest(request, receiver.arrived - index)) : empty}`
}

function renderRequest({ at, headers, body }: ReceivedRequest, number: number): Html {
  return html`<article class="card">
        <h3>${headers['x-webhook-event']}</h3>
        <p class="soft">${at.toISOString()} · attempt ${headers['x-webhook-attempt']} · ${headers['x-webhook-id']}</p>
        <details id="sent-${number}"><summary>What was sent</summary><pre tabindex="0">${indent(body)}</pre></details>
      </article>`
}

function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const STYLES = new Html(`
:root { color-scheme: light dark; --ink: #1c1917; --soft: #57534e; --line: #d6d3d1; --paper: #fafaf9; --card: #fff; --accent: #14532d; --on-accent: #fff; --good: #166534; --bad: #991b1b; }
@media (prefers-color-scheme: dark) { :root { --ink: #f5f5f4; --soft: #a8a29e; --line: #44403c; --paper: #1c1917; --card: #292524; --accent: #86efac; --on-accent: #052e16; --good: #86efac; --bad: #fca5a5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; justify-content: space-between; }
a { color: var(--accent); }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 1rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; margin: 0.75rem 0; }
.soft { color: var(--soft); margin: 0.25rem 0; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
label { font-weight: 600; }
fieldset { border: 0; padding: 0; margin: 1rem 0; }
legend { font-weight: 600; padding: 0; }
.kind { display: flex; gap: 0.6rem; align-items: baseline; font-weight: 400; padding: 0.2rem 0; }
input:not([type=radio]) { width: 100%; font: inherit; padding: 0.5rem 0.75rem; border: 1px solid var(--soft); border-radius: 8px; background: var(--paper); color: var(--ink); }
code, pre { font-family: ui-monospace, monospace; font-size: 0.85em; }
code { color: var(--soft); }
pre { white-space: pre-wrap; }
button { font: inherit; font-weight: 600; padding: 0.5rem 1.1rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); cursor: pointer; }
#copy { margin-top: 0.5rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`)

// Only the list is renewed, so that a half-filled form and the scroll position stay; what was opened stays open with it.
const SCRIPT = new Html(`
const copy = document.getElementById('copy'), receiver = document.getElementById('receiver')
if (navigator.clipboard) {
  copy.hidden = false
  copy.onclick = () => navigator.clipboard.writeText(receiver.value).then(() => { copy.textContent = 'Copied' })
}
const list = document.getElementById('received')
async function renew() {
  const told = await fetch('/received.json').then((answer) => answer.json()).catch(() => null)
  if (!told || String(told.arrived) === list.dataset.arrived) return
  const page = new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html')
  const fresh = page.getElementById('received')
  for (const { id } of list.querySelectorAll('details[open]')) fresh.querySelector('#' + id)?.setAttribute('open', '')
  list.dataset.arrived = fresh.dataset.arrived
  list.replaceChildren(...fresh.childNodes)
}
setInterval(() => renew().catch(() => undefined), 2000)
`)
