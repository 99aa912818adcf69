/** Receivers for tests, and changes of companies that send something to them. */
import { createHmac } from 'node:crypto'
import { type PlainCompany, putCompanies } from '../../rig/companies.ts'
import { type ReceivedRequest, Receiver, type ReceiverBehaviour } from '../../rig/web/index.ts'
import { recordQueuedChanges } from '../../src/signals/index.ts'
import { DAY_SECONDS, type Reply, type TestKeys, type TestService } from './harness.ts'

export interface Subscribed {
  account: TestKeys
  receiver: Receiver
  host: string
  id: number
  secret: string
  /** Watched by this account alone, unless the test gives it to others. */
  company: PlainCompany
  /** Calls a route of the destination: `see('GET', '/deliveries')`. */
  see: (method: string, suffix: string, body?: object) => Promise<Reply>
}

interface Wanted {
  account?: TestKeys
  company?: PlainCompany
  behaviour?: ReceiverBehaviour
  type?: string
  /** `live` unless said. */
  mode?: 'live' | 'test'
}

/** Settings of webhooks for tests: what fails is tried again three times, at once. */
export const QUICK_WEBHOOKS = {
  retrySeconds: [0, 0.2, 0.2, 0.2],
  timeoutSeconds: 1,
  disableAfterSeconds: 5 * DAY_SECONDS,
  pauseSeconds: 0.2,
  unprovenPerMinute: 60_000,
}

let made = 0

/** An account that watches a company of its own, with a destination whose receiver behaves as the test wants. */
export async function subscribe(it: TestService, wanted: Wanted = {}): Promise<Subscribed> {
  const account = wanted.account ?? (await it.openAccount())
  const company = wanted.company ?? (await watchNewCompany(it, account))
  return { account, company, ...(await register(it, account, wanted)) }
}

/** Returns a receiver that from now on gets the account's answers. */
export const receiveAnswers = async (it: TestService, account: TestKeys): Promise<Receiver> =>
  (await register(it, account, { type: 'resolution_completed' })).receiver

async function register(it: TestService, account: TestKeys, wanted: Wanted) {
  const key = wanted.mode === 'test' ? account.testKey : account.key
  const receiver = new Receiver(wanted.behaviour)
  made += 1
  const host = `receiver-${made}.co.uk`
  it.web.setSite(host, { receiver })
  const body = { webhook_url: `https://${host}/in?from=nameplate`, signal_type: wanted.type ?? 'all' }
  const registered = await it.call('POST', '/v1/partner/webhooks', { key, body })
  if (registered.status !== 201) throw new Error(`registering answered ${registered.status}: ${registered.text}`)
  const { id, secret } = registered.body as { id: number; secret: string }
  const see: Subscribed['see'] = (method, suffix, sent) =>
    it.call(method, `/v1/partner/webhooks/${id}${suffix}`, { key, ...(sent ? { body: sent } : {}) })
  return { receiver, host, id, secret, see }
}

export async function watchNewCompany(it: TestService, { key }: TestKeys): Promise<PlainCompany> {
  made += 1
  const company = {
    number: String(8_000_000 + made).padStart(8, '0'),
    name: `WATCHED ${made} LTD`,
    postcode: 'HG4 1AA',
  }
  await putCompanies(it.app, [company])
  await it.call('POST', '/v1/watchlist', { key, body: { company_number: company.number } })
  return company
}

/** The company changes its name: one signal. */
export async function rename(it: TestService, company: PlainCompany): Promise<void> {
  made += 1
  company.name = `RENAMED ${made} LTD`
  await putCompanies(it.app, [company])
  await recordQueuedChanges(it.app)
}

/** As a receiver does it, with the bytes that came. */
export function isSigned(
  { headers, rawBody }: ReceivedRequest,
  secret: string,
  header = 'x-webhook-signature',
): boolean {
  const hmac = createHmac('sha256', secret).update(`${headers['x-webhook-timestamp']}.`).update(rawBody)
  return headers[header] === hmac.digest('hex')
}
