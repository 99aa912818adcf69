import { createHmac } from 'node:crypto'
import type { Delivery } from '../delivery.ts'
import { equals, expectMember, expectThat, readMember, readText } from '../expectations.ts'
import { type Area, row } from '../row.ts'

/** What we ask of receivers, in seconds. */
const AGE_SECONDS_MAX = 300

export const EVENTS: Area = {
  title: 'Events',
  rows: [
    row(
      'events-push',
      'Pushes signal payloads by HTTP to a registered HTTPS destination when the register record of a watched company changes',
      async ({ delivery, deployment }) => {
        const { payload } = await delivery()
        const number = deployment.changingCompanies?.watched
        expectThat(readMember(payload, 'data.company_number') === number, `a signal of ${number}`, payload)
        return String(readMember(payload, 'data.summary'))
      },
    ),
    row(
      'events-register',
      '1. Register a destination with POST /v1/partner/webhooks; the value all is used for every kind of signal; the signing secret is in the response',
      async ({ delivery }) => {
        const { destination, payload } = await delivery()
        expectMember(destination, 'signal_type', equals('all'))
        readText(destination, 'secret')
        return `registered for all, it got ${String(readMember(payload, 'signal_type'))}`
      },
    ),
    row('events-watch', '2. Watch a company with POST /v1/watchlist', async ({ delivery }) => {
      return readText((await delivery()).watched, 'company_number')
    }),
    row(
      'events-signature',
      '3. Each delivery is signed: lowercase hex of an HMAC with SHA-256, keyed with the signing secret, over timestamp, full stop and payload',
      async ({ delivery }) => {
        const arrived = await delivery()
        const given = arrived.webhook.headers['x-webhook-signature']
        expectThat(given === sign(arrived, arrived.webhook.body), 'the signature of this body', given)
        return `${given?.slice(0, 12)}… over ${arrived.webhook.headers['x-webhook-timestamp']}.{…}`
      },
    ),
    row('events-serialization', '3. … the JSON serialization of the payload', async ({ delivery }) => {
      const arrived = await delivery()
      const serialized = JSON.stringify(arrived.payload)
      expectThat(serialized === arrived.webhook.body, 'the body as JSON writes it', arrived.webhook.body)
      expectThat(
        arrived.webhook.headers['x-webhook-signature'] === sign(arrived, serialized),
        'the same signature',
        serialized,
      )
      return 'parsed and written again, the payload has the same signature'
    }),
    row(
      'events-mismatch',
      '4. A receiver must reject deliveries whose signature does not match',
      async ({ delivery }) => {
        const arrived = await delivery()
        const given = arrived.webhook.headers['x-webhook-signature']
        expectThat(given !== sign(arrived, `${arrived.webhook.body} `), 'another signature for another body', given)
        expectThat(given !== sign(arrived, arrived.webhook.body, 'whsec_other'), 'another for another secret', given)
        return 'another body and another secret have other signatures, so a receiver can tell'
      },
    ),
    row('events-age', '4. … and should reject old timestamps to reduce replay risk', async ({ delivery }) => {
      const { webhook, arrivedAt } = await delivery()
      const ageSeconds = arrivedAt.getTime() / 1_000 - Number(webhook.headers['x-webhook-timestamp'])
      expectThat(Math.abs(ageSeconds) < AGE_SECONDS_MAX, `an age of less than ${AGE_SECONDS_MAX} s`, ageSeconds)
      return `X-Webhook-Timestamp was ${Math.max(0, Math.round(ageSeconds))} s old on arrival, and is signed`
    }),
  ],
}

function sign({ webhook, destination }: Delivery, body: string, secret = readText(destination, 'secret')): string {
  return createHmac('sha256', secret).update(`${webhook.headers['x-webhook-timestamp']}.${body}`).digest('hex')
}
