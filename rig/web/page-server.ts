/** The web servers of all sites at once: one port for HTTP, one for HTTPS, and the name decides who answers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Authority } from '../../src/lib/web/certificates.fixture.ts'
import { type Answer, answerRequest, type Scheme } from './answer.ts'
import { issue } from './certificates.ts'
import { hangUp, waitWhileOpen } from './connection-trouble.ts'
import { takeDelivery } from './receiver-server.ts'
import { type Site, type Sites, toHost } from './site.ts'
import type { WebStats } from './stats.ts'

const KEEP_ALIVE_MS = 60_000
const GZIP_BYTES_MIN = 256
const COMPRESSIBLE = /^text\/|[/+](?:xml|json)\b/
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/

export interface PageServerOptions {
  sites: Sites
  stats: WebStats
  port: number
}

export interface PageServer {
  port: number
  close(): Promise<void>
}

export function listenForHttp(options: PageServerOptions): Promise<PageServer> {
  const server = createServer((request, response) => void serve(options, 'http', request, response))
  return listen(server, options)
}

export function listenForHttps(options: PageServerOptions, authority: Authority): Promise<PageServer> {
  const chooseCertificate = certificateChooser(options.sites, authority)
  const server = createTlsServer({ SNICallback: chooseCertificate }, (request, response) => {
    void serve(options, 'https', request, response)
  })
  return listen(server, options)
}

async function listen(server: Server, { stats, port }: PageServerOptions): Promise<PageServer> {
  // Also those that are still shaking hands, of which the server itself keeps no list.
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    stats.connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return { port: (server.address() as AddressInfo).port, close }
}

type ChooseCertificate = (name: string, done: (error: Error | null, context?: SecureContext) => void) => void

/** An error ends the connection in the middle of the handshake; saying nothing leaves the client waiting. */
function certificateChooser(sites: Sites, authority: Authority): ChooseCertificate {
  const contexts = new WeakMap<Site, Promise<SecureContext>>()
  const shared = new Map<string, Promise<SecureContext>>()

  function sharedContext(names: readonly string[]): Promise<SecureContext> {
    const key = names.join()
    const context = shared.get(key) ?? issue(authority, { subject: { CN: names[0] }, names: [...names] })
    shared.set(key, context)
    return context
  }

  function contextOf(site: Site): Promise<SecureContext> {
    const known = site.sharedNames ? sharedContext(site.sharedNames) : contexts.get(site)
    if (known) return known
    const { https, certificate } = site.settings
    const host = https === 'bad_certificate' ? 'somebody-else.example' : site.host
    const subject = https === 'bad_certificate' ? { CN: host } : (certificate ?? { CN: host })
    const context = issue(authority, { subject, names: [host, `www.${host}`] })
    contexts.set(site, context)
    return context
  }

  return (name, done) => {
    const site = sites.find(toHost(name))?.site
    const mode = site?.settings.https
    if (mode === 'hang') return
    if (!site || mode === 'refused' || mode === 'reset') {
      done(new Error(`${name} takes no connections`))
      return
    }
    contextOf(site).then((context) => done(null, context), done)
  }
}

async function serve(
  { sites, stats }: PageServerOptions,
  scheme: Scheme,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A client that hangs up is none of the server's business.
  response.on('error', () => {})
  stats.requests += 1
  const name = toHost((request.headers.host ?? '').replace(/:\d+$/, ''))
  const found = sites.find(name)
  if (!found) {
    response.writeHead(421, { 'content-type': 'text/plain' }).end(`There is no site ${name} here.\n`)
    return
  }
  const { host, settings, receiver, serve: serveItself } = found.site
  stats.begin(host)
  response.once('close', () => stats.end(host))
  const mode = settings[scheme]
  if (mode === 'hang') return
  if (mode === 'reset' || mode === 'refused') {
    hangUp(request, mode)
    return
  }
  try {
    if (serveItself) return serveItself(request, response)
    const { method = 'GET', url: target = '/' } = request
    if (receiver && method === 'POST') return await takeDelivery(receiver, request, response)
    const answer = await answerRequest(found, { scheme, name, method, target })
    if (answer.delayMs > 0) await waitWhileOpen(response, answer.delayMs)
    send(request, response, answer)
  } catch (cause) {
    failLoudly(response, cause)
  }
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, content }: Answer): void {
  const isCompressible =
    content.bytes.length >= GZIP_BYTES_MIN &&
    headers['content-encoding'] === undefined &&
    COMPRESSIBLE.test(String(headers['content-type'] ?? ''))
  const isGzipped = isCompressible && ACCEPTS_GZIP.test(request.headers['accept-encoding'] ?? '')
  const bytes = isGzipped ? content.gzipped() : content.bytes
  response.writeHead(status, {
    'content-length': bytes.length,
    ...(isCompressible ? { vary: 'accept-encoding' } : {}),
    ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

/** A mistake in the simulator must not look like a fault of the site: the text says what it is. */
function failLoudly(response: ServerResponse, cause: unknown): void {
  if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
  response.end(`The simulator is broken: ${cause instanceof Error ? cause.stack : String(cause)}`)
}
