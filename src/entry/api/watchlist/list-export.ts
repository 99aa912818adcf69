/** The companies of a list as a file, with notes and tags. */
import { Readable } from 'node:stream'
import { recordAudit } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { toLondonDate } from '../../../lib/clock.ts'
import { formatCsvHead, formatCsvLine } from '../../../lib/text/csv-writer.ts'
import { describeStatus } from '../../../register/index.ts'
import { type ListEntry, streamEntries } from '../../../signals/index.ts'
import { callerOf, originOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoutes, TEXT_FILE, withFile } from '../../http/route.ts'
import { assertList, EntryFilter, ListId } from './lists.ts'

export function listExportRoutes(app: App, server: Server): void {
  server.get('/v1/watchlists/:id/export', EXPORT, async (request, reply) => {
    const caller = callerOf(request)
    const { accountId, mode } = caller
    const { id: list } = request.params
    await assertList(app, caller, list)
    const [at, origin] = [app.clock.now(), originOf(request)]
    const details = { list_id: list }
    await recordAudit(app.db, { at, accountId, mode, action: 'watchlist_exported', origin, details })
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="companies-${toLondonDate(at)}.csv"`)
      .send(Readable.from(writeFile(app, { accountId, mode, list, ...request.query }), { objectMode: false }))
  })
}

const COLUMNS = {
  company_number: ({ companyNumber }) => companyNumber,
  company_name: ({ companyName }) => companyName,
  company_status_text: ({ companyStatus: status, companyStatusDetail: statusDetail }) =>
    status === null ? 'Left the register' : describeStatus({ status, statusDetail }),
  note: ({ note }) => note,
  tags: ({ tags }) => tags.join(', '),
  watched_on: ({ watchedAt }) => toLondonDate(watchedAt),
} satisfies Record<string, (entry: ListEntry) => string | null>

async function* writeFile(app: App, query: Parameters<typeof streamEntries>[1]): AsyncGenerator<string> {
  yield formatCsvHead(Object.keys(COLUMNS))
  for await (const page of streamEntries(app.db, query)) {
    yield page.map((entry) => formatCsvLine(Object.values(COLUMNS).map((read) => read(entry)))).join('')
  }
}

const described = describeRoutes({ tag: 'Watchlist', accepts: ['session', 'key'] })({
  operationId: 'exportList',
  summary: 'A list as a table',
  description:
    'The companies of a list that pass the filter, with notes and tags, the newest watch first, at most 50,000. Safe to open in a ' +
    'spreadsheet. An import of the file brings notes and tags back.',
  assertOwned: assertList,
  params: ListId,
  querystring: EntryFilter,
  answers: {},
  errors: ['not_found'],
})
const EXPORT = withFile(described, { 'text/csv': TEXT_FILE })
