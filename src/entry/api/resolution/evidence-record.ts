/** Evidence records: made on request, and returned with everything that seals them. */
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import { type Bundle, getRecord, makeRecord, STAMP_STATES, sealRecord } from '../../../evidence/index.ts'
import { callerOf, originOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)

export const LogHeadBody = z
  .object({
    size: z.int().describe('Entries of the log.'),
    root: Hash.describe('Of the tree over all of them (RFC 9162), in hexadecimal.'),
    made_at: Time,
    checkpoint: z.string().describe('The same, signed: a checkpoint as transparency logs write it.'),
    time_stamp: z
      .string()
      .nullable()
      .describe('RFC 3161 token over the SHA-256 of `checkpoint`, DER in base64; null before an authority gave one.'),
  })
  .meta({ id: 'EvidenceLogHead' })

export const InclusionBody = z
  .object({
    index: z.int().describe('The position in the log, from 0.'),
    leaf_hash: Hash,
    inclusion: z.array(Hash).describe('The hashes that lead from the entry to the root, from the bottom up.'),
    head: LogHeadBody,
  })
  .meta({ id: 'EvidenceInclusion' })

const BundleBody = z
  .object({
    format: z.literal('nameplate-evidence-bundle/1'),
    id: z.string(),
    record: z
      .string()
      .describe('Canonical JSON (RFC 8785) as text. These very characters are signed: store them as they are.'),
    jws: z.string().describe('The signature: a JWS by Ed25519 without its payload, which is `record`.'),
    time_stamp: z.object({
      state: z
        .enum(STAMP_STATES)
        .describe('`pending`: the authority has not answered yet. `off`: the operator has none.'),
      token: z
        .string()
        .nullable()
        .describe('RFC 3161 token over the SHA-256 of `record`, a line feed and `jws`; DER in base64.'),
    }),
    log: InclusionBody,
    keys_url: z.string().describe('Every key that ever signed.'),
    verify_url: z.string().describe('A page that checks the bundle, for everyone.'),
  })
  .meta({ id: 'EvidenceBundle', description: 'An evidence record with all that proves it. Store the whole of it.' })

export function evidenceRecordRoutes(app: App, server: Server): void {
  server.post('/v1/resolutions/:id/evidence/record', MAKE, async (request, reply) => {
    const { accountId, mode, position } = callerOf(request)
    const [resolutionId, origin] = [request.params.id, originOf(request)]
    const made = await makeRecord(app, { resolutionId, accountId, mode, position, origin })
    if (!made) throw new DomainError('not_found', 'There is no such answer. Its id is `resolution_id` of a resolution.')
    const bundle: Bundle = await sealRecord(app, made.record)
    return reply.code(made.isNew ? 201 : 200).send(bundle)
  })

  server.get('/v1/evidence/:id', READ, async (request): Promise<Bundle> => {
    const { accountId, mode } = callerOf(request)
    return sealRecord(app, await getRecord(app, { id: request.params.id, accountId, mode }))
  })
}

const MAKE = describeRoute({
  operationId: 'makeEvidenceRecord',
  summary: 'The sealed evidence record of an answer',
  description:
    'Makes one record of the answer: question, answer, checklist, every quote, the pages with their hashes, the company as the ' +
    'register has it, the method and your own decision. It is signed, time-stamped and entered in the public log of hashes, and ' +
    'never changes. Asked again, the same content returns the same record; a new decision, or a change in the register, ' +
    'makes a new one. Free of charge. `/verify` checks the bundle, and so does `nameplate verify`.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  params: z.object({ id: z.string().max(64) }),
  answers: {
    200: { description: 'The record there is already.', schema: BundleBody },
    201: { description: 'The new record.', schema: BundleBody },
  },
  errors: ['not_found'],
})

const READ = describeRoute({
  operationId: 'getEvidenceRecord',
  summary: 'A sealed evidence record by its id',
  description:
    'The same bundle again, with the time stamp once there is one, and with a proof against the newest head of the log. Free of charge.',
  tag: 'Resolution',
  accepts: ['session', 'key'],
  params: z.object({ id: z.string().max(64) }),
  answers: { 200: { description: 'The bundle.', schema: BundleBody } },
  errors: ['not_found'],
})
