/** The contract's webhook usage from its first step to its last: register, watch, a change, a signed delivery. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Call } from './client.ts'
import type { Deployment } from './deployment.ts'
import { expectStatus, readColumn, readMember, readNumber } from './expectations.ts'
import { type ReceivedWebhook, readReceived, renameCompany, waitForWebhook } from './outside-world.ts'
import { Mismatch, NotShown } from './shown.ts'

export interface Delivery {
  destination: Answer
  watched: Answer
  webhook: ReceivedWebhook
  payload: unknown
  arrivedAt: Date
  /** While both companies have changed and one is watched. */
  feed: Answer
  history: Answer
  historyOfUnwatched: Answer
  feedAfterUnwatching: Answer
}

const SIGNAL_WAIT_MS = 20_000
const INTERVAL_MS = 150

export async function deliver(call: Call, deployment: Deployment, token: string): Promise<Delivery> {
  const { outsideUrl, changingCompanies } = deployment
  const { receiver_url: webhookUrl } = await readReceived(outsideUrl)
  if (!outsideUrl || !changingCompanies) throw new NotShown('needs two companies to change: --changing-companies')
  const { watched: number, unwatched: other } = changingCompanies
  const body = { webhook_url: webhookUrl, signal_type: 'all' }
  const destination = expectStatus(await call('POST', '/v1/partner/webhooks', { token, body }), 201)
  try {
    const watched = expectStatus(
      await call('POST', '/v1/watchlist', { token, body: { company_number: number } }),
      200,
      201,
    )
    const before = new Set((await readReceived(outsideUrl)).received.map(({ headers }) => headers['x-webhook-id']))
    for (const company of [number, other]) await renameCompany(outsideUrl, company)
    const isRight = ({ headers, body: text }: ReceivedWebhook) =>
      !before.has(headers['x-webhook-id']) && readMember(JSON.parse(text), 'data.company_number') === number
    const webhook = await waitForWebhook(outsideUrl, isRight)
    const arrived = {
      destination,
      watched,
      webhook,
      payload: JSON.parse(webhook.body) as unknown,
      arrivedAt: new Date(),
    }
    return { ...arrived, ...(await readSignals(call, token, { number, other })) }
  } finally {
    await call('DELETE', `/v1/partner/webhooks/${readNumber(destination, 'id')}`, { token })
  }
}

async function readSignals(call: Call, token: string, { number, other }: { number: string; other: string }) {
  const feed = () => call('GET', '/v1/signals', { token })
  const historyOfUnwatched = await waitForSignal(call, token, other)
  const signals = { feed: await feed(), history: await waitForSignal(call, token, number), historyOfUnwatched }
  await call('DELETE', `/v1/watchlist/${number}`, { token })
  return { ...signals, feedAfterUnwatching: await feed() }
}

async function waitForSignal(call: Call, token: string, number: string): Promise<Answer> {
  const deadline = Date.now() + SIGNAL_WAIT_MS
  while (Date.now() < deadline) {
    const answer = expectStatus(await call('GET', `/v1/companies/${number}/signals`, { token }), 200)
    if (readColumn(answer, 'data', 'signal_type').includes('name_changed')) return answer
    await sleep(INTERVAL_MS)
  }
  throw Mismatch.of(`a signal of ${number}`, `none within ${SIGNAL_WAIT_MS / 1_000} s`)
}
