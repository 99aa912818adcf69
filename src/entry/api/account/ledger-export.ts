/** The ledger of an account as a table. */
import { Readable } from 'node:stream'
import { z } from 'zod'
import { recordAudit } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { changeOf, listEntries } from '../../../credits/index.ts'
import { formatCsvLine } from '../../../lib/text/csv-writer.ts'
import { type Caller, callerOf, originOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoutes, TEXT_FILE, withFile } from '../../http/route.ts'
import { OnlyAnswers, presentEntries } from './credits.ts'

export function ledgerExportRoutes(app: App, server: Server): void {
  server.get('/v1/account/ledger/export', EXPORT, async (request, reply) => {
    const { accountId, mode } = callerOf(request)
    const at = app.clock.now()
    await recordAudit(app.db, { at, accountId, mode, action: 'ledger_exported', origin: originOf(request) })
    const asked = { accountId, mode, onlyAnswers: request.query.only === 'answers' }
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="ledger.csv"')
      .send(Readable.from(writeTable(app, asked), { objectMode: false }))
  })
}

const EXPORT_PAGE_ENTRIES = 1_000
const EXPORT_PAGES_MAX = 1_000

const COLUMNS = [
  'time',
  'kind',
  'reason',
  'subject',
  'reference',
  'amount',
  'change',
  'balance_after',
  'held_after',
  'resolution_url',
]

type Row = Partial<Awaited<ReturnType<typeof presentEntries>>[number]> & { change: number }

async function* writeTable(
  app: App,
  asked: Pick<Caller, 'accountId' | 'mode'> & { onlyAnswers: boolean },
): AsyncGenerator<string> {
  yield formatCsvLine(COLUMNS)
  let beforeId: number | undefined
  for (let page = 0; page < EXPORT_PAGES_MAX; page += 1) {
    const { entries, hasMore } = await listEntries(app.db, {
      ...asked,
      limit: EXPORT_PAGE_ENTRIES,
      offset: 0,
      beforeId,
    })
    const shown = await presentEntries(app, asked.accountId, entries)
    yield entries.map((entry, index) => formatEntry({ ...shown[index], change: changeOf(entry) })).join('')
    beforeId = entries.at(-1)?.id
    if (!hasMore) return
  }
}

function formatEntry({ created_at: time, ...entry }: Row): string {
  const values: Record<string, string | number | null | undefined> = { ...entry, time }
  return formatCsvLine(COLUMNS.map((column) => values[column] ?? null))
}

const described = describeRoutes({ tag: 'Credits', accepts: ['session', 'key'] })({
  operationId: 'exportLedger',
  summary: 'The ledger as a table',
  description: `Every movement of credits, newest first, at most ${(EXPORT_PAGES_MAX * EXPORT_PAGE_ENTRIES).toLocaleString('en-GB')}, as CSV. Safe to open in a spreadsheet. The download is an entry of the audit log. A test key has none.`,
  querystring: z.object({ only: OnlyAnswers }),
  answers: {},
})
const EXPORT = withFile(described, { 'text/csv': TEXT_FILE })
