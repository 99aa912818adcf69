/** The evidence documents of a bulk job as ZIP files, a part at a time. */
import { Readable } from 'node:stream'
import { z } from 'zod'
import { isOpenAccount, type Origin, recordAudit } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { assertBulk, type BulkResult, streamResults } from '../../../bulk/index.ts'
import { DomainError } from '../../../errors.ts'
import { makeDocument, makeRecord } from '../../../evidence/index.ts'
import { formatCsvLine } from '../../../lib/text/csv-writer.ts'
import { writeZip, type ZipEntry } from '../../../lib/zip-writer.ts'
import { createRateLimitError } from '../../../limits.ts'
import { type Caller, callerOf, originOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { BINARY_FILE, describeRoute, withFile } from '../../http/route.ts'
import { BulkId } from './bulk.ts'

const PART_MAX = 100
const COLUMNS = ['row', 'domain', 'outcome', 'company_number', 'company_name', 'evidence_id', 'file', 'problem']

/** Seconds that a caller waits before it asks again while another ZIP file of its account is made. */
const RETRY_SECONDS = 10

export function bulkEvidenceRoutes(app: App, server: Server): void {
  // One for each account, in each process, as the queue of documents is of the process: no account can fill it.
  const underWay = new Set<string>()

  server.post('/v1/bulk/:id/evidence', EVIDENCE, async (request, reply) => {
    const [caller, at, origin] = [callerOf(request), app.clock.now(), originOf(request)]
    const { id } = request.params
    await assertBulk(app.db, { ...caller, id, at })
    const { after_row: after, limit } = request.query
    const found = await findAnswered(app, id, { after, count: limit + 1 })
    const part = found.slice(0, limit)
    const last = part.at(-1)?.row ?? after
    const { accountId, mode } = caller
    const details = { bulk_id: id, format: 'zip', after_row: after, limit }
    if (underWay.has(accountId)) {
      const reason = 'Another ZIP file of documents is being made for this account.'
      throw createRateLimitError('bulk-evidence', reason, RETRY_SECONDS)
    }
    underWay.add(accountId)
    const file = Readable.from(writeZip(listEntries(app, { caller, origin, part })), { objectMode: false })
    // It comes at the end, after a failure, and once a caller who left is noticed and the last document is made.
    file.once('close', () => underWay.delete(accountId))
    try {
      await recordAudit(app.db, { at, accountId, mode, action: 'bulk_exported', origin, details })
    } catch (error) {
      file.destroy()
      throw error
    }
    if (found.length > limit) {
      const next = `/v1/bulk/${id}/evidence?after_row=${last}&limit=${limit}`
      void reply.header('link', `<${new URL(next, app.config.baseUrl).href}>; rel="next"`)
    }
    return reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="${id}-evidence-${after + 1}-${last}.zip"`)
      .header('cache-control', 'private, no-store')
      .send(file)
  })
}

/** Returns the next rows that have an answer. */
async function findAnswered(app: App, bulkId: string, { after, count }: { after: number; count: number }) {
  const found: Array<BulkResult & { resolutionId: string }> = []
  for await (const page of streamResults(app, { bulkId, afterRow: after })) {
    for (const result of page) {
      const { resolutionId } = result
      if (resolutionId !== null && result.duplicateOf === null) found.push({ ...result, resolutionId })
      if (found.length === count) return found
    }
  }
  return found
}

type Part = Awaited<ReturnType<typeof findAnswered>>

/**
 * One document after another, so that memory holds one; the index comes last and says what became of each row. Where the account
 * ends meanwhile, no further document is made.
 */
async function* listEntries(
  app: App,
  { caller, origin, part }: { caller: Caller; origin: Origin; part: Part },
): AsyncGenerator<ZipEntry> {
  const lines = [formatCsvLine(COLUMNS)]
  for (const result of part) {
    if (!(await isOpenAccount(app.db, caller.accountId))) break
    const made = await tryDocument(app, { caller, origin, resolutionId: result.resolutionId })
    const file = made.pdf && `${String(result.row).padStart(5, '0')}-${made.name}`
    const { number = null, name = null } = result.company ?? {}
    lines.push(
      formatCsvLine([result.row, result.domain, result.state, number, name, made.evidenceId, file, made.problem]),
    )
    if (made.pdf && file) yield { name: file, at: app.clock.now(), content: made.pdf }
  }
  yield { name: 'index.csv', at: app.clock.now(), content: Buffer.from(lines.join(''), 'utf8') }
}

/** A row that fails, such as one that was refunded meanwhile, is a line of the index: a file that breaks off helps no customer. */
async function tryDocument(
  app: App,
  of: { caller: Caller; origin: Origin; resolutionId: string },
): Promise<{ pdf: Buffer | null; name: string | null; evidenceId: string | null; problem: string | null }> {
  const { accountId, mode } = of.caller
  try {
    const made = await makeRecord(app, { resolutionId: of.resolutionId, accountId, mode, origin: of.origin })
    if (!made) throw new DomainError('not_found', 'The answer is not there any more.')
    const { pdf, name } = await makeDocument(app, made.record)
    return { pdf, name, evidenceId: made.record.id, problem: null }
  } catch (error) {
    const isRefusal = error instanceof DomainError
    if (!isRefusal) app.log.error({ event: 'bulk.document_failed', resolution_id: of.resolutionId, error })
    const problem = isRefusal ? error.message : 'The document could not be made. Ask for this part again later.'
    return { pdf: null, name: null, evidenceId: null, problem }
  }
}

const described = describeRoute({
  operationId: 'makeBulkEvidence',
  summary: 'The evidence documents of a bulk job as a ZIP file',
  description:
    'Makes the evidence record of every answer, where there is none, and returns the signed documents (PDF) with an index as CSV. ' +
    `A part has at most ${PART_MAX} documents, and comes as it is made; \`Link\` with \`rel="next"\` names the next part. A part can be ` +
    'requested again: the same content is the same record. Rows without an answer are left out, and a row whose document cannot be ' +
    'made has its problem in the index. An account gets one part at a time. Free of charge.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  assertOwned: (app, caller, id) => assertBulk(app.db, { ...caller, id, at: app.clock.now() }),
  params: BulkId,
  querystring: z.object({
    after_row: z.coerce.number().int().min(0).max(1_000_000).default(0).describe('Only rows after this one.'),
    limit: z.coerce.number().int().min(1).max(PART_MAX).default(PART_MAX).describe('Documents of this part.'),
  }),
  answers: {},
  errors: ['not_found'],
})

const EVIDENCE = withFile(described, { 'application/zip': BINARY_FILE }, 'The ZIP file.')
