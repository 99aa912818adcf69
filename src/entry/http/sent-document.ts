import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A PDF that is passed on as it comes. */
interface PassedDocument {
  fileName: string
  bytes: number | null
  body: Readable
}

interface DocumentManner {
  /** `inline` in a browser's own viewer. */
  disposition: 'inline' | 'attachment'
  policy: string
}

/** Sends a document that others wrote: no script of it runs, and no cache keeps it. */
export function sendDocument(
  reply: FastifyReply,
  { fileName, bytes, body }: PassedDocument,
  { disposition, policy }: DocumentManner,
): FastifyReply {
  if (bytes !== null) void reply.header('content-length', String(bytes))
  return reply
    .type('application/pdf')
    .header('content-disposition', `${disposition}; filename="${fileName}"`)
    .header('content-security-policy', policy)
    .header('cache-control', 'private, no-store')
    .send(body)
}
