/** The rows of a bulk job on a screen: a window of those that fit a filter, one with everything, and decisions on many. */
import { z } from 'zod'
import type { App } from '../../../app.ts'
import {
  assertBulk,
  type BulkResult,
  fillDuplicates,
  findRows,
  getBulk,
  listRows,
  ROW_ORDERS,
  type RowVerdict,
  STATES,
} from '../../../bulk/index.ts'
import { DomainError } from '../../../errors.ts'
import { cellText } from '../../../lib/sheets/cell.ts'
import { describeStatus, parseCompanyNumber } from '../../../register/index.ts'
import { type KnownResolution, listResolutions } from '../../../resolution/index.ts'
import { DECIDED_AT_ONCE_MAX, decideRows, type RowDone } from '../../../review/index.ts'
import { type Caller, callerOf, originOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import { respondOnce } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoutes } from '../../http/route.ts'
import { presentReplaced, Replaced, readSeen, Seen } from '../review/bodies.ts'
import { decisionWords } from '../review/reviews.ts'
import { BulkId } from './bulk.ts'
import { RowFilterQuery, toRowFilter } from './row-query.ts'

const LIMIT_MAX = 500
const OFFSET_MAX = 1_000_000
const CANDIDATES_MAX = 5
/** A list has this many own cells, each cut to this length; one row alone has them whole. */
const SHOWN = { cells: 50, length: 200 }
const WHOLE = { cells: Number.POSITIVE_INFINITY, length: Number.POSITIVE_INFINITY }

const RowBody = z
  .object({
    row: z.int().describe('From 1, as it was sent.'),
    kind: z
      .enum(['domain', 'register'])
      .describe('`register`: matched with the register by name or number; no site was read.'),
    input: z.string(),
    domain: z.string().nullable(),
    own: z.array(z.string()).describe('Your own cells as text; in a list the first 50.'),
    state: z.enum(STATES).describe('A row that needed review and was decided is `matched` or `no_match`.'),
    duplicate_of: z.int().nullable(),
    company: z
      .object({
        number: z.string(),
        name: z.string().nullable(),
        status: z.string().nullable(),
        status_text: z.string().nullable(),
        postcode: z.string().nullable(),
      })
      .nullable(),
    confidence: z.number().nullable(),
    reason: z.string().nullable(),
    resolution_id: z.string().nullable(),
    candidates: z.array(
      z.object({
        company_number: z.string(),
        company_name: z.string(),
        company_status: z
          .string()
          .nullable()
          .describe('When the row was matched with the register; null for those of a site.'),
        company_status_text: z.string().nullable().describe('In words.'),
        registered_postcode: z.string().nullable(),
        score: z.number(),
        why: z.string(),
      }),
    ),
    decision: z
      .object({
        action: z.string(),
        company_number: z.string().nullable().optional(),
        by: z.string(),
        at: z.string(),
      })
      .nullable(),
    charged: z.boolean(),
    charge_reason: z.string().nullable(),
  })
  .meta({ id: 'BulkRow' })

export function bulkRowsRoutes(app: App, server: Server): void {
  server.get('/v1/bulk/:id/rows', LIST, async (request) => {
    const { id } = request.params
    await assertOwned(app, callerOf(request), id)
    const { sort, order, offset, limit, ...filter } = request.query
    const ask = { bulkId: id, filter: toRowFilter(filter), sort, isDescending: order === 'desc', offset, limit }
    const { rows, total } = await listRows(app.db, ask)
    return { data: await presentRows(app, id, rows, SHOWN), total, offset, limit }
  })

  server.get('/v1/bulk/:id/rows/:row', READ, async (request) => {
    const { id } = request.params
    await assertOwned(app, callerOf(request), id)
    const found = await findRows(app.db, id, { rows: [request.params.row], hasCells: true })
    const [shown] = await presentRows(app, id, found, WHOLE)
    if (!shown) throw new DomainError('not_found', 'This bulk job has no such row.')
    return shown
  })

  server.post('/v1/bulk/:id/decisions', DECIDE, async (request, reply) => {
    const caller = callerOf(request)
    const own = { ...caller, id: request.params.id, at: app.clock.now() }
    await assertBulk(app.db, own)
    const work = async () => {
      const { rows, reason = null } = request.body
      const by = { bulkId: own.id, accountId: caller.accountId, reviewer: null, reason, origin: originOf(request) }
      const decided = await decideRows(app, by, rows.map(toVerdict))
      const { rowCount: total, counts } = await getBulk(app.db, own)
      return { status: 200, body: { ...presentDecided(decided), counts: { total, ...counts } } }
    }
    // Deciding a row the same way again changes nothing.
    return respondOnce(app, { request, reply, caller }, work)
  })
}

function toVerdict(sent: z.output<typeof DecidedRow>): RowVerdict {
  const { row, action, company_number: typed, reviewer = null, reason = null, seen_decision: seen } = sent
  return { row, action, companyNumber: readNumber(typed), reviewer, reason, seen: readSeen(seen) }
}

function presentDecided(decided: readonly RowDone[]) {
  return {
    decided: decided.filter(({ problem }) => problem === null).length,
    rows: decided.map(({ row, problem, isChanged, companyNumber, replaced }) => ({
      row,
      ok: problem === null,
      message: problem,
      changed: isChanged,
      company_number: companyNumber,
      replaced: presentReplaced(replaced),
    })),
  }
}

function readNumber(typed: string | undefined): string | null {
  if (typed === undefined) return null
  const number = parseCompanyNumber(typed)
  if (number === null) throw invalidRequest([{ field: 'rows.company_number', message: 'is not a company number' }])
  return number
}

