/** The history of an account: a page of its answers, one of them, and two of them compared. */
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { listRecordsOf } from '../../../evidence/index.ts'
import {
  compareWith,
  getEntry,
  type HistoryPosition,
  listAnswers,
  listReadingsOf,
  ORIGINS,
} from '../../../resolution/index.ts'
import { OUTCOMES } from '../../../resolver/index.ts'
import { callerOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { AskedDate } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'
import {
  ComparisonBody,
  HistoryBody,
  HistoryItemBody,
  presentComparison,
  presentHistoryEntry,
  presentRecords,
} from './history-bodies.ts'

const LIMIT_MAX = 100
const LIMIT_DEFAULT = 25

const Query = z.object({
  domain: z
    .string()
    .max(253)
    .optional()
    .describe('The beginning of a domain. Sorted by domain then, else newest first.'),
  company: z.string().max(160).optional().describe('The beginning of a company’s name, or of its number.'),
  outcome: z.enum(OUTCOMES).optional(),
  origin: z.enum(ORIGINS).optional(),
  from: AskedDate.optional().describe('London day, included.'),
  to: AskedDate.optional().describe('London day, included.'),
  limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).describe('Entries on a page.'),
  cursor: z.string().max(1_000).optional().describe('`next_cursor` of the page before, with the same filters.'),
})

export function historyRoutes(app: App, server: Server): void {
  server.get('/v1/resolutions', LIST, async (request) => {
    const { cursor, ...filter } = request.query
    if (filter.from !== undefined && filter.to !== undefined && filter.from > filter.to)
      throw invalidRequest([{ field: 'from', message: 'must not be after `to`' }])
    const { accountId, mode } = callerOf(request)
    const after = cursor === undefined ? undefined : parseCursor(cursor)
    if (mode === 'test') return { data: [], has_more: false, next_cursor: null }
    const { entries, next } = await listAnswers(app.db, { ...filter, accountId, after })
    const data = entries.map((entry) => presentHistoryEntry(entry, app.config))
    return { data, has_more: next !== null, next_cursor: next && formatCursor(next) }
  })

  server.get('/v1/resolutions/:id', GET, async (request) => {
    const { accountId, mode } = callerOf(request)
    const ask = { resolutionId: request.params.id, accountId, mode }
    const entry = await getEntry(app, ask)
    const readings = await listReadingsOf(app, ask, entry)
    // The evidence of a refunded match is closed.
    const records = entry.isRefunded ? [] : await listRecordsOf(app.db, ask)
    return {
      ...presentHistoryEntry(entry, app.config),
      readings: readings.map((reading) => presentHistoryEntry(reading, app.config)),
      records: presentRecords(records, app),
    }
  })

  server.get('/v1/resolutions/:id/changes', CHANGES, async (request) => {
    const { accountId, mode } = callerOf(request)
    const ask = { resolutionId: request.params.id, accountId, mode, since: request.query.since }
    return presentComparison(await compareWith(app, ask), app.config)
  })
}

const Position = z.tuple([z.string().max(300), z.iso.datetime(), z.string().max(64)])

function formatCursor({ key, answeredAt, resolutionId }: HistoryPosition): string {
  return Buffer.from(JSON.stringify([key, answeredAt.toISOString(), resolutionId])).toString('base64url')
}

function parseCursor(cursor: string): HistoryPosition {
  const refusal = invalidRequest([{ field: 'cursor', message: 'is not `next_cursor` of a page' }])
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw refusal
  }
  const position = Position.safeParse(value)
  if (!position.success || /\0/.test(position.data[0] + position.data[2])) throw refusal
  const [key, at, resolutionId] = position.data
  return { key, answeredAt: new Date(at), resolutionId }
}

const describe = describeRoutes({ tag: 'Resolution', accepts: ['session', 'key'] })
const params = z.object({ id: z.string().max(64) })

const LIST = describe({
  operationId: 'listResolutions',
  summary: 'The history: every answer that your account got',
  description:
    'One entry for each answer, however you asked, kept for six years. Newest first; a search by domain or company is sorted by ' +
    'what it searches. Free of charge. A test key has no history.',
  querystring: Query,
  answers: { 200: { description: 'A page of answers.', schema: HistoryBody } },
})

const GET = describe({
  operationId: 'getResolution',
  summary: 'One answer of the history, with the others about its domain and its sealed records',
  description:
    'The evidence is at `evidence_url`. To have the site read again, send its domain to `POST /v1/resolve/domain` with ' +
    '`max_age_days: 0`. Free of charge.',
  params,
  answers: { 200: { description: 'The answer.', schema: HistoryItemBody } },
  errors: ['not_found'],
})

const CHANGES = describe({
  operationId: 'compareResolutions',
  summary: 'What changed since an earlier answer about the domain',
  description:
    'On the site: pages and quotes added, gone or changed. In the register: name, status and office. In the answer: outcome, ' +
    'company and confidence. A match whose credit was refunded is closed. Free of charge.',
  assertOwned: (app, { accountId, mode }, id) => getEntry(app, { resolutionId: id, accountId, mode }),
  params,
  querystring: z.object({
    since: z
      .string()
      .max(64)
      .optional()
      .describe('The earlier answer; by default the one that you got before this one.'),
  }),
  answers: { 200: { description: 'The differences; lists without an entry mean none.', schema: ComparisonBody } },
  errors: ['not_found'],
})
