/** DNS over UDP: what the world's sites say about their own names, and NXDOMAIN for all others. */
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Packet, RECURSION_AVAILABLE } from 'dns-packet'
import { type Sites, toHost } from './site.ts'

const TTL_SECONDS = 60
const NXDOMAIN = 3

export async function listenForNames(sites: Sites, port: number): Promise<{ port: number; close(): Promise<void> }> {
  const socket = createSocket('udp4')
  socket.on('message', (message, { address, port }) => {
    const reply = answerQuery(sites, message)
    // The client may be gone by now; a lost datagram is all it can see.
    if (reply) socket.send(reply, port, address, () => {})
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, '127.0.0.1', resolve)
  })
  const close = () => new Promise<void>((resolve) => socket.close(resolve))
  return { port: socket.address().port, close }
}

/** Null for silence: to what is no query, and for names whose server does not answer. */
function answerQuery(sites: Sites, message: Buffer): Buffer | null {
  const query = parseQuery(message)
  const question = query?.questions?.[0]
  if (!query || !question) return null
  const site = sites.find(toHost(question.name))?.site
  const { dns = 'nxdomain' } = site?.settings ?? {}
  if (dns === 'timeout') return null
  const addresses = (dns === 'ok' && site?.addresses) || []
  const answers = addresses
    .filter((address) => question.type === (isIPv6(address) ? 'AAAA' : 'A'))
    .map((data) => ({ type: question.type, name: question.name, ttl: TTL_SECONDS, data }) as Answer)
  return encode({
    type: 'response',
    ...(query.id === undefined ? {} : { id: query.id }),
    flags: (query.flags ?? 0) | AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | (dns === 'nxdomain' ? NXDOMAIN : 0),
    questions: [question],
    answers,
  })
}

function parseQuery(message: Buffer): Packet | null {
  try {
    const packet = decode(message)
    return packet.type === 'query' ? packet : null
  } catch {
    return null
  }
}
