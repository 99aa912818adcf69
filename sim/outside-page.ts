/** The page of `npm run dev` for what lies outside the service: make the register change, and see the webhooks arrive. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Html, html } from '../src/lib/html.ts'
import type { SimulatedCompaniesHouse } from './companies-house/index.ts'
import type { Receiver } from './web/index.ts'

interface Outside {
  house: SimulatedCompaniesHouse
  receiver: Receiver
  receiverUrl: string
}

/** What can be made to happen to a company, by the name a request uses. */
const CHANGES = {
  rename: (house, number) => house.changes.rename(number, `RENAMED ${Date.now() % 100_000} LIMITED`),
  move: (house, number) =>
    house.changes.changeRegisteredOffice(number, {
      address_line_1: `${1 + (Date.now() % 90)} Castle Street`,
      locality: 'Norwich',
      postal_code: 'NR2 1PD',
    }),
  appoint: (house, number) =>
    house.changes.appointOfficer(number, { name: 'FENWICK, Alice Mary', officer_role: 'director' }),
  charge: (house, number) => house.changes.registerCharge(number),
  insolvency: (house, number) => house.changes.becomeInsolvent(number),
} as const satisfies Record<string, (house: SimulatedCompaniesHouse, number: string) => unknown>

const SHOWN_MAX = 20
const TOLD_MAX = 500

export async function listenOutside(outside: Outside, port: number): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => void answer(outside, request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close }
}

async function answer(outside: Outside, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    const asJson = request.url === '/received.json'
    response.writeHead(200, { 'content-type': asJson ? 'application/json' : 'text/html; charset=utf-8' })
    response.end(asJson ? JSON.stringify(tellReceived(outside)) : renderPage(outside).markup)
    return
  }
  const form = new URLSearchParams(await text(request))
  const [number, change] = [form.get('company_number') ?? '', form.get('change') ?? '']
  const cause = Object.entries(CHANGES).find(([name]) => name === change)?.[1]
  if (!cause || !outside.house.findCompany(number)) {
    const known = Object.keys(CHANGES).join(', ')
    response.writeHead(400).end(`Send company_number (one of the demo register's) and change (${known}).\n`)
    return
  }
  cause(outside.house, number)
  response.writeHead(303, { location: '/' }).end(`${change} happened to ${number}.\n`)
}

/** For programs: what the page shows, the newest last. */
function tellReceived({ receiver, receiverUrl }: Outside) {
  const received = receiver.received.slice(-TOLD_MAX).map(({ at, headers, body }) => ({ at, headers, body }))
  return { receiver_url: receiverUrl, received }
}

function renderPage({ house, receiver, receiverUrl }: Outside): Html {
  const options = Object.keys(CHANGES).map((name) => html`<option>${name}</option>`)
  const received = receiver.received
    .slice(-SHOWN_MAX)
    .toReversed()
    .map(
      (request) => html`<article>
        <h2>${request.headers['x-webhook-event']}</h2>
        <p class="meta">${request.at.toISOString()} · attempt ${request.headers['x-webhook-attempt']} · ${request.headers['x-webhook-id']}</p>
        <pre>${request.body}</pre>
      </article>`,
    )
  const empty = html`<p>Nothing yet. Register <code>${receiverUrl}</code> as a webhook destination, watch a company, and change it above.</p>`
  return html`<!doctype html>
    <meta charset="utf-8" /><title>The outside world</title>
    <style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}article{border:1px solid #ccc;border-radius:8px;padding:1rem;margin:1rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere}.meta{color:#666}h2{margin:0;font-size:1.1rem}</style>
    <h1>The outside world</h1>
    <h2>Make something happen to a company</h2>
    <form method="post"><label>Company number <input name="company_number" value="${house.companyNumbers()[0]}" /></label>
    <label>Change <select name="change">${options}</select></label> <button>Do it</button></form>
    <h2>Webhooks that arrived at ${receiverUrl}</h2>
    ${received.length > 0 ? received : empty}`
}
