import { z } from 'zod'
import type { App } from '../../../app.ts'
import { type LedgerEntry, listEntries, listUsage } from '../../../credits/index.ts'
import { addDaysToDate, toLondonDate } from '../../../lib/clock.ts'
import { listAnswersAt } from '../../../resolution/index.ts'
import { callerOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import type { Server } from '../../http/instance.ts'
import { AskedDate, CalendarDate, PageQuery, presentMembers, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'
import { cursorPageOf, presentPage, toOffset } from '../cursor-page.ts'

const USAGE_DAYS_DEFAULT = 30
const USAGE_DAYS_MAX = 366

const Entry = z
  .object({
    id: z.int(),
    kind: z.enum(['grant', 'hold', 'capture', 'release', 'refund']),
    amount: z.int().describe('Credits, always positive; the kind says which way.'),
    reason: z.string().describe('Why, in a stable word: `welcome`, `plan`, `operator`, `matched`, …'),
    reference: z.string().describe('What for: a job, a plan month.'),
    subject: z
      .string()
      .nullable()
      .describe('The domain or the company number that the credit was for. Null for a grant and for old entries.'),
    balance_after: z.int(),
    held_after: z.int(),
    created_at: Time,
    resolution_id: z
      .string()
      .nullable()
      .describe('The answer about the domain, as it was then; null where there is none.'),
    resolution_url: z.string().nullable().describe('The same in the console.'),
  })
  .meta({ id: 'LedgerEntry' })

export const OnlyAnswers = z
  .literal('answers', { error: 'must be answers' })
  .optional()
  .describe('`answers`: without reservations whose credit was spent or released since, so one entry per answer.')

const Ledger = cursorPageOf(Entry, 'new entries arrive').meta({ id: 'Ledger' })

const Usage = z
  .object({
    from: CalendarDate,
    to: CalendarDate,
    data: z.array(
      z
        .object({
          date: CalendarDate,
          outcome: z.string(),
          answers: z.int(),
          credits: z.int().describe('Credits spent; below zero for refunds.'),
        })
        .meta({ id: 'UsageDay' }),
    ),
    totals: z.object({ answers: z.int(), credits: z.int() }),
  })
  .meta({ id: 'Usage' })

export function creditsRoutes(app: App, server: Server): void {
  server.get('/v1/account/ledger', LEDGER, async (request) => {
    const { limit, cursor, only } = request.query
    const offset = toOffset(request.query, 'entries')
    const wanted = { limit, offset, beforeId: cursor, onlyAnswers: only === 'answers' }
    const caller = callerOf(request)
    const { entries, hasMore } = await listEntries(app.db, { ...caller, ...wanted })
    const last = entries.at(-1)
    const shown = await presentEntries(app, caller.accountId, entries)
    return presentPage(shown, request.query, hasMore && last ? String(last.id) : null)
  })

  server.get('/v1/account/usage', USAGE, async (request) => {
    const to = request.query.to ?? toLondonDate(app.clock.now())
    const from = request.query.from ?? addDaysToDate(to, 1 - USAGE_DAYS_DEFAULT)
    assertRange(from, to)
    const data = await listUsage(app.db, { ...callerOf(request), from, to })
    const totals = { answers: 0, credits: 0 }
    for (const day of data) {
      totals.answers += day.answers
      totals.credits += day.credits
    }
    return { from, to, data, totals }
  })
}

/** A test key spends nothing, so it has no movements; those of the live key name live jobs. */
function assertRange(from: string, to: string): void {
  if (from > to) throw invalidRequest([{ field: 'from', message: 'must not be after `to`' }])
  if (addDaysToDate(from, USAGE_DAYS_MAX) < to) {
    throw invalidRequest([{ field: 'from', message: `must be at most ${USAGE_DAYS_MAX} days before \`to\`` }])
  }
}

/** Returns entries as people and programs get them, with the answers that they are about. */
export async function presentEntries(
  app: App,
  accountId: string,
  entries: readonly LedgerEntry[],
): Promise<Array<z.input<typeof Entry>>> {
  const answers = await findAnswers(app, accountId, entries)
  return entries.map((entry) => presentEntry(app, entry, answers.get(entry.id) ?? null))
}

/** Returns the answers that entries are about. An open reservation has none yet. */
async function findAnswers(app: App, accountId: string, entries: readonly LedgerEntry[]): Promise<Map<number, string>> {
  const answered = entries.flatMap(({ id, kind, subject: domain, createdAt: at }) =>
    domain === null || !domain.includes('.') || kind === 'hold' ? [] : [{ id, domain, at }],
  )
  const ids = await listAnswersAt(app.db, accountId, answered)
  return new Map(answered.flatMap(({ id }, index) => (ids[index] ? [[id, ids[index]] as const] : [])))
}

function presentEntry(app: App, entry: LedgerEntry, resolutionId: string | null): z.input<typeof Entry> {
  return {
    ...presentMembers(entry),
    amount: entry.amountCredits,
    resolution_id: resolutionId,
    resolution_url: resolutionId && new URL(`/console/resolutions/${resolutionId}`, app.config.siteUrl).href,
  }
}

const describe = describeRoutes({ tag: 'Credits', accepts: ['session', 'key'] })

const LEDGER = describe({
  operationId: 'listLedger',
  summary: 'Every movement of credits',
  description: 'Newest first. The balance is the sum of these entries. A test key spends nothing and has none.',
  querystring: PageQuery.extend({
    cursor: z.coerce
      .number()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('`next_cursor` of the page before.'),
    only: OnlyAnswers,
  }),
  answers: { 200: { description: 'A page of entries.', schema: Ledger } },
})

const USAGE = describe({
  operationId: 'getUsage',
  summary: 'Answers and credits by day and outcome',
  description: `London days, both ends included; by default the last ${USAGE_DAYS_DEFAULT}. A test key has none.`,
  querystring: z.object({ from: AskedDate.optional(), to: AskedDate.optional() }),
  answers: { 200: { description: 'One row per day and outcome that had any.', schema: Usage } },
})
