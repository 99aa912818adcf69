import { z } from 'zod'
import { PLANS } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { presentStatusDetail } from '../../../register/index.ts'
import {
  type CappedOwner,
  listWatchlist,
  presentSignal,
  replaceWatchlist,
  unwatchCompany,
  WATCH_CURSOR,
  WATCH_OUTCOMES,
  type WatchEntry,
  type WatchedMany,
  watchCompanies,
  watchCompany,
} from '../../../signals/index.ts'
import { type Caller, callerOf, originOf } from '../../http/caller.ts'
import { respondOnce } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { PageQuery, presentMembers, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'
import { cursorOf, cursorPageOf, presentPage } from '../cursor-page.ts'
import { readCompanyNumber } from '../register/company-profile.ts'
import { SignalBody } from '../register/company-signals.ts'
import { StatusDetail } from '../register/status-detail.ts'

const BULK_MAX = 1_000
const REPLACE_MAX = 50_000
/** 50,000 numbers as they are usually sent are 600 kB. */
const REPLACE_BYTES_MAX = 1024 * 1024

export const Entry = z
  .object({
    company_number: z.string(),
    company_name: z.string(),
    company_status: z.string().nullable().describe("The register's word; null when it has no such company any more."),
    ...StatusDetail,
    watched_at: Time,
    latest_signal: SignalBody.nullable().describe('The newest of the company, also from before it was watched.'),
  })
  .meta({ id: 'WatchlistEntry' })

const Watchlist = cursorPageOf(Entry, 'companies come and go').meta({ id: 'Watchlist' })

const Watched = Entry.extend({ watched: z.literal(true) }).meta({ id: 'WatchedCompany' })

const Unwatched = z
  .object({ company_number: z.string(), watched: z.literal(false), was_watched: z.boolean() })
  .meta({ id: 'UnwatchedCompany' })

const usage = {
  used: z.int().describe('Companies on the list now.'),
  limit: z.int().describe('The most that the plan allows.'),
}

const counted = Object.fromEntries(WATCH_OUTCOMES.map((outcome) => [outcome, z.int()])) as Record<
  (typeof WATCH_OUTCOMES)[number],
  z.ZodInt
>

const BulkWatched = z
  .object({
    data: z
      .array(z.object({ company_number: z.string(), outcome: z.enum(WATCH_OUTCOMES) }))
      .describe('One for each number sent, in the same order.'),
    counts: z.object(counted),
    ...usage,
  })
  .meta({ id: 'BulkWatched' })

const ReplacedWatchlist = z
  .object({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    kept: z.int(),
    not_found: z.array(z.string()).describe('As they were sent.'),
    invalid: z.array(z.string()).describe('As they were sent.'),
    ...usage,
  })
  .meta({ id: 'ReplacedWatchlist' })

export function watchlistRoutes(app: App, server: Server): void {
  server.get('/v1/watchlist', LIST, async (request) => {
    const { accountId, mode } = callerOf(request)
    const { page, limit, cursor } = request.query
    const offset = cursor === undefined ? (page - 1) * limit : 0
    const { entries, nextCursor } = await listWatchlist(app.db, { accountId, mode, limit, offset, cursor })
    return presentPage(entries.map(presentEntry), request.query, nextCursor)
  })

  server.post('/v1/watchlist', WATCH, async (request, reply) => {
    const caller = callerOf(request)
    // Watching a company again changes nothing.
    return respondOnce(app, { request, reply, caller }, async () => {
      const number = readCompanyNumber(request.body.company_number)
      const { entry, isNew } = await watchCompany(app, ownerOf(caller), number)
      return { status: isNew ? 201 : 200, body: { ...presentEntry(entry), watched: true } }
    })
  })

  server.delete('/v1/watchlist/:company_number', UNWATCH, async (request) => {
    const caller = callerOf(request)
    const number = readCompanyNumber(request.params.company_number)
    const wasWatched = await unwatchCompany(app, caller, number)
    return { company_number: number, watched: false as const, was_watched: wasWatched }
  })

  server.post('/v1/watchlist/bulk', BULK, async (request, reply) => {
    const caller = callerOf(request)
    return respondOnce(app, { request, reply, caller }, async (once) => {
      const owner = { ...ownerOf(caller), origin: originOf(request) }
      const { company_numbers: numbers, list } = request.body
      const watched = await watchCompanies(once, owner, numbers, list)
      return { status: 200, body: presentBulk(watched, owner) }
    })
  })

  server.put('/v1/watchlist', { ...REPLACE, bodyLimit: REPLACE_BYTES_MAX }, async (request) => {
    const owner = { ...ownerOf(callerOf(request)), origin: originOf(request) }
    const { notFound, ...replaced } = await replaceWatchlist(app, owner, request.body.company_numbers)
    return { ...replaced, not_found: notFound, limit: owner.watchlistMax }
  })
}

export function ownerOf({ accountId, mode, plan }: Caller): CappedOwner {
  return { accountId, mode, watchlistMax: PLANS[plan].watchlistMax }
}

export function presentEntry(entry: WatchEntry): z.input<typeof Entry> {
  return {
    ...presentMembers(entry),
    ...(entry.companyStatus === null
      ? {}
      : presentStatusDetail({ status: entry.companyStatus, statusDetail: entry.companyStatusDetail })),
    latest_signal: entry.latestSignal && presentSignal(entry.latestSignal),
  }
}

function presentBulk({ items, used }: WatchedMany, { watchlistMax }: CappedOwner): z.input<typeof BulkWatched> {
  const counts = { watched: 0, already_watched: 0, limit_reached: 0, not_found: 0, invalid: 0 }
  for (const { outcome } of items) counts[outcome] += 1
  const data = items.map(({ companyNumber, outcome }) => ({ company_number: companyNumber, outcome }))
  return { data, counts, used, limit: watchlistMax }
}

const describe = describeRoutes({ tag: 'Watchlist', accepts: ['session', 'key'] })

export const CompanyNumber = z.string().min(1).max(20).describe('As people write it: `SC 12345` will do.')
const numbersUpTo = (max: number) =>
  z.array(z.string().max(100)).max(max).describe('As people write them: `SC 12345` will do.')

const LIST = describe({
  operationId: 'listWatchlist',
  stable: true,
  summary: 'The companies you watch',
  description: 'The newest watch first, each with the newest signal of its company.',
  querystring: PageQuery.extend({ cursor: cursorOf(WATCH_CURSOR) }),
  answers: { 200: { description: 'A page of the watchlist.', schema: Watchlist } },
})

const WATCH = describe({
  operationId: 'watchCompany',
  stable: true,
  summary: 'Watch a company',
  description:
    'Changes from now on appear in the signal feed, and we send them to your webhook destinations. Earlier changes ' +
    'make no signal. Your plan limits how many companies you can watch.',
  idempotent: true,
  body: z.object({ company_number: CompanyNumber }),
  answers: {
    201: { description: 'The company is watched from now on.', schema: Watched },
    200: { description: 'It was watched already.', schema: Watched },
  },
  errors: ['plan_limit_reached', 'company_not_found', 'unavailable'],
})

const UNWATCH = describe({
  operationId: 'unwatchCompany',
  stable: true,
  summary: 'Stop watching a company',
  description: 'Its signals leave the feed. They stay in the company’s own history.',
  params: z.object({ company_number: CompanyNumber }),
  answers: { 200: { description: 'The company is not watched, whether it was before or not.', schema: Unwatched } },
})

const BULK = describe({
  operationId: 'watchCompanies',
  summary: `Watch up to ${BULK_MAX.toLocaleString('en-GB')} companies at once`,
  description:
    'Each number has its own outcome. When the list is full, you watch the first ones and the rest are `limit_reached`. ' +
    'A company that we have never seen is `not_found` here; watch it by itself and we look it up at the register.',
  idempotent: true,
  body: z.object({
    company_numbers: numbersUpTo(BULK_MAX).min(1),
    list: z.string().max(64).default('default').describe('The id of the list they go to.'),
  }),
  answers: { 200: { description: 'The outcome of each number.', schema: BulkWatched } },
  errors: ['not_found'],
})

const REPLACE = describe({
  operationId: 'replaceWatchlist',
  summary: 'Make the watchlist exactly this',
  description:
    `Takes up to ${REPLACE_MAX.toLocaleString('en-GB')} numbers. You stop watching companies that are ` +
    'not among them; those that stay keep their feed. All of it happens or nothing. We leave out numbers that we do not find.',
  body: z.object({ company_numbers: numbersUpTo(REPLACE_MAX) }),
  answers: { 200: { description: 'What was added and removed.', schema: ReplacedWatchlist } },
  errors: ['plan_limit_reached'],
})
