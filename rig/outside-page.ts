/** The page of `npm run dev` for what lies outside the service: make the register change, and see the webhooks arrive. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { parseCompanyNumber } from '../src/register/index.ts'
import { OUTSIDE_CHANGES } from './outside-changes.ts'
import { type Outside, renderOutside, type View } from './outside-view.ts'

const LISTED_MAX = 500
const FIRST_CHANGE = 'rename'

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
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (request.method === 'POST') return makeChange(outside, request, response)
  if (url.pathname === '/received.json') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(presentReceived(outside)))
    return
  }
  sendPage(outside, response, 200, viewOf(outside, url.searchParams))
}

function viewOf({ house, companyNumber: usual }: Outside, query: URLSearchParams): View {
  const companyNumber = readNumber(query.get('company_number')) || (usual ?? house.companyNumbers()[0] ?? '')
  const change = query.get('change') ?? FIRST_CHANGE
  const happened = query.get('happened') === null ? undefined : OUTSIDE_CHANGES[change]
  if (!happened) return { companyNumber, change }
  const done = `${house.findCompany(companyNumber)?.name ?? companyNumber}: “${happened.says}” has happened. The signal (${happened.signal}) follows in a moment.`
  return { companyNumber, change, done }
}

async function makeChange(outside: Outside, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await text(request))
  const [number, change] = [readNumber(form.get('company_number')), form.get('change') ?? '']
  const problem = causeChange(outside, number, change)
  if (problem === null) {
    const location = `/?${new URLSearchParams({ company_number: number, change, happened: '1' }).toString()}`
    response.writeHead(303, { location }).end(`${change} happened to ${number}.\n`)
  } else if (request.headers.accept?.includes('text/html')) {
    sendPage(outside, response, 400, { companyNumber: number, change, problem })
  } else {
    response.writeHead(400).end(`${problem}\n`)
  }
}

/** Null when it has happened, else why it cannot. */
function causeChange({ house }: Outside, number: string, name: string): string | null {
  const change = Object.hasOwn(OUTSIDE_CHANGES, name) ? OUTSIDE_CHANGES[name] : undefined
  if (!change || !house.findCompany(number)) {
    const known = Object.keys(OUTSIDE_CHANGES).join(', ')
    return `Send company_number (one of the demo register's) and change (${known}).`
  }
  try {
    change.cause(house, number)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function readNumber(typed: string | null): string {
  return parseCompanyNumber(typed ?? '') ?? (typed ?? '').slice(0, 20)
}

function sendPage(outside: Outside, response: ServerResponse, status: number, view: View): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  response.end(renderOutside(outside, view).markup)
}

/** For programs: what the page shows, the newest last. */
function presentReceived({ receiver, receiverUrl }: Outside) {
  const received = receiver.received.slice(-LISTED_MAX).map(({ at, headers, body }) => ({ at, headers, body }))
  return { receiver_url: receiverUrl, arrived: receiver.arrived, received }
}
