/** The keys that sign evidence records, for everyone. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../app.ts'
import { KEYS_PATH, readPublishedKeys } from '../../../evidence/index.ts'
import { admitAddress } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { Time } from '../../http/page.ts'
import { describeRoute } from '../../http/route.ts'

const KEYS_LIMIT = { name: 'evidence-keys', burst: 60, perSecond: 5 }

const KeysBody = z
  .object({
    issuer: z.string(),
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
export function wellKnownKeysRoutes(app: App, server: Server): void {
  server.get(KEYS_PATH, async (request, reply) => readKeys(app, request, reply))
}

async function readKeys(app: App, request: FastifyRequest, reply: FastifyReply) {
  await admitAddress(app, request, reply, KEYS_LIMIT)
  void reply.header('cache-control', 'public, max-age=60').header('access-control-allow-origin', '*')
  return readPublishedKeys(app)
}

export function evidenceKeysRoutes(app: App, server: Server): void {
  server.get('/v1/evidence/keys', KEYS, async (request, reply) => readKeys(app, request, reply))
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
