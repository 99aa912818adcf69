/** Serves planned sites from raw sockets, byte by byte as they are planned: nothing of it is a web server. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, createServer as createTlsServer, type SecureContext } from 'node:tls'
import { decode, encode } from 'dns-packet'
import { createAuthority } from '../../../src/lib/web/certificates.fixture.ts'
import type { SimulatedWeb } from '../../../src/lib/web/guarded-client.ts'
import type { Certificate, PlannedAnswer, PlannedSite } from './planned-site.ts'

/** Anyone may have a name below it, and each is a registrable domain. */
export const SUFFIX = 'github.io'

export interface HostileWeb {
  settings: SimulatedWeb
  close(): void
}

type Find = (host: string) => PlannedSite | null

export async function startHostileWeb(find: Find): Promise<HostileWeb> {
  const authority = await createAuthority()
  const contexts = await makeContexts(authority)
  const sockets = new Set<Socket>()
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    let received = ''
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1')
      for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
        const head = received.slice(0, end)
        received = received.slice(end + 4)
        const site = find(/\r\nhost: ([^\r:]+)/i.exec(head)?.[1] ?? '')
        if (site) send(socket, site.answer(/^\w+ (\S+)/.exec(head)?.[1] ?? '/'))
        else socket.destroy()
      }
    })
  }
  const http = await listen(createServer(serve))
  const tls = createTlsServer(
    {
      ...(await authority.certify({ names: [`*.${SUFFIX}`] })),
      SNICallback: (host, done) => done(null, contexts.get(find(host)?.certificate ?? 'good')),
    },
    serve,
  )
  tls.on('tlsClientError', () => {})
  // Some answer in plain text where TLS was meant: the first bytes decide nothing, so it is a matter of chance.
  const https = await listen(tls)
  const names = createSocket('udp4')
  names.on('message', (message, from) => {
    const query = decode(message)
    const [question] = query.questions ?? []
    const meaning = question ? (find(question.name)?.names ?? 'none') : 'silent'
    if (!question || meaning === 'silent') return
    const code = meaning === 'failing' ? 2 : meaning === 'none' ? 3 : 0
    const data = meaning === 'private' ? '10.0.0.7' : '45.7.7.7'
    const answers =
      code === 0 && question.type === 'A' ? [{ type: 'A' as const, name: question.name, ttl: 0, data }] : []
    names.send(
      encode({ type: 'response', id: query.id ?? 0, flags: 0x81_80 | code, questions: [question], answers }),
      from.port,
      from.address,
    )
  })
  names.bind(0, '127.0.0.1')
  await once(names, 'listening')
  return {
    settings: {
      dnsServer: `127.0.0.1:${names.address().port}`,
      httpPort: (http.address() as AddressInfo).port,
      httpsPort: (https.address() as AddressInfo).port,
      certificateAuthority: authority.certificate,
    },
    close: () => {
      names.close()
      for (const server of [http, https]) server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function makeContexts(
  authority: Awaited<ReturnType<typeof createAuthority>>,
): Promise<Map<Certificate, SecureContext>> {
  const names = [`*.${SUFFIX}`]
  const long = ['\u{e0041}Ltd\u202e'.repeat(2_000)]
  const made: Array<[Certificate, Awaited<ReturnType<typeof authority.certify>>]> = [
    ['good', await authority.certify({ names })],
    ['wrong name', await authority.certify({ names: ['elsewhere.example'] })],
    ['self-signed', await authority.certify({ names, isSelfSigned: true })],
    ['expired', await authority.certify({ names, validTo: new Date(Date.now() - 1_000) })],
    ['long fields', await authority.certify({ names, subject: [{ CN: names }, { O: long }, { OU: long }] })],
  ]
  return new Map(made.map(([kind, pair]) => [kind, createSecureContext(pair)]))
}

const DRIP_MS = 400
const DRIPS_MAX = 60
const ENDLESS_BYTES = 65_536
const ENDLESS_MAX = 400

function send(socket: Socket, { wire, status, headers, body }: PlannedAnswer): void {
  const hasLength = headers.some((header) => /^(?:content-length|transfer-encoding|connection):/i.test(header))
  const length = wire === 'endless' ? [] : [`Content-Length: ${body.length}`]
  const head = [`HTTP/1.1 ${status}`, ...headers, ...(hasLength ? [] : length), '', ''].join('\r\n')
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), body])
  switch (wire) {
    case 'whole':
      socket.write(bytes)
      // Without a length, only the end of the connection says that this was all.
      if (hasLength) socket.end()
      return
    case 'pieces':
      for (let at = 0; at < Math.min(bytes.length, 4_000); at += 97) socket.write(bytes.subarray(at, at + 97))
      socket.end(bytes.subarray(4_074))
      return
    case 'cut short':
      socket.end(bytes.subarray(0, Math.floor(bytes.length / 2)))
      return
    case 'reset':
      socket.write(bytes.subarray(0, 40), () => socket.destroy())
      return
    case 'slow':
      return drip(socket, bytes, 0)
    case 'endless':
      socket.write(bytes)
      return pour(socket, 0)
    case 'silent':
      return
    case 'junk before':
      socket.end(Buffer.concat([Buffer.from('\u0000\r\nSSH-2.0-x\r\n'), bytes]))
      return
    case 'junk after':
      socket.end(Buffer.concat([bytes, Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\nsmuggled')]))
  }
}

function drip(socket: Socket, bytes: Buffer, at: number): void {
  if (socket.destroyed || at >= DRIPS_MAX) return
  socket.write(bytes.subarray(at, at + 1))
  setTimeout(() => drip(socket, bytes, at + 1), DRIP_MS).unref()
}

function pour(socket: Socket, times: number): void {
  if (socket.destroyed || times >= ENDLESS_MAX) return void socket.end()
  if (socket.write(Buffer.alloc(ENDLESS_BYTES, '<p>Alder Ltd '))) setImmediate(() => pour(socket, times + 1))
  else socket.once('drain', () => pour(socket, times + 1))
}

async function listen<Listener extends Server>(server: Listener): Promise<Listener> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
