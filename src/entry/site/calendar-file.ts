/** The calendar of a list for programs that subscribe to it. No account is needed: the secret in the address opens it. */
import { createHash } from 'node:crypto'
import ical, { ICalCalendarMethod } from 'ical-generator'
import type { App } from '../../app.ts'
import { addDaysToDate } from '../../lib/clock.ts'
import { isOverseasEntity } from '../../register/index.ts'
import { type Calendar, type DueDate, openCalendar } from '../../signals/index.ts'
import { admitAddress } from '../http/caller.ts'
import type { Server } from '../http/instance.ts'

/** Calendar services ask for many people from few addresses. */
const LIMIT = { name: 'calendar', burst: 200, perSecond: 5 }
const TOKEN_MAX = 64
const REFRESH_SECONDS = 12 * 3_600
const CACHED_SECONDS = 3_600

export function calendarRoutes(app: App, server: Server): void {
  const form = hash(formatCalendar(SAMPLE, app.config.siteUrl))

  server.get('/calendar/:file', async (request, reply) => {
    await admitAddress(app, request, reply, LIMIT)
    const { file } = request.params as { file: string }
    void reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer')
    const calendar = await openCalendar(app, file.slice(0, TOKEN_MAX).replace(/\.ics$/, ''))
    if (!calendar) {
      const says = 'There is no such calendar, or its address was made new.\n'
      return reply.code(404).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(says)
    }
    // Of the dates, not of their text: most programs ask again before a date changes, and a long text takes 70 ms.
    const tag = `"${hash(form + JSON.stringify(calendar))}"`
    void reply.header('etag', tag).header('cache-control', `private, max-age=${CACHED_SECONDS}`)
    if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'inline; filename="due-dates.ics"')
      .send(formatCalendar(calendar, app.config.siteUrl))
  })
}

/** Whether `If-None-Match` names this tag. Anyone sends this header: a pattern for its spaces would take seconds for a long one. */
export function hasTag(ifNoneMatch: string | undefined, tag: string): boolean {
  return ifNoneMatch?.split(',').some((each) => each.trim() === tag) ?? false
}

/** Its text changes where the way to write calendars changes; the same dates then have another tag. */
const SAMPLE: Calendar = {
  name: 'Sample',
  madeAt: new Date(0),
  dates: (['accounts', 'confirmation', 'identity'] as const).map((kind) => ({
    kind,
    companyNumber: '00000000',
    companyName: 'SAMPLE LIMITED',
    dueOn: '2026-01-01',
  })),
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function describeDue({ kind, companyNumber }: DueDate): string {
  if (kind === 'accounts') return 'Accounts due'
  if (kind === 'identity') return 'Identity verification due'
  return isOverseasEntity(companyNumber) ? 'Yearly update statement due' : 'Confirmation statement due'
}

/** The same dates make the same text, so that a program that asks again learns that nothing changed. */
export function formatCalendar({ name, madeAt, dates }: Calendar, siteUrl: URL): string {
  const calendar = ical({
    // The library escapes the texts of events, and these it does not.
    name: escapeText(`Due dates: ${name}`),
    description: escapeText(
      'Filing and verification dates of the companies on this list, from the register of Companies House.',
    ),
    prodId: { company: 'Nameplate', product: 'Due dates', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  })
  for (const due of dates) {
    const { kind, companyNumber, companyName, dueOn } = due
    const words = describeDue(due)
    calendar.createEvent({
      id: `${kind}.${companyNumber}.${dueOn}@${siteUrl.hostname}`,
      start: toUtcDay(dueOn),
      end: toUtcDay(addDaysToDate(dueOn, 1)),
      allDay: true,
      stamp: madeAt,
      summary: `${words}: ${companyName}`,
      description: `${companyName} (${companyNumber}). ${words} at Companies House by ${dueOn}.`,
      url: new URL(`/console/companies/${companyNumber}`, siteUrl).href,
    })
  }
  return `${calendar.toString()}\r\n`
}

/** The library writes the day that it is in UTC, whatever the server's time zone is. */
function toUtcDay(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

/** RFC 5545 §3.3.11. */
function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\s+/g, ' ')
}
