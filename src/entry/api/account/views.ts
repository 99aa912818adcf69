import { z } from 'zod'
import { listViews, removeView, type SavedView, saveView, VIEWS_MAX } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { presentMembers, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'

const NAME_LENGTH_MAX = 60
const QUERY_LENGTH_MAX = 2_000

/** The lists that have filters in their address; a bulk job has its results below its own id. */
const PATH = /^\/(?:audit|bulk|companies|resolutions|review|signals|watchlist)(?:\/[\w-]{1,64})?$/

const ViewText = z.object({
  name: z.string().trim().min(1).max(NAME_LENGTH_MAX),
  path: z.string().regex(PATH, { error: 'must be the path of a list' }).describe('The list, below `/console`.'),
  query: z
    .string()
    .max(QUERY_LENGTH_MAX)
    .regex(/^[\x21-\x7e]*$/, { error: 'must be the query of an address' })
    .describe('The query of its address, without the question mark.'),
})

const View = ViewText.extend({ id: z.string(), saved_at: Time }).meta({ id: 'SavedView' })
const Views = z.object({ data: z.array(View) }).meta({ id: 'SavedViews' })

export function viewsRoutes(app: App, server: Server): void {
  server.get('/v1/account/views', LIST, async (request) => {
    const views = await listViews(app.db, callerOf(request).accountId)
    return { data: views.map(presentView) }
  })

  server.post('/v1/account/views', SAVE, async (request, reply) => {
    const { accountId } = callerOf(request)
    const saved = await saveView(app.db, { accountId, ...request.body, at: app.clock.now() })
    return reply.status(201).send(presentView(saved))
  })

  server.delete('/v1/account/views/:id', REMOVE, async (request) => {
    const { accountId } = callerOf(request)
    return presentView(await removeView(app.db, { accountId, id: request.params.id }))
  })
}

const presentView = (view: SavedView): z.input<typeof View> => presentMembers(view)

const describe = describeRoutes({ tag: 'Account', accepts: ['session'] })

const LIST = describe({
  operationId: 'listViews',
  summary: 'The views that you saved',
  description: 'A view is a list of the console with its filter, under a name.',
  answers: { 200: { description: 'All of them, by list and name.', schema: Views } },
})

const SAVE = describe({
  operationId: 'saveView',
  summary: 'Save a view',
  description: `A view of the same name for the same list is replaced. At most ${VIEWS_MAX} views.`,
  body: ViewText,
  answers: { 201: { description: 'The view.', schema: View } },
})

const REMOVE = describe({
  operationId: 'removeView',
  summary: 'Remove a view',
  description: 'To undo it, save what this returns.',
  params: z.object({ id: z.string().max(64) }),
  answers: { 200: { description: 'The view that was removed.', schema: View } },
  errors: ['not_found'],
})
