/** A small internet for tests of the guarded client: a name server, sites by host, and certificates of every kind. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, isIPv4 } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { type Answer, decode, encode } from 'dns-packet'
import { type Authority, createAuthority } from './certificates.fixture.ts'
import type { SimulatedWeb } from './guarded-client.ts'

type NameAnswer = string[] | 'silent' | 'servfail'
/** What a name means; a function is told how often the name was asked for this type before. */
export type NameMeaning = NameAnswer | ((before: number) => NameAnswer) | { alias: string }

export interface SmallWeb extends AsyncDisposable {
  simulated: SimulatedWeb
  authority: Authority
  names: Map<string, NameMeaning>
  sites: Map<string, RequestListener>
  /** By host, when it shall not have an ordinary certificate. */
  certificates: Map<string, { key: string; cert: string }>
  /** Such as `A example.com`. */
  queries: string[]
  connections: number
}

export async function startSmallWeb(): Promise<SmallWeb> {
  const authority = await createAuthority()
  const names = new Map<string, NameMeaning>()
  const nameServer = await startNameServer(names)
  const sites = new Map<string, RequestListener>()
  const certificates = new Map<string, { key: string; cert: string }>()
  const serve: RequestListener = (request, response) => {
    const site = sites.get((request.headers.host ?? '').replace(/:\d+$/, ''))
    if (site) site(request, response)
    else response.writeHead(404).end('nobody is at home')
  }
  const contextFor = async (host: string): Promise<SecureContext> =>
    createSecureContext(certificates.get(host) ?? (await authority.certify({ names: [host] })))
  const http = await listen(createHttpServer(serve))
  const https = await listen(
    createHttpsServer(
      {
        ...(await authority.certify({ names: ['nobody.example'] })),
        SNICallback: (host, done) => void contextFor(host).then((context) => done(null, context), done),
      },
      serve,
    ),
  )
  const web: SmallWeb = {
    simulated: {
      dnsServer: `127.0.0.1:${nameServer.port}`,
      httpPort: portOf(http),
      httpsPort: portOf(https),
      certificateAuthority: authority.certificate,
    },
    authority,
    names,
    sites,
    certificates,
    queries: nameServer.queries,
    connections: 0,
    async [Symbol.asyncDispose]() {
      nameServer.close()
      for (const server of [http, https]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
  for (const server of [http, https]) server.on('connection', () => (web.connections += 1))
  return web
}

async function startNameServer(
  names: Map<string, NameMeaning>,
): Promise<{ port: number; queries: string[]; close: () => void }> {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (message, from) => {
    const query = decode(message)
    const question = query.questions?.[0]
    if (!question) return
    const { name, type } = question
    const before = queries.filter((past) => past === `${type} ${name}`).length
    queries.push(`${type} ${name}`)
    const { answers, code } = answer(names, name, { type, before })
    if (code === null) return
    socket.send(
      encode({ type: 'response', id: query.id ?? 0, flags: 0x81_80 | code, questions: [question], answers }),
      from.port,
      from.address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: socket.address().port, queries, close: () => socket.close() }
}

const SERVER_FAILED = 2
const NO_SUCH_NAME = 3

function answer(
  names: Map<string, NameMeaning>,
  name: string,
  asked: { type: string; before: number },
): { answers: Answer[]; code: number | null } {
  const meaning = names.get(name)
  if (meaning === undefined) return { answers: [], code: NO_SUCH_NAME }
  if (typeof meaning === 'object' && 'alias' in meaning) {
    const rest = answer(names, meaning.alias, asked)
    return { ...rest, answers: [{ type: 'CNAME', name, data: meaning.alias }, ...rest.answers] }
  }
  const now = typeof meaning === 'function' ? meaning(asked.before) : meaning
  if (now === 'silent') return { answers: [], code: null }
  if (now === 'servfail') return { answers: [], code: SERVER_FAILED }
  const fitting = now.filter((address) => isIPv4(address) === (asked.type === 'A'))
  const type = asked.type === 'A' ? 'A' : 'AAAA'
  return { answers: fitting.map((data) => ({ type, name, ttl: 0, data })), code: 0 }
}

async function listen<S extends Server>(server: S): Promise<S> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
