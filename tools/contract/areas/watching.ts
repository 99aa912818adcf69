/** Companies that an account watches: the watchlist, signals, destinations and the webhooks that arrive there. */

import { createHmac } from 'node:crypto'
import { expectMember, expectThat, type Members, readNumber, readPath, readText } from '../expectations.ts'
import { area, ask, from, gives, type Rows, refuses, row } from '../row.ts'
import { type Stage } from '../stage.ts'
import * as is from '../values.ts'
import { NO_COMPANY } from '../watching.ts'
import { type Delivery } from '../webhooks.ts'

const SIGNALS = 'GET /v1/signals'
const HISTORY = 'GET /v1/companies/{company_number}/signals'

/** The company is on the watchlist, once. */
export async function isListed({ steps }: Stage): Promise<Members> {
  const { number } = await steps.watching()
  const isOnce = (value: unknown) => Array.isArray(value) && value.filter((each) => each === number).length === 1
  return { 'data.*.company_number': is.expectation(`${number} once`, isOnce) }
}

export async function isNotListed({ steps }: Stage): Promise<Members> {
  return { 'data.*.company_number': is.excluding((await steps.watching()).number) }
}

const itsNumber = async ({ steps }: Stage): Promise<Members> => ({ company_number: (await steps.watching()).number })

/** One of the companies that change is in a list, or is not. */
const changing = (isListed: typeof is.including, which: 'watched' | 'unwatched') => {
  return ({ deployment }: Stage) => ({ 'data.*.company_number': isListed(deployment.changingCompanies?.[which]) })
}

/** The history of a company that is in the register. */
export const history = (query = '') => {
  return async (stage: Stage) => {
    const [number] = await stage.companies()
    return stage.ask({ to: `GET /v1/companies/${number}/signals${query}`, as: 'token' })
  }
}

export const WATCHLIST_SIGNALS = area('Watchlist and signals', {
  'watchlist-get-200: GET /v1/watchlist → 200 watchlist': gives(from('watching', 'listed'), 200, isListed),
  'watchlist-post-201: POST /v1/watchlist → 201 company watched': [
    gives(from('watching', 'watched'), 201, itsNumber),
    gives(from('watching', 'watched'), 201, { company_name: is.shown }),
  ],
  'watchlist-post-200: POST /v1/watchlist → 200 already watched': [
    gives(from('watching', 'watchedAgain'), 200, itsNumber),
  ],
  'watchlist-post-402: POST /v1/watchlist → 402 watchlist limit reached': [
    refuses(from('overfull', 'answer'), 402, 'plan_limit_reached'),
    async ({ steps }) => (await steps.overfull()).how,
  ],
  'watchlist-post-404: POST /v1/watchlist → 404 company not found': [
    refuses(ask('POST /v1/watchlist', 'token', { company_number: NO_COMPANY }), 404, 'company_not_found'),
  ],
  'watchlist-delete-200: DELETE /v1/watchlist/{company_number} → 200 company unwatched': [
    gives(from('watching', 'unwatched'), 200, itsNumber),
    gives(from('watching', 'listedAfter'), 200, isNotListed),
  ],
  // Both companies have changed.
  [`signals-200: ${SIGNALS} → 200 signal feed scoped to the watched companies`]: [
    gives(from('delivery', 'feed'), 200, changing(is.including, 'watched')),
    gives(from('delivery', 'feed'), 200, changing(is.excluding, 'unwatched')),
    gives(from('delivery', 'historyOfUnwatched'), 200, { data: is.filled }),
    gives(from('delivery', 'feedAfterUnwatching'), 200, changing(is.excluding, 'watched')),
  ],
  [`signals-type: ${SIGNALS}: signal_type (string)`]: [
    gives(ask(`${SIGNALS}?signal_type=charge_registered`, 'token'), 200, {
      'data.*.signal_type': is.each(is.equals('charge_registered')),
    }),
    refuses(ask(`${SIGNALS}?signal_type=gossip`, 'token'), 400, 'invalid_request'),
  ],
  [`signals-page: ${SIGNALS}: page (integer), limit (integer)`]: [
    gives(ask(`${SIGNALS}?page=2&limit=5`, 'token'), 200, { page: 2, limit: 5 }),
    refuses(ask(`${SIGNALS}?page=two`, 'token'), 400, 'invalid_request'),
  ],
  [`history-200: ${HISTORY} → 200 recent signal history of that company`]: [
    gives(history(), 200, async ({ companies }) => ({
      'data.*.company_number': is.each(is.equals((await companies())[0])),
    })),
  ],
  [`history-limit: ${HISTORY}: limit (integer)`]: gives(history('?limit=3'), 200, { limit: 3 }),
  [`history-404: ${HISTORY} → 404 company not found`]: [
    refuses(ask(`GET /v1/companies/${NO_COMPANY}/signals`, 'token'), 404),
  ],
})

const PATH = '/v1/partner/webhooks'

const idOf = async ({ steps }: Stage) => readNumber((await steps.destinations()).registered, 'id')