async function presentRows(
  app: App,
  bulkId: string,
  results: readonly BulkResult[],
  shown: typeof SHOWN,
): Promise<Array<z.input<typeof RowBody>>> {
  const rows = await fillDuplicates(app.db, bulkId, results)
  const open = rows.flatMap(({ state, decision, resolutionId }) =>
    resolutionId !== null && (state === 'needs_review' || decision !== null) ? [resolutionId] : [],
  )
  const answers = open.length === 0 ? [] : await listResolutions(app.db, [...new Set(open)])
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  return rows.map((row) => presentRow(row, byId.get(row.resolutionId ?? ''), shown))
}

function presentRow(
  result: BulkResult,
  answer: KnownResolution | undefined,
  shown: typeof SHOWN,
): z.input<typeof RowBody> {
  const { company, decision, cells } = result
  const shorten = (text: string) => (text.length <= shown.length ? text : `${text.slice(0, shown.length)}…`)
  return {
    row: result.row,
    kind: result.kind,
    input: result.input,
    domain: result.domain,
    own: (cells ?? []).slice(0, shown.cells).map((cell) => shorten(cellText(cell))),
    state: result.state,
    duplicate_of: result.duplicateOf,
    company: company && {
      number: company.number,
      name: company.name,
      status: company.status,
      status_text: company.statusText,
      postcode: company.postcode,
    },
    confidence: result.confidence,
    reason: result.reason,
    resolution_id: result.resolutionId,
    candidates: listCandidates(result, answer),
    decision: decision && {
      action: decision.action,
      company_number: decision.companyNumber,
      by: decision.by,
      at: new Date(decision.at).toISOString(),
    },
    charged: result.charged,
    charge_reason: result.chargeReason,
  }
}

function listCandidates(
  { kind, candidates }: BulkResult,
  answer: KnownResolution | undefined,
): z.input<typeof RowBody>['candidates'] {
  const all =
    kind === 'register'
      ? candidates.map(({ number, name, status, postcode, score, why }) => ({
          company_number: number,
          company_name: name,
          company_status: status,
          company_status_text: describeStatus({ status, statusDetail: null }),
          registered_postcode: postcode,
          score,
          why,
        }))
      : (answer?.findings.candidates ?? []).map(({ companyNumber, companyName, confidence, reasons }) => ({
          company_number: companyNumber,
          company_name: companyName,
          company_status: null,
          company_status_text: null,
          registered_postcode: null,
          score: Math.round(confidence * 1_000) / 10,
          why: reasons[0] ?? '',
        }))
  return all.slice(0, CANDIDATES_MAX)
}

const describe = describeRoutes({
  tag: 'Resolution',
  accepts: ['session', 'key'],
})

const assertOwned = (app: App, caller: Caller, id: string) => assertBulk(app.db, { ...caller, id, at: app.clock.now() })
const OF_BULK = { params: BulkId, assertOwned }

const LIST = describe({
  operationId: 'listBulkRows',
  summary: 'Rows of a bulk job, a window at a time',
  description:
    'For a table on a screen: filtered, sorted, and counted. Duplicates have the answer of the row that they repeat, and are searched and sorted by it.',
  ...OF_BULK,
  querystring: z.object({
    ...RowFilterQuery,
    sort: z.enum(ROW_ORDERS).default('row'),
    order: z.enum(['asc', 'desc']).default('asc'),
    offset: z.coerce.number().int().min(0).max(OFFSET_MAX).default(0),
    limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(100),
  }),
  answers: {
    200: {
      description: 'The rows of this window.',
      schema: z
        .object({
          data: z.array(RowBody),
          total: z.int().describe('Rows that fit the filter.'),
          offset: z.int(),
          limit: z.int(),
        })
        .meta({ id: 'BulkRows' }),
    },
  },
  errors: ['not_found'],
})

const READ = describe({
  operationId: 'getBulkRow',
  summary: 'One row of a bulk job',
  ...OF_BULK,
  params: BulkId.extend({ row: z.coerce.number().int().min(1).max(OFFSET_MAX) }),
  answers: { 200: { description: 'The row, with your own cells in full.', schema: RowBody } },
  errors: ['not_found'],
})

const DecidedRow = z.object({
  row: z.int().min(1),
  action: z.enum(['accept', 'reject', 'reassign', 'withdraw']),
  company_number: z.string().max(20).optional(),
  reviewer: decisionWords.reviewer,
  reason: decisionWords.reason.describe('Instead of the `reason` of the request.'),
  seen_decision: Seen,
})

const DECIDE = describe({
  operationId: 'decideBulkRows',
  summary: 'Decide on many rows that need review',
  description:
    'Free. Each row is decided on its own, and says why where it could not be. `accept` takes the best candidate, or the one you name; ' +
    '`reject` is none of them; `reassign` names any company; `withdraw` takes a decision back. A decision on a domain is the same as in ' +
    'its review, and counts for your account from then on. Sending it again changes nothing.',
  ...OF_BULK,
  idempotent: true,
  body: z.object({
    rows: z.array(DecidedRow).min(1).max(DECIDED_AT_ONCE_MAX),
    reason: z.string().trim().min(1).max(500).optional(),
  }),
  answers: {
    200: {
      description: 'What became of each row.',
      schema: z
        .object({
          decided: z.int(),
          rows: z.array(
            z.object({
              row: z.int(),
              ok: z.boolean(),
              message: z.string().nullable(),
              changed: z.boolean().optional().describe('False where it was so before, or was refused.'),
              company_number: z
                .string()
                .nullable()
                .optional()
                .describe('The company of the decision in force now; null for none.'),
              replaced: Replaced,
            }),
          ),
          counts: z.record(z.string(), z.int()).describe('Rows by state, as they are now.'),
        })
        .meta({ id: 'BulkDecisions' }),
    },
  },
  errors: ['not_found'],
})
