/** The calendar address of a list: made, made new, and ended. The calendar itself is on the site. */
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { endCalendar, findCalendar, makeCalendar } from '../../../signals/index.ts'
import { callerOf, changeOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { presentTime, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'
import { ListId } from './lists.ts'

const CalendarBody = z
  .object({ calendar_made_at: Time.nullable().describe('Since when there is an address; null when there is none.') })
  .meta({ id: 'ListCalendar' })
const NewCalendar = z
  .object({
    calendar_url: z.string().describe('Shown here and never again. Everyone who has it can read the calendar.'),
    calendar_made_at: Time,
  })
  .meta({ id: 'NewListCalendar' })

export function listCalendarRoutes(app: App, server: Server): void {
  server.get('/v1/watchlists/:id/calendar', READ, async (request) => {
    const madeAt = await findCalendar(app.db, { ...callerOf(request), id: request.params.id })
    return { calendar_made_at: madeAt && presentTime(madeAt) }
  })

  server.post('/v1/watchlists/:id/calendar', MAKE, async (request, reply) => {
    const { token, madeAt } = await makeCalendar(app, changeOf(request))
    const url = new URL(`/calendar/${token}.ics`, app.config.siteUrl).href
    return reply.code(201).send({ calendar_url: url, calendar_made_at: presentTime(madeAt) })
  })

  server.delete('/v1/watchlists/:id/calendar', END, async (request) => {
    await endCalendar(app, changeOf(request))
    return { calendar_made_at: null }
  })
}

const describe = describeRoutes({ tag: 'Watchlist', accepts: ['session', 'key'] })

const READ = describe({
  operationId: 'getCalendar',
  summary: 'Whether a list has a calendar address',
  params: ListId,
  answers: { 200: { description: 'Without the address.', schema: CalendarBody } },
  errors: ['not_found'],
})

const MAKE = describe({
  operationId: 'makeCalendar',
  summary: 'An address of the due dates of a list, for calendar programs',
  description:
    'Accounts, confirmation statements and verifications of identity that are due at the companies on the list, as all-day ' +
    'events (iCalendar). The address needs no sign-in. Asking again makes a new address and ends the one before.',
  params: ListId,
  answers: { 201: { description: 'The address.', schema: NewCalendar } },
  errors: ['not_found'],
})

const END = describe({
  operationId: 'endCalendar',
  summary: 'End the calendar address of a list',
  description: 'It answers 404 from now on. Ending it again changes nothing.',
  params: ListId,
  answers: { 200: { description: 'There is no address any more.', schema: CalendarBody } },
  errors: ['not_found'],
})
