/** The events we send to destinations: the `webhooks` of the OpenAPI document, for developers of receivers. */
import { z } from 'zod'
import type { WebhookDescription } from '../../http/openapi.ts'
import { MaybeText, Time } from '../../http/page.ts'
import { AuditEntryBody } from '../account/audit-bodies.ts'
import { SignalBody } from '../register/company-signals.ts'
import { StatusDetail } from '../register/status-detail.ts'

const envelope = {
  id: z.string().describe('`evt_…`, the same on every attempt and replay: what you have handled, you can leave out.'),
  created_at: Time,
  api_version: z.literal('1.0.0'),
  sequence: z.int().describe('Rises with every event. Events may arrive in another order.'),
  test: z.literal(true).optional().describe('Present on events of a test key or of a test of the destination.'),
}

const SignalEvent = z
  .object({
    ...envelope,
    type: z.literal('signal'),
    signal_type: SignalBody.shape.signal_type,
    data: SignalBody.extend({
      changes_left_out: z
        .literal(true)
        .optional()
        .describe('Present if there are more changes than fit; the history of the company has them all.'),
    }),
  })
  .meta({ id: 'SignalEvent' })

const ResolutionCompletedEvent = z
  .object({
    ...envelope,
    type: z.literal('resolution_completed'),
    signal_type: z.literal('resolution_completed'),
    data: z.object({
      job_id: z.string(),
      status: z.enum(['completed', 'failed']),
      input: z.string().describe('As you sent it.'),
      domain: z.string().nullable(),
      resolution_id: MaybeText.describe('Of the answer; null where there is none.'),
      resolution_url: MaybeText.describe('The answer in the console, for a person of your account.'),
      outcome: MaybeText.describe(
        'Of a domain its `match_status`, of a search for a company’s web site its `website.status`.',
      ),
      confidence: z.number().nullable(),
      company_number: z.string().nullable(),
      company_name: z.string().nullable(),
      company_status: z.string().nullable(),
      ...StatusDetail,
      charged: z.boolean(),
      charge_reason: z.string(),
      error_message: z.string().nullable(),
      finished_at: Time,
      status_url: z.string().describe('Where the whole answer is.'),
    }),
  })
  .meta({ id: 'ResolutionCompletedEvent' })

const AuditEntryEvent = z
  .object({
    ...envelope,
    type: z.literal('audit_entry'),
    signal_type: z.literal('audit_entry'),
    data: AuditEntryBody,
  })
  .meta({ id: 'AuditEntryEvent' })

const TestEvent = z
  .object({
    ...envelope,
    type: z.literal('test'),
    signal_type: z.literal('test'),
    data: z.object({ message: z.string() }),
  })
  .meta({ id: 'TestEvent' })

const HEADERS: WebhookDescription['headers'] = [
  { name: 'X-Webhook-Id', description: 'The id of the event, the same on every attempt.' },
  { name: 'X-Webhook-Timestamp', description: 'Unix seconds of this attempt. Refuse what is older than five minutes.' },
  {
    name: 'X-Webhook-Signature',
    description:
      'Lowercase hex of HMAC-SHA256 over the timestamp, a full stop and the raw body, keyed with the secret as shown.',
  },
  {
    name: 'X-Webhook-Signature-Previous',
    description: 'The same with the secret before, for 24 hours after it was replaced.',
    isOptional: true,
  },
  { name: 'X-Webhook-Event', description: 'The `signal_type` of the event.' },
  { name: 'X-Webhook-Attempt', description: 'From 1; a replay begins again.' },
  { name: 'webhook-id', description: 'As X-Webhook-Id, by the name that Standard Webhooks gives it.' },
  { name: 'webhook-timestamp', description: 'As X-Webhook-Timestamp, by the name that Standard Webhooks gives it.' },
  {
    name: 'webhook-signature',
    description: 'By the scheme of Standard Webhooks 1.0.0; two of them for 24 hours after the secret was replaced.',
  },
]

const HOW_TO_ANSWER =
  'Return any 2xx status within 15 seconds. After any other response, redirects included, we try again for three days; ' +
  '410 ends it and disables the destination.'

export const WEBHOOKS: Record<string, WebhookDescription> = {
  signal: {
    operationId: 'onSignal',
    summary: 'Something changed about a company you watch',
    description: `Sent to destinations of the signal’s type, and of type \`all\`. ${HOW_TO_ANSWER}`,
    tag: 'Webhooks',
    headers: HEADERS,
    schema: SignalEvent,
  },
  resolution_completed: {
    operationId: 'onResolutionCompleted',
    summary: 'A job of yours ended',
    description: `Sent to destinations of type \`resolution_completed\`. ${HOW_TO_ANSWER}`,
    tag: 'Webhooks',
    headers: HEADERS,
    schema: ResolutionCompletedEvent,
  },
  audit_entry: {
    operationId: 'onAuditEntry',
    summary: 'An entry was added to the audit log',
    description: `Sent to destinations of type \`audit_entry\`, within about a minute, each entry once and in the order of the log. ${HOW_TO_ANSWER}`,
    tag: 'Webhooks',
    headers: HEADERS,
    schema: AuditEntryEvent,
  },
  test: {
    operationId: 'onTest',
    summary: 'You tried the destination',
    description: 'Sent once by `POST /v1/partner/webhooks/{id}/test`, whatever the type of the destination.',
    tag: 'Webhooks',
    headers: HEADERS,
    schema: TestEvent,
  },
}
