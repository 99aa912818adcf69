/** The audit log of an account: a page of it, or all that a filter leaves as a table. */
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  ACT_NAMES,
  ACTOR_KINDS,
  type AuditFilter,
  listAuditEntries,
  presentAuditEntry,
  recordAudit,
} from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { formatCsvLine } from '../../../lib/text/csv-writer.ts'
import { callerOf, originOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { AskedDate } from '../../http/page.ts'
import { describeRoutes, TEXT_FILE, withFile } from '../../http/route.ts'
import { AuditEntryBody } from './audit-bodies.ts'

const Filter = z.object({
  act: z.enum(ACT_NAMES, { error: 'must be an act of the audit log' }).optional().describe('Only this act.'),
  actor: z.enum(ACTOR_KINDS).optional().describe('Only acts of this kind of actor.'),
  outcome: z.enum(['success', 'failure']).optional(),
  mode: z.enum(['live', 'test']).optional().describe('A key sees the entries of its own mode only.'),
  from: AskedDate.optional().describe('London day, included.'),
  to: AskedDate.optional().describe('London day, included.'),
})

const PAGE_LIMIT_MAX = 100
const PAGE_LIMIT_DEFAULT = 50

const PageFilter = Filter.extend({
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT).describe('Entries on a page.'),
  cursor: z.coerce
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('`next_cursor` of the page before.'),
})

const AuditPage = z
  .object({
    data: z.array(AuditEntryBody),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe('Send as `cursor` to go on; stable while new entries arrive.'),
  })
  .meta({ id: 'AuditLog' })

export function auditRoutes(app: App, server: Server): void {
  server.get('/v1/account/audit', LIST, async (request) => {
    const { limit, cursor, ...filter } = request.query
    const { accountId } = callerOf(request)
    const asked = { accountId, ...toFilter(request, filter), limit: limit + 1, before: cursor }
    const entries = await listAuditEntries(app.db, asked)
    const shown = entries.slice(0, limit)
    const last = shown.at(-1)
    const hasMore = entries.length > limit && last !== undefined
    return { data: shown.map(presentAuditEntry), has_more: hasMore, next_cursor: hasMore ? String(last.seq) : null }
  })

  server.get('/v1/account/audit/export', EXPORT, async (request, reply) => {
    const { accountId, mode } = callerOf(request)
    const filter = toFilter(request, request.query)
    const at = app.clock.now()
    await recordAudit(app.db, { at, accountId, mode, action: 'audit_exported', origin: originOf(request) })
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit-log.csv"')
      .send(Readable.from(writeTable(app, { accountId, ...filter }), { objectMode: false }))
  })
}

/** A key reads the entries of its mode, so that neither shows things of the other; a person reads both. */
function toFilter(request: FastifyRequest, { mode, ...filter }: z.output<typeof Filter>): AuditFilter {
  const { actor, mode: ownMode } = callerOf(request)
  if (filter.from !== undefined && filter.to !== undefined && filter.from > filter.to)
    throw invalidRequest([{ field: 'from', message: 'must not be after `to`' }])
  if (actor.kind === 'person') return { ...filter, mode: mode ?? null }
  if (mode !== undefined && mode !== ownMode)
    throw invalidRequest([{ field: 'mode', message: `must be ${ownMode}, the mode of the key` }])
  return { ...filter, mode: ownMode }
}

const EXPORT_PAGE_ENTRIES = 1_000
const EXPORT_PAGES_MAX = 1_000

const COLUMNS = [
  'sequence',
  'at',
  'act',
  'act_name',
  'outcome',
  'mode',
  'actor_kind',
  'actor_id',
  'actor_name',
  'ip',
  'user_agent',
  'request_id',
  'details',
  'before',
  'after',
  'previous_hash',
  'hash',
  'content_hash',
  'content_salt',
  'origin_hash',
  'origin_salt',
]

async function* writeTable(app: App, asked: AuditFilter & { accountId: string }): AsyncGenerator<string> {
  yield formatCsvLine(COLUMNS)
  let before: number | undefined
  for (let page = 0; page < EXPORT_PAGES_MAX; page += 1) {
    const entries = await listAuditEntries(app.db, { ...asked, before, limit: EXPORT_PAGE_ENTRIES })
    yield entries.map(presentAuditEntry).map(formatEntry).join('')
    before = entries.at(-1)?.seq
    if (entries.length < EXPORT_PAGE_ENTRIES) return
  }
}

function formatEntry({ actor, proof, details, before, after, ...entry }: z.input<typeof AuditEntryBody>): string {
  const values: Record<string, string | number | null> = {
    ...entry,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    details: JSON.stringify(details),
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    ...proof,
  }
  return formatCsvLine(COLUMNS.map((column) => values[column] ?? null))
}

const describe = describeRoutes({ tag: 'Account', accepts: ['session', 'key'] })

const LIST = describe({
  operationId: 'listAuditEntries',
  summary: 'The audit log of the account',
  description:
    'Every act on the account, newest first: who, when, from where, and what it was before and after. Entries are never changed. A session sees all of them, a live key those of live mode, a test key those of test mode.',
  querystring: PageFilter,
  answers: { 200: { description: 'A page of entries.', schema: AuditPage } },
})

const described = describe({
  operationId: 'exportAuditLog',
  summary: 'The audit log as a table',
  description: `All entries that the filters leave, at most ${(EXPORT_PAGES_MAX * EXPORT_PAGE_ENTRIES).toLocaleString('en-GB')}, newest first, as CSV. The download is an entry itself.`,
  querystring: Filter,
  answers: {},
})
const EXPORT = withFile(described, { 'text/csv': TEXT_FILE })
