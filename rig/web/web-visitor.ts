/** A client for the tests of the simulated web: it dials loopback, and names the host as a browser would. */
import { Resolver } from 'node:dns/promises'
import { type Agent, type ClientRequest, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { type PeerCertificate, TLSSocket } from 'node:tls'
import { type ListeningWeb, type SimulatedSite, SimulatedWeb } from './index.ts'

export async function openSites(sites: Record<string, SimulatedSite>): Promise<ListeningWeb> {
  return (await SimulatedWeb.fromSites(sites)).listen()
}

export async function openWorld(folder: string): Promise<ListeningWeb> {
  return (await SimulatedWeb.fromWorld(folder)).listen()
}

export interface Visit {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
  /** Null over plain HTTP. */
  certificate: PeerCertificate | null
  /** The client's port, which identifies the connection. */
  localPort: number | undefined
}

export interface VisitOptions {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** False for a connection of its own. */
  agent?: Agent | false
  rejectUnauthorized?: boolean
}

export function visit(web: ListeningWeb, url: string, { body, ...options }: VisitOptions = {}): Promise<Visit> {
  const request = dial(web, url, options)
  return new Promise((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => {
      // A kept connection is handed back at the end, so its facts are read before.
      const { socket } = response
      const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate() : null
      const { localPort } = socket
      buffer(response).then((bytes) => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: bytes, text: bytes.toString('utf8'), certificate, localPort })
      }, reject)
    })
    request.end(body)
  })
}

/** For what `visit` does not wait out: the request begins and ends as its caller says. */
export function dial({ settings }: ListeningWeb, url: string, options: Omit<VisitOptions, 'body'>): ClientRequest {
  const { protocol, host } = new URL(url)
  const isHttps = protocol === 'https:'
  return (isHttps ? requestHttps : requestHttp)({
    ...options,
    host: '127.0.0.1',
    port: isHttps ? settings.httpsPort : settings.httpPort,
    // Not through URL, which would tidy up the paths that tests want to send.
    path: url.replace(/^\w+:\/\/[^/]*/, '') || '/',
    headers: { ...options.headers, host },
    ...(isHttps ? { servername: host, ca: settings.certificateAuthority } : {}),
  })
}

export function resolverOf({ settings }: ListeningWeb): Resolver {
  const resolver = new Resolver({ timeout: 300, tries: 1 })
  resolver.setServers([settings.dnsServer])
  return resolver
}
