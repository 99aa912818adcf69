import { WELCOME_CREDITS } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { html } from '../../lib/text/html.ts'
import type { Server } from '../http/instance.ts'
import { contactOf } from './contact.ts'
import { planCards } from './landing/sections.ts'
import { sendPage } from './layout.ts'

const ROWS = [
  ['A domain whose company we found', '1 credit'],
  ['A company whose web site we found', '1 credit'],
  ['The same fact again within 30 days, in either direction', 'free'],
  ['No match, a site that cannot be read, a company outside the UK', 'free'],
  ['A question for a person, and your decision on it', 'free'],
  ['Searches of the register and company profiles', 'free'],
  ['Watches, signals, the daily e-mail, webhooks and their replays', 'free'],
  ['Evidence packs of what you paid for', 'free'],
  ['Test keys', 'free'],
  ['A match of the last 30 days that you dispute and that proves wrong', 'refunded'],
] as const

/** The page about prices. The operator sets the price of a plan. */
export function pricingRoutes(app: App, server: Server): void {
  server.get('/pricing', async (_request, reply) =>
    sendPage(reply, {
      title: 'Pricing',
      description: 'You pay one credit per match. Everything else is free.',
      width: 'wide',
      section: 'pricing',
      body: html`<div class="stack">
        <h1>You pay one credit per match. Everything else is free.</h1>
        <p class="soft">New accounts get ${WELCOME_CREDITS} credits once. To change the plan, write to <a href="mailto:${contactOf(app)}">${contactOf(app)}</a>.</p>
        <h2 class="visually-hidden">Plans</h2>
        ${planCards()}
        <section class="card"><h2>What costs, and what does not</h2>
          <table><thead><tr><th scope="col">What</th><th scope="col" class="number">Price</th></tr></thead>
          <tbody>${ROWS.map(([what, price]) => html`<tr><td>${what}</td><td class="number">${price}</td></tr>`)}</tbody></table>
        </section>
        <p><a href="/docs/charging">Every reason for a charge, in the documentation</a></p>
      </div>`,
    }),
  )
}
