import { brotliCompressSync, constants } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { lazy } from '../../lib/lazy.ts'

/** A file that is held in memory, and compressed when it is first sent. */
export interface SentFile {
  type: string
  body: Buffer
  /** Null for a kind that is compressed already. */
  brotli: (() => Buffer) | null
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
}

const COMPRESSED = new Set(['.woff2', '.jpg', '.webp'])

export function toSentFile(extension: string, body: Buffer): SentFile {
  const type = TYPES[extension] ?? 'application/octet-stream'
  return { type, body, brotli: COMPRESSED.has(extension) ? null : lazy(() => compress(body)) }
}

/** The last few per cent would take a hundred times as long. */
const QUALITY = 6

function compress(body: Buffer): Buffer {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
}

export function sendFile(request: FastifyRequest, reply: FastifyReply, { type, body, brotli }: SentFile): FastifyReply {
  void reply.type(type).header('vary', 'Accept-Encoding')
  const takesBrotli = brotli !== null && /(^|[,\s])br([,;\s]|$)/.test(request.headers['accept-encoding'] ?? '')
  return takesBrotli ? reply.header('content-encoding', 'br').send(brotli()) : reply.send(body)
}