export const WEBHOOKS = area('Webhook destinations', {
  [`webhooks-get-200: GET ${PATH} → 200 list of destinations`]: [
    gives(from('destinations', 'listed'), 200, async (stage) => ({ 'data.*.id': is.including(await idOf(stage)) })),
  ],
  [`webhooks-post-201: POST ${PATH} → 201 registered; response includes a signing secret`]: [
    gives(from('destinations', 'registered'), 201, { id: is.integer, webhook_url: is.shown }),
    async ({ steps }) => `secret ${readText((await steps.destinations()).registered, 'secret').slice(0, 6)}…`,
  ],
  [`webhooks-post-https: POST ${PATH}: webhook_url (string, URI, required; HTTPS destination)`]: [
    refuses(from('destinations', 'refused'), 400),
    refuses(ask(`POST ${PATH}`, 'token', { signal_type: 'all' }), 400, 'invalid_request'),
  ],
  [`webhooks-post-type: POST ${PATH}: signal_type (string, required)`]: [
    gives(from('destinations', 'registered'), 201, { signal_type: 'charge_registered' }),
    refuses(ask(`POST ${PATH}`, 'token', { webhook_url: 'https://example.com/' }), 400, 'invalid_request'),
  ],
  [`webhooks-delete-200: DELETE ${PATH}/{id} → 200 deleted`]: [
    gives(from('destinations', 'deleted'), 200),
    gives(from('destinations', 'listedAfter'), 200, async (stage) => ({
      'data.*.id': is.excluding(await idOf(stage)),
    })),
  ],
  'webhooks-secret-once: The signing secret is returned when a destination is created and is shown at that time only': [
    gives(from('destinations', 'listed'), 200, { 'data.*.secret': is.each(is.absent) }),
    async ({ steps }) => {
      const { registered, listed } = await steps.destinations()
      expectThat(!listed.text.includes(readText(registered, 'secret')), 'a list without secrets', listed.body)
      return 'it is in the 201, and not in the list'
    },
  ],
})

/** Our advice to receivers. */
const AGE_SECONDS_MAX = 300

export const EVENTS = area('Events', {
  ...arrived(
    'events-push',
    'Pushes signal payloads by HTTP to a registered HTTPS destination when the register record of a watched company changes',
    ({ payload }, { deployment }) => {
      const number = deployment.changingCompanies?.watched
      expectThat(readPath(payload, 'data.company_number') === number, `a signal of ${number}`, payload)
      return String(readPath(payload, 'data.summary'))
    },
  ),
  ...arrived(
    'events-register',
    '1. Register a destination with POST /v1/partner/webhooks; the value all is used for every kind of signal; the signing secret is in the response',
    ({ destination, payload }) => {
      expectMember(destination, 'signal_type', 'all')
      expectMember(destination, 'secret', is.text)
      return `registered for all, it got ${String(readPath(payload, 'signal_type'))}`
    },
  ),
  'events-watch: 2. Watch a company with POST /v1/watchlist': [
    async ({ steps }) => readText((await steps.delivery()).watched, 'company_number'),
  ],
  ...arrived(
    'events-signature',
    '3. Each delivery is signed: lowercase hex of an HMAC with SHA-256, keyed with the signing secret, over timestamp, full stop and payload',
    (delivery) => {
      const { headers, body } = delivery.webhook
      const given = headers['x-webhook-signature']
      expectThat(given === sign(delivery, body), 'the signature of this body', given)
      return `${given?.slice(0, 12)}… over ${headers['x-webhook-timestamp']}.{…}`
    },
  ),
  ...arrived('events-serialization', '3. … the JSON serialization of the payload', (delivery) => {
    const { headers, body } = delivery.webhook
    const serialized = JSON.stringify(delivery.payload)
    expectThat(serialized === body, 'the body as JSON writes it', body)
    expectThat(headers['x-webhook-signature'] === sign(delivery, serialized), 'the same signature', serialized)
    return 'parsed and written again, the payload has the same signature'
  }),
  ...arrived('events-mismatch', '4. A receiver must reject deliveries whose signature does not match', (delivery) => {
    const { headers, body } = delivery.webhook
    const given = headers['x-webhook-signature']
    expectThat(given !== sign(delivery, `${body} `), 'another signature for another body', given)
    expectThat(given !== sign(delivery, body, 'whsec_other'), 'another for another secret', given)
    return 'another body and another secret have other signatures, so a receiver can decide'
  }),
  ...arrived('events-age', '4. … and should reject old timestamps to reduce replay risk', ({ webhook, arrivedAt }) => {
    const ageSeconds = arrivedAt.getTime() / 1_000 - Number(webhook.headers['x-webhook-timestamp'])
    expectThat(Math.abs(ageSeconds) < AGE_SECONDS_MAX, `an age of less than ${AGE_SECONDS_MAX} s`, ageSeconds)
    return `X-Webhook-Timestamp was ${Math.max(0, Math.round(ageSeconds))} s old on arrival, and is signed`
  }),
})

function arrived(id: string, words: string, show: (delivery: Delivery, stage: Stage) => string): Rows {
  return row(id, words, async (stage) => show(await stage.steps.delivery(), stage))
}

function sign({ webhook, destination }: Delivery, body: string, secret = readText(destination, 'secret')): string {
  return createHmac('sha256', secret).update(`${webhook.headers['x-webhook-timestamp']}.${body}`).digest('hex')
}
