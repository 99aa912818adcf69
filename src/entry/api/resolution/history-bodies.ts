import { z } from 'zod'
import type { App } from '../../../app.ts'
import { type RecordEntry, verifyAddress } from '../../../evidence/index.ts'
import type { ComparedReadings, HistoryEntry, ShareLink } from '../../../resolution/index.ts'
import { ORIGINS } from '../../../resolution/index.ts'
import { OUTCOMES } from '../../../resolver/index.ts'
import { MaybeText, presentMembers, presentTime, Time } from '../../http/page.ts'
import { DecidedBy, presentDecidedBy } from '../review/decided-by.ts'

export const HistoryEntryBody = z
  .object({
    resolution_id: z.string(),
    domain: z.string(),
    outcome: z.enum(OUTCOMES).describe('Of the answer itself; a decision of your own is beside it.'),
    company_number: MaybeText,
    company_name: MaybeText.describe('As the register had it when you got the answer.'),
    confidence: z.number().nullable(),
    origin: z
      .enum(ORIGINS)
      .describe('How you asked: `console`, `api` by a key, `program` that you connected, or `bulk`.'),
    answered_at: Time.describe('When you got it first.'),
    refunded: z
      .boolean()
      .describe('You disputed the match and got the credit back: the company is not shown any more.'),
    decided_by: DecidedBy.nullable(),
    resolution_url: z.string().describe('The answer in the console, for a person of your account.'),
    evidence_url: z.string().describe('Its evidence pack.'),
  })
  .meta({ id: 'HistoryEntry' })

export const HistoryBody = z
  .object({
    data: z.array(HistoryEntryBody),
    has_more: z.boolean(),
    next_cursor: MaybeText.describe('Send as `cursor` to go on; stable while new answers arrive.'),
  })
  .meta({ id: 'History' })

const SealedRecordBody = z
  .object({
    id: z.string(),
    made_at: Time.describe('When it was sealed.'),
    url: z.string().describe('The bundle, and with `Accept: application/pdf` the signed document.'),
    verify_url: z.string().describe('A page that checks it, for everyone who has its address.'),
  })
  .meta({ id: 'SealedRecord' })

export const HistoryItemBody = HistoryEntryBody.extend({
  readings: z
    .array(HistoryEntryBody)
    .describe('Your answers about the same domain, this one among them, newest first; at most 50.'),
  records: z
    .array(SealedRecordBody)
    .describe('The sealed evidence records that your account made of this answer, newest first; at most 50.'),
}).meta({ id: 'HistoryItem' })

export function presentRecords(
  records: readonly RecordEntry[],
  app: Pick<App, 'config'>,
): z.input<typeof HistoryItemBody>['records'] {
  return records.map(({ id, madeAt }) => {
    return { id, made_at: presentTime(madeAt), url: `/v1/evidence/${id}`, verify_url: verifyAddress(app, id) }
  })
}

interface Addresses {
  siteUrl: URL
}

export function presentHistoryEntry(entry: HistoryEntry, { siteUrl }: Addresses): z.input<typeof HistoryEntryBody> {
  const { isRefunded, decision, ...rest } = entry
  return {
    ...presentMembers(rest),
    refunded: isRefunded,
    decided_by: presentDecidedBy(decision),
    resolution_url: new URL(`/console/resolutions/${entry.resolutionId}`, siteUrl).href,
    evidence_url: `/v1/resolutions/${entry.resolutionId}/evidence`,
  }
}

const CHANGES = ['added', 'gone', 'changed'] as const
const Value = z.union([z.string(), z.number(), z.null()])

const ChangedValueBody = z
  .object({
    name: z.enum(['outcome', 'company_number', 'company_name', 'confidence', 'status', 'postcode']),
    before: Value,
    after: Value,
  })
  .meta({ id: 'ChangedValue' })

export const ComparisonBody = z
  .object({
    domain: z.string(),
    before: HistoryEntryBody.extend({ read_at: Time }),
    after: HistoryEntryBody.extend({ read_at: Time }),
    answer: z.array(ChangedValueBody).describe('Outcome, company and confidence, where they differ.'),
    register: z
      .array(ChangedValueBody)
      .describe('Name, status and postcode of the office, where both matched the same company and they differ.'),
    site: z.object({
      quotes: z.array(
        z.object({
          change: z.enum(CHANGES),
          url: z.string(),
          says: z.string().describe('What the words prove.'),
          before: MaybeText,
          after: MaybeText,
        }),
      ),
      pages: z.array(
        z.object({
          change: z.enum(CHANGES),
          url: z.string(),
          before_sha256: MaybeText,
          after_sha256: MaybeText,
        }),
      ),
      unread: z.boolean().describe('One of the two could not read the site, so the site is not compared.'),
    }),
  })
  .meta({ id: 'ComparedReadings', description: 'What changed between two readings of a domain.' })

export function presentComparison(compared: ComparedReadings, addresses: Addresses): z.input<typeof ComparisonBody> {
  const { before, after, beforeReadAt, afterReadAt, comparison } = compared
  const { quotes, pages, isUnread } = comparison.site
  return {
    domain: after.domain,
    before: { ...presentHistoryEntry(before, addresses), read_at: presentTime(beforeReadAt) },
    after: { ...presentHistoryEntry(after, addresses), read_at: presentTime(afterReadAt) },
    answer: comparison.answer,
    register: comparison.register,
    site: {
      quotes,
      pages: pages.map(({ change, url, beforeSha256, afterSha256 }) => {
        return { change, url, before_sha256: beforeSha256, after_sha256: afterSha256 }
      }),
      unread: isUnread,
    },
  }
}

export const ShareLinkBody = z
  .object({
    id: z.string(),
    resolution_id: z.string(),
    made_at: Time,
    expires_at: Time,
    revoked_at: Time.nullable(),
    open: z.boolean().describe('It is neither over nor revoked.'),
  })
  .meta({ id: 'ShareLink' })

export const NewShareLinkBody = ShareLinkBody.extend({
  url: z.string().describe('The address to send. It is shown once: we store a hash of it alone.'),
}).meta({ id: 'NewShareLink' })

export function presentShareLink(link: ShareLink, at: Date): z.input<typeof ShareLinkBody> {
  const { id, resolutionId, madeAt, expiresAt, revokedAt } = link
  return {
    id,
    resolution_id: resolutionId,
    made_at: presentTime(madeAt),
    expires_at: presentTime(expiresAt),
    revoked_at: revokedAt && presentTime(revokedAt),
    open: revokedAt === null && expiresAt > at,
  }
}
