import type { FastifyReply, FastifyRequest } from 'fastify'

const WAIT_SECONDS_MAX = 55

/**
 * `Prefer: wait=20` (RFC 7240): how long the caller wants to wait, in seconds. A longer wait than we keep a request is
 * shortened, one that cannot be read is ignored, and `Preference-Applied` says what was done.
 */
export function readWait(request: FastifyRequest, reply: FastifyReply): number {
  const wait = /(?:^|[,;\s])wait\s*=\s*"?([^",;\s]*)"?/i.exec(String(request.headers['prefer'] ?? ''))?.[1]
  if (wait === undefined || !/^\d+$/.test(wait)) return 0
  const seconds = Math.min(Number(wait), WAIT_SECONDS_MAX)
  void reply.header('preference-applied', `wait=${seconds}`)
  return seconds
}
