/** The feed of an account: filtered, marked as read, and as a file. */
import { Readable } from 'node:stream'
import { z } from 'zod'
import { recordAudit } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { addDaysToDate, addSeconds, toLondonDate } from '../../../lib/clock.ts'
import { formatCsvHead, formatCsvLine } from '../../../lib/text/csv-writer.ts'
import {
  ALL_LISTS,
  type FeedFilter,
  type FeedSignal,
  listFeed,
  markSignals,
  presentSignal,
  readReadState,
  readThrough,
  SEVERITIES,
  SIGNAL_ID,
  SIGNAL_TYPES,
  streamFeed,
  TAG_MAX,
  UNREAD_MAX,
} from '../../../signals/index.ts'
import { callerOf, originOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { AskedDate, PageQuery, presentTime, Time } from '../../http/page.ts'
import { describeRoutes, TEXT_FILE, withFile } from '../../http/route.ts'
import { cursorOf, cursorPageOf, presentPage, toOffset } from '../cursor-page.ts'
import { SignalBody } from '../register/company-signals.ts'
import { assertList } from './lists.ts'

const FeedSignalBody = SignalBody.extend({
  is_read: z.boolean().describe('Marked as read, by itself or with all signals up to a moment.'),
}).meta({ id: 'FeedSignal' })

const SignalFeed = cursorPageOf(FeedSignalBody, 'new signals arrive').meta({ id: 'SignalFeed' })

const state = {
  unread: z.int().describe(`Signals that are not read, counted up to ${UNREAD_MAX.toLocaleString('en-GB')}.`),
  read_through: Time.nullable().describe('Signals detected up to this moment are read, unless marked otherwise.'),
}
const ReadStateBody = z.object(state).meta({ id: 'ReadState' })
const MarkedBody = z
  .object({
    ...state,
    previous_read_through: Time.nullable().describe(
      'Send it as `through` to undo, except for earlier signals marked as unread. Null after marking single signals.',
    ),
  })
  .meta({ id: 'MarkedSignals' })

export function signalFeedRoutes(app: App, server: Server): void {
  server.get('/v1/signals', FEED, async (request) => {
    const caller = callerOf(request)
    const { limit, cursor } = request.query
    const offset = toOffset(request.query, 'signals')
    const filter = await readFilter(app, request)
    const { accountId, mode } = caller
    const query = { accountId, mode, ...filter, limit, offset, cursor }
    const { signals, nextCursor } = await listFeed(app.db, query)
    return presentPage(signals.map(presentFeedSignal), request.query, nextCursor)
  })

  server.get('/v1/signals/export', EXPORT, async (request, reply) => {
    const { accountId, mode } = callerOf(request)
    const filter = await readFilter(app, request)
    const at = app.clock.now()
    await recordAudit(app.db, { at, accountId, mode, action: 'signals_exported', origin: originOf(request) })
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="signals-${toLondonDate(at)}.csv"`)
      .send(Readable.from(writeFile(app, { accountId, mode, ...filter }), { objectMode: false }))
  })
}

export function readStateRoutes(app: App, server: Server): void {
  server.get('/v1/signals/unread', UNREAD, async (request) => {
    const { unread, readThrough: through } = await readReadState(app.db, callerOf(request))
    return { unread, read_through: through && presentTime(through) }
  })

  server.post('/v1/signals/read', MARK, async (request) => {
    const caller = callerOf(request)
    const { ids, read, through } = request.body
    if ((ids === undefined) === (through === undefined)) {
      throw invalidRequest([{ field: 'ids', message: 'send either this or `through`' }])
    }
    const marked = ids
      ? { ...(await markSignals(app, caller, { ids, isRead: read })), previous: null }
      : await readThrough(app, caller, new Date(through ?? app.clock.now()))
    return {
      unread: marked.unread,
      read_through: marked.readThrough && presentTime(marked.readThrough),
      previous_read_through: marked.previous && presentTime(marked.previous),
    }
  })
}

async function readFilter(app: App, request: Parameters<typeof callerOf>[0] & { query: Filter }): Promise<FeedFilter> {
  const { signal_type: type, severity, list, tag, read, from, to } = request.query
  if (list !== undefined) await assertList(app, callerOf(request), list)
  return {
    signalType: type === 'all' ? undefined : type,
    severity,
    list,
    tag,
    isRead: read,
    from: from === undefined ? undefined : startOfDay(from),
    to: to === undefined ? undefined : startOfDay(addDaysToDate(to, 1)),
  }
}

/** Midnight in London: in summer an hour before that of UTC. */
function startOfDay(day: string): Date {
  const utc = new Date(`${day}T00:00:00Z`)
  return toLondonDate(addSeconds(utc, -1)) === day ? addSeconds(utc, -3_600) : utc
}

function presentFeedSignal({ isRead, ...signal }: FeedSignal): z.input<typeof FeedSignalBody> {
  return { ...presentSignal(signal), is_read: isRead }
}

const COLUMNS = [
  'detected_at',
  'occurred_on',
  'company_number',
  'company_name',
  'signal_type',
  'severity',
  'summary',
  'is_read',
  'id',
] as const

async function* writeFile(app: App, query: Parameters<typeof streamFeed>[1]): AsyncGenerator<string> {
  yield formatCsvHead(COLUMNS)
  for await (const page of streamFeed(app.db, query)) {
    yield page
      .map(presentFeedSignal)
      .map((signal) => formatCsvLine(COLUMNS.map((column) => signal[column])))
      .join('')
  }
}

const describe = describeRoutes({ tag: 'Watchlist', accepts: ['session', 'key'] })

const filters = {
  signal_type: z
    .enum([...SIGNAL_TYPES, 'all'], { error: `must be one of ${[...SIGNAL_TYPES, 'all'].join(', ')}` })
    .default('all')
    .describe('Only this type.'),
  severity: z.enum(SEVERITIES).optional().describe('Only this severity.'),
  list: z.string().max(64).optional().describe(`Only companies that are on this list now; \`${ALL_LISTS}\` for all.`),
  tag: z.string().trim().min(1).max(TAG_MAX).optional().describe('Only companies that have this tag now.'),
  read: z.stringbool().optional().describe('Only signals that are read, or only those that are not.'),
  from: AskedDate.optional().describe('Detected on this day in London or later.'),
  to: AskedDate.optional().describe('Detected on this day in London or earlier.'),
}
const Filter = z.object(filters)
type Filter = z.output<typeof Filter>

const FEED = describe({
  operationId: 'listSignals',
  stable: true,
  summary: 'What changed about the companies you watch',
  description:
    'Newest first by detection. The feed has the companies that you watch now, from the moment you watched them; earlier ' +
    'signals are in the history of each company. With a filter that few signals pass, a page can have fewer than `limit`, or ' +
    'none, and still a `next_cursor`: go on until it is null.',
  querystring: PageQuery.extend({ ...filters, cursor: cursorOf(SIGNAL_ID) }),
  answers: { 200: { description: 'A page of signals.', schema: SignalFeed } },
  errors: ['not_found'],
})

const UNREAD = describe({
  operationId: 'getReadState',
  summary: 'How many signals are unread',
  description: 'Read and unread are the same for all people of an account.',
  answers: { 200: { description: 'The count.', schema: ReadStateBody } },
})

const MARK = describe({
  operationId: 'markSignals',
  summary: 'Mark signals as read or unread',
  description: 'Single signals by `ids`, or everything that was detected up to a moment.',
  body: z.object({
    ids: z.array(z.string().regex(SIGNAL_ID)).min(1).max(100).optional().describe('Signals of the feed.'),
    read: z.boolean().default(true).describe('With `ids`: false marks them as unread.'),
    through: z.iso.datetime().nullable().optional().describe('Instead: up to this moment; null is now.'),
  }),
  answers: { 200: { description: 'The count from now on.', schema: MarkedBody } },
})

const described = describe({
  operationId: 'exportSignals',
  summary: 'The feed as a table',
  description: 'All signals that pass the filter, newest first, at most 50,000. Safe to open in a spreadsheet.',
  querystring: Filter,
  answers: {},
  errors: ['not_found'],
})
const EXPORT = withFile(described, { 'text/csv': TEXT_FILE })
