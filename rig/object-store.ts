/**
 * A store with the API of S3, over real sockets: objects of one bucket in memory. As the real ones do, it checks the signature of
 * each request (AWS Signature Version 4) and the hash of its payload, and knows `If-None-Match: *`. It can refuse, hang up, or
 * take an object and not say so. It never reaches beyond loopback.
 */
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ObjectStoreConfig } from '../src/config.ts'

const KEYS = { accessKey: 'rig-access', secretKey: 'rig-secret-of-the-store' }
const BUCKET = 'pages'
const REGION = 'eu-west-2'
const BODY_BYTES_MAX = 16_000_000

/** `refuse`: 503. `hang_up`: the connection ends. `forget`: it does what is asked, and the connection ends. */
export type StoreTrouble = 'refuse' | 'hang_up' | 'forget' | null

export class SimulatedObjectStore {
  readonly objects = new Map<string, Buffer>()
  /** Status 0: no answer was sent. */
  readonly requests: Array<{ method: string; key: string; status: number }> = []
  trouble: StoreTrouble = null
  /** Damages the bodies of requests on their way. */
  isLineBad = false
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    return this
  }

  get config(): ObjectStoreConfig {
    const { port } = this.#server.address() as AddressInfo
    return { endpoint: new URL(`http://127.0.0.1:${port}`), region: REGION, bucket: BUCKET, ...KEYS }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request)
    const { method = '', url = '/' } = request
    const key = decodeURIComponent(new URL(url, 'http://store').pathname.slice(BUCKET.length + 2))
    const { trouble } = this
    if (trouble === 'hang_up') {
      this.requests.push({ method, key, status: 0 })
      request.socket.destroy()
      return
    }
    const reply = trouble === 'refuse' ? fault(503, 'SlowDown') : this.#handle(request, key, body)
    this.requests.push({ method, key, status: reply.status })
    if (trouble === 'forget') {
      request.socket.destroy()
      return
    }
    response.writeHead(reply.status, { 'content-type': 'application/xml', 'x-amz-request-id': 'rig' })
    response.end(reply.body)
  }

  #handle(request: IncomingMessage, key: string, sent: Buffer): Reply {
    const body = this.isLineBad && sent.length > 0 ? Buffer.concat([sent.subarray(1), Buffer.from('x')]) : sent
    const refusal = checkRequest(request, body)
    if (refusal) return refusal
    if (!(request.url ?? '').startsWith(`/${BUCKET}/`)) return fault(404, 'NoSuchBucket')
    const known = this.objects.get(key)
    const { method = '' } = request
    switch (method) {
      case 'PUT':
        if (known && request.headers['if-none-match'] === '*') return fault(412, 'PreconditionFailed')
        this.objects.set(key, body)
        return { status: 200, body: '' }
      case 'GET':
        return known ? { status: 200, body: known } : fault(404, 'NoSuchKey')
      case 'DELETE':
        this.objects.delete(key)
        return { status: 204, body: '' }
      default:
        return fault(405, 'MethodNotAllowed')
    }
  }
}

interface Reply {
  status: number
  body: Buffer | string
}

const fault = (status: number, code: string): Reply => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
})

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) request.destroy()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/

/** Null when the signature is ours and the payload is what was signed. */
function checkRequest(request: IncomingMessage, body: Buffer): Reply | null {
  const parts = AUTHORIZATION.exec(request.headers.authorization ?? '')
  if (!parts) return fault(403, 'AccessDenied')
  const [, accessKey, day = '', region = '', names = '', signature] = parts
  if (accessKey !== KEYS.accessKey || region !== REGION) return fault(403, 'InvalidAccessKeyId')
  const stated = String(request.headers['x-amz-content-sha256'])
  if (stated !== hash(body)) return fault(400, 'XAmzContentSHA256Mismatch')
  if (!names.split(';').includes('x-amz-content-sha256')) return fault(403, 'AccessDenied')
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://store')
  searchParams.sort()
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const canonical = [request.method, pathname, searchParams.toString(), headers.join(''), names, stated].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(Buffer.from(canonical))].join('\n')
  const dayKey = sign(`AWS4${KEYS.secretKey}`, day)
  const key = sign(sign(sign(dayKey, region), 's3'), 'aws4_request')
  return sign(key, text).toString('hex') === signature ? null : fault(403, 'SignatureDoesNotMatch')
}

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const sign = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
