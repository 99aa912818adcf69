/** The public side of evidence records: keys, heads of the log, and proofs. They hold hashes, and no content of any record. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { DomainError } from '../../../errors.ts'
import {
  KEYS_PATH,
  listHeads,
  presentHead,
  proveConsistency,
  proveInclusion,
  readPublishedKeys,
  readSize,
} from '../../../evidence/index.ts'
import { admitAddress } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'
import { InclusionBody, LogHeadBody } from './evidence-record.ts'

const LOG_LIMIT = { name: 'evidence-log', burst: 60, perSecond: 5 }
const HEADS_MAX = 100

const KeysBody = z
  .object({
    issuer: z.string(),
    log_origin: z.string().describe('The first line of every checkpoint.'),
    keys: z.array(
      z.object({
        kid: z.string(),
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
        active_from: Time,
        active_until: Time.nullable().describe('Null for the one that signs now.'),
      }),
    ),
    time_stamp_authorities: z
      .array(z.string())
      .describe('Certificates of the authorities that are trusted, DER in base64.'),
    document_certificates: z
      .array(z.string())
      .describe('Every certificate that ever signed documents (PDF), newest first; DER in base64.'),
  })
  .meta({ id: 'EvidenceKeys', description: 'A JSON Web Key Set (RFC 7517) of every key that ever signed.' })

/** The address that bundles name, on both hosts. */
export function evidenceKeysRoutes(app: App, server: Server): void {
  server.get(KEYS_PATH, async (request, reply) => readKeys(app, request, reply))
}

async function readKeys(app: App, request: FastifyRequest, reply: FastifyReply) {
  await admitAddress(app, request, reply, LOG_LIMIT)
  void reply.header('cache-control', 'public, max-age=60').header('access-control-allow-origin', '*')
  return readPublishedKeys(app)
}

export function evidenceLogRoutes(app: App, server: Server): void {
  server.get('/v1/evidence/keys', KEYS, async (request, reply) => readKeys(app, request, reply))

  server.get('/v1/evidence/log/heads', HEADS, async (request, reply) => {
    await admitAddress(app, request, reply, LOG_LIMIT)
    const { before_size: before = null, limit } = request.query
    const heads = await listHeads(app.db, { before, limit: limit + 1 })
    const data = heads.slice(0, limit).map(presentHead)
    return { data, entries: await readSize(app.db), has_more: heads.length > limit }
  })

  server.get('/v1/evidence/log/inclusion', INCLUSION, async (request, reply) => {
    await admitAddress(app, request, reply, LOG_LIMIT)
    const proof = await proveInclusion(app, request.query.record_id)
    if (!proof) throw new DomainError('not_found', 'The log has no record with this id. Such an id begins with `evd_`.')
    return proof
  })

  server.get('/v1/evidence/log/consistency', CONSISTENCY, async (request, reply) => {
    await admitAddress(app, request, reply, LOG_LIMIT)
    const { first_size: first, second_size: second } = request.query
    return { first_size: first, second_size: second, consistency: await proveConsistency(app.db, { first, second }) }
  })
}

const KEYS = describeRoute({
  operationId: 'getEvidenceKeys',
  summary: 'The keys that sign evidence records',
  description:
    'All keys of all times; none is ever removed. With them, a bundle can be checked without asking us. The same keys are at ' +
    '`/.well-known/nameplate-evidence-keys.json`.',
  tag: 'Resolution',
  answers: { 200: { description: 'The keys.', schema: KeysBody } },
  errors: ['rate_limited'],
})

const size = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

const HEADS = describeRoute({
  operationId: 'listEvidenceLogHeads',
  summary: 'Published heads of the log of evidence records',
  description: 'Newest first; one is published every day on which a record was added.',
  tag: 'Resolution',
  querystring: z.object({
    before_size: size.optional().describe('Only heads of fewer entries, for the next page.'),
    limit: z.coerce.number().int().min(1).max(HEADS_MAX).default(20),
  }),
  answers: {
    200: {
      description: 'The heads.',
      schema: z
        .object({
          data: z.array(LogHeadBody),
          entries: z.int().describe('Entries of the log now. Those after the newest head are in the next one.'),
          has_more: z.boolean(),
        })
        .meta({ id: 'EvidenceLogHeads' }),
    },
  },
  errors: ['rate_limited'],
})

const INCLUSION = describeRoute({
  operationId: 'proveEvidenceInclusion',
  summary: 'Proof that a record is in the log',
  tag: 'Resolution',
  querystring: z.object({ record_id: z.string().max(64) }),
  answers: { 200: { description: 'The proof.', schema: InclusionBody } },
  errors: ['not_found', 'rate_limited'],
})

const CONSISTENCY = describeRoute({
  operationId: 'proveEvidenceConsistency',
  summary: 'Proof that the log only grew between two sizes',
  description:
    'As RFC 9162 defines it: with it, the roots of both sizes show that no earlier entry was changed or removed.',
  tag: 'Resolution',
  querystring: z.object({ first_size: size, second_size: size }),
  answers: {
    200: {
      description: 'The proof.',
      schema: z
        .object({
          first_size: z.int(),
          second_size: z.int(),
          consistency: z.array(z.string()).describe('The hashes of the proof, in hexadecimal.'),
        })
        .meta({ id: 'EvidenceConsistency' }),
    },
  },
  errors: ['rate_limited'],
})
