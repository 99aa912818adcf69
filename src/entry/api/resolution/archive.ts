import { z } from 'zod'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import { StoreFailure } from '../../../lib/blobs/blob-store.ts'
import { exportAnswer } from '../../../page-archive/index.ts'
import { readEvidencePack } from '../../../resolution/index.ts'
import { callerOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { describeRoute } from '../../http/route.ts'

export function archiveRoutes(app: App, server: Server): void {
  server.get('/v1/resolutions/:id/archive', ARCHIVE, async (request, reply) => {
    const { accountId, mode } = callerOf(request)
    const pack = await readEvidencePack(app, { resolutionId: request.params.id, accountId, mode, whyNot: null })
    if (!pack) throw new DomainError('not_found', 'There is no such answer. Its id is `resolution_id` of a resolution.')
    const file = await readArchive(app, pack.known.id)
    return reply
      .type('application/warc')
      .header('content-disposition', `attachment; filename="${pack.known.id}.warc.gz"`)
      .header('cache-control', 'private, no-store')
      .send(file)
  })
}

/** All of it at once, so that a store that is away is a refusal and not half a file. An answer quotes few pages. */
async function readArchive(app: App, resolutionId: string): Promise<Buffer> {
  try {
    const file = await exportAnswer(app, resolutionId)
    if (!file) throw new DomainError('not_found', NOTHING_KEPT)
    const pieces: Buffer[] = []
    for await (const piece of file) pieces.push(piece)
    return Buffer.concat(pieces)
  } catch (cause) {
    if (!(cause instanceof StoreFailure)) throw cause
    throw new DomainError('unavailable', 'The kept pages cannot be read at this moment. Try again later.', { cause })
  }
}

const NOTHING_KEPT =
  'No page of this answer is kept: it quotes none, or the time for which its pages are kept is over. The evidence pack has its quotes.'

const described = describeRoute({
  operationId: 'getArchive',
  summary: 'The pages that an answer quotes, as a WARC file',
  description:
    'The pages as they were received when the site was read: request, headers, network address, time and body, as a web archive ' +
    '(WARC 1.1, compressed) that viewers of archives replay. The hashes in the evidence are those of the bodies. How long pages ' +
    'are kept depends on the outcome and the plan. Free of charge, and with the same permission as the evidence pack. Test ' +
    'answers have no pages.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  params: z.object({ id: z.string().max(64) }),
  answers: {},
  errors: ['not_found', 'unavailable'],
})

const WARC = {
  description: 'The web archive.',
  content: { 'application/warc': { schema: z.string().meta({ format: 'binary' }) } },
}
const response: Record<number, unknown> = { ...described.schema.response, 200: WARC }
const ARCHIVE = { ...described, schema: { ...described.schema, response } }
