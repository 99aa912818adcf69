import { z } from 'zod'
import { recordAudit } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import { StoreFailure } from '../../../lib/blobs/blob-store.ts'
import { pageStoreFailures } from '../../../lib/metrics.ts'
import { BodyDamage, exportAnswer } from '../../../page-archive/index.ts'
import { readEvidencePack } from '../../../resolution/index.ts'
import { callerOf, originOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { BINARY_FILE, describeRoute, withFile } from '../../http/route.ts'

export function archiveRoutes(app: App, server: Server): void {
  server.get('/v1/resolutions/:id/archive', ARCHIVE, async (request, reply) => {
    const { accountId, mode } = callerOf(request)
    const pack = await readEvidencePack(app, { resolutionId: request.params.id, accountId, mode, whyNot: null })
    if (!pack) throw new DomainError('not_found', 'There is no such answer. Its id is `resolution_id` of a resolution.')
    const file = await readArchive(app, pack.known.id)
    const details = { resolution_id: pack.known.id }
    const by = { accountId, mode, origin: originOf(request) }
    await recordAudit(app.db, { at: app.clock.now(), ...by, action: 'pages_exported', details })
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
    if (cause instanceof BodyDamage) {
      app.log.error({ event: 'page_archive.body_damaged', error: cause })
      throw new DomainError('unavailable', DAMAGED, { cause })
    }
    if (!(cause instanceof StoreFailure)) throw cause
    pageStoreFailures.inc()
    throw new DomainError('unavailable', 'The kept pages cannot be read at this moment. Try again later.', { cause })
  }
}

const DAMAGED =
  'A kept page is missing or damaged, and the log of the service says which. The evidence pack has its quotes and hashes. Try again later.'

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

const ARCHIVE = withFile(described, { 'application/warc': BINARY_FILE }, 'The web archive.')
