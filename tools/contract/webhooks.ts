/** A destination from its registration to its end, and the contract's webhook usage: register, watch, a change, a delivery. */
import type { Answer, Call } from './client.ts'
import type { Deployment } from './deployment.ts'
import { expectStatus, readList, readNumber, readPath } from './expectations.ts'
import { NotShown, waitFor } from './shown.ts'
import { type ReceivedWebhook, readReceived, renameCompany, waitForWebhook } from './surroundings.ts'

export type Delivery = Awaited<ReturnType<typeof deliver>>

const PATH = '/v1/partner/webhooks'

export async function findReceiver({ outsideUrl, webhookUrl }: Deployment): Promise<string> {
  return outsideUrl ? (await readReceived(outsideUrl)).receiver_url : webhookUrl
}

export async function registerAndDelete(call: Call, deployment: Deployment, token: string) {
  const address = await findReceiver(deployment)
  const register = (url: string) =>
    call('POST', PATH, { token, body: { webhook_url: url, signal_type: 'charge_registered' } })
  const registered = expectStatus(await register(address), 201)
  return {
    registered,
    listed: await call('GET', PATH, { token }),
    deleted: await call('DELETE', `${PATH}/${readNumber(registered, 'id')}`, { token }),
    listedAfter: await call('GET', PATH, { token }),
    /** The same address without TLS. */
    refused: await register(address.replace('https:', 'http:')),
  }
}

export async function deliver(call: Call, { outsideUrl, changingCompanies }: Deployment, token: string) {
  const { receiver_url: webhookUrl, received } = await readReceived(outsideUrl)
  if (!outsideUrl || !changingCompanies) throw new NotShown('needs two companies to change: --changing-companies')
  const { watched: number, unwatched: other } = changingCompanies
  const body = { webhook_url: webhookUrl, signal_type: 'all' }
  const destination = expectStatus(await call('POST', PATH, { token, body }), 201)
  try {
    const watch = { token, body: { company_number: number } }
    const watched = expectStatus(await call('POST', '/v1/watchlist', watch), 200, 201)
    const before = new Set(received.map(({ headers }) => headers['x-webhook-id']))
    for (const company of [number, other]) await renameCompany(outsideUrl, company)
    const isWanted = ({ headers, body: text }: ReceivedWebhook) =>
      !before.has(headers['x-webhook-id']) && readPath(JSON.parse(text), 'data.company_number') === number
    const webhook = await waitForWebhook(outsideUrl, isWanted)
    const arrived = { webhook, payload: JSON.parse(webhook.body) as unknown, arrivedAt: new Date() }
    return { destination, watched, ...arrived, ...(await readSignals(call, token, { number, other })) }
  } finally {
    await call('DELETE', `${PATH}/${readNumber(destination, 'id')}`, { token })
  }
}

/** Reads the feed while both companies have changed and one is watched, and again when none is. */
async function readSignals(call: Call, token: string, { number, other }: { number: string; other: string }) {
  const feed = () => call('GET', '/v1/signals', { token })
  const historyOfUnwatched = await waitForSignal(call, token, other)
  const signals = { feed: await feed(), history: await waitForSignal(call, token, number), historyOfUnwatched }
  await call('DELETE', `/v1/watchlist/${number}`, { token })
  return { ...signals, feedAfterUnwatching: await feed() }
}

async function waitForSignal(call: Call, token: string, number: string): Promise<Answer> {
  return waitFor(`a signal of ${number}`, async () => {
    const answer = expectStatus(await call('GET', `/v1/companies/${number}/signals`, { token }), 200)
    return readList(answer, 'data.*.signal_type').includes('name_changed') ? answer : undefined
  })
}
