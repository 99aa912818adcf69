/** Share links: made, listed and revoked by the account; the page that they open is on the site. */
import { z } from 'zod'
import type { App } from '../../../app.ts'
import {
  getEntry,
  LINK_DAYS_MAX,
  listShareLinks,
  makeShareLink,
  openShareLink,
  revokeShareLink,
} from '../../../resolution/index.ts'
import { callerOf, changeOf, originOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { presentTime } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'
import { presentPack } from './evidence-bodies.ts'
import { formatEvidencePage, PAGE_POLICY } from './evidence-page.ts'
import { NewShareLinkBody, presentShareLink, ShareLinkBody } from './history-bodies.ts'

const DAYS_DEFAULT = 14

export function shareLinksRoutes(app: App, server: Server): void {
  server.post('/v1/resolutions/:id/share-links', MAKE, async (request, reply) => {
    const { accountId, mode } = callerOf(request)
    const [resolutionId, origin] = [request.params.id, originOf(request)]
    const link = await makeShareLink(app, { resolutionId, accountId, mode, origin, days: request.body.days })
    const url = new URL(`/shared/${link.token}`, app.config.siteUrl).href
    return reply.code(201).send({ ...presentShareLink(link, app.clock.now()), url })
  })

  server.get('/v1/resolutions/:id/share-links', LIST, async (request) => {
    const { accountId, mode } = callerOf(request)
    const ask = { resolutionId: request.params.id, accountId, mode }
    await getEntry(app, ask)
    const at = app.clock.now()
    return { data: (await listShareLinks(app.db, ask)).map((link) => presentShareLink(link, at)) }
  })

  server.delete('/v1/share-links/:id', REVOKE, async (request) =>
    presentShareLink(await revokeShareLink(app, changeOf(request)), app.clock.now()),
  )
}

/** The page of a share link, with the content policy that belongs to it; null where the link opens nothing. */
export async function readSharedPage(app: App, token: string): Promise<{ page: string; policy: string } | null> {
  const pack = await openShareLink(app, token)
  if (!pack) return null
  const document = presentPack(pack, app.clock.now())
  return { page: formatEvidencePage(document, presentTime(pack.expiresAt)), policy: PAGE_POLICY }
}

const describe = describeRoutes({ tag: 'Resolution', accepts: ['session', 'key'] })
const params = z.object({ id: z.string().max(64) })

const MAKE = describe({
  operationId: 'makeShareLink',
  summary: 'A link to the evidence for people without an account',
  description:
    'Everyone who has the address reads the evidence pack of this answer, without your own decision, until it is over or revoked. ' +
    'It opens nothing else, and the page does not have the id of the answer. At most 20 open links for an answer. Free of charge.',
  assertOwned: (app, { accountId, mode }, id) => getEntry(app, { resolutionId: id, accountId, mode }),
  params,
  body: z.object({
    days: z.int().min(1).max(LINK_DAYS_MAX).default(DAYS_DEFAULT).describe('How long it opens.'),
  }),
  answers: { 201: { description: 'The link, with its address.', schema: NewShareLinkBody } },
  errors: ['not_found', 'plan_limit_reached'],
})

const LIST = describe({
  operationId: 'listShareLinks',
  summary: 'The share links of an answer',
  description: 'Newest first, without their addresses; ended ones for 90 days.',
  params,
  answers: { 200: { description: 'The links.', schema: z.object({ data: z.array(ShareLinkBody) }) } },
  errors: ['not_found'],
})

const REVOKE = describe({
  operationId: 'revokeShareLink',
  summary: 'Revoke a share link',
  description: 'Its address answers 404 from now on. Revoking it again changes nothing.',
  params,
  answers: { 200: { description: 'The link, revoked.', schema: ShareLinkBody } },
  errors: ['not_found'],
})
