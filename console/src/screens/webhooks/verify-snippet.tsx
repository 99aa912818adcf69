import { Snippet } from '../../ui/snippet.tsx'

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto'

// rawBody: the bytes as they came, before anything parses them.
export function isGenuine(headers, rawBody, secret) {
  const timestamp = headers['x-webhook-timestamp'] ?? ''
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false
  const expected = createHmac('sha256', secret).update(timestamp + '.').update(rawBody).digest('hex')
  const isExpected = (given = '') =>
    given.length === expected.length && timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(expected))
  return isExpected(headers['x-webhook-signature']) || isExpected(headers['x-webhook-signature-previous'])
}
`

/** Explains how a receiver checks that we sent an event and that it is unchanged. */
export function HowToVerify({ open = false }: { open?: boolean }) {
  return (
    <details open={open}>
      <summary>How to verify events</summary>
      <div className="stack-small">
        <p className="small">
          Each event is signed: HMAC-SHA256 over the timestamp, a full stop and the raw body, keyed with the whole
          secret, <code>whsec_</code> included. Respond with any 2xx status within 15 seconds. Otherwise we retry for
          three days. The <a href="/docs/api-webhooks">API reference</a> has the headers and the bodies.
        </p>
        <Snippet text={NODE} what="Node code that verifies an event" />
      </div>
    </details>
  )
}
