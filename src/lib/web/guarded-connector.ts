import { BlockList, isIP, isIPv4, type LookupFunction, type Socket } from 'node:net'
import { checkServerIdentity, createSecureContext, type PeerCertificate, type SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { isPublicAddress } from './address-guard.ts'
import { type CertificateIdentity, readCertificateIdentity } from './certificate-identity.ts'
import { GuardError } from './guard-error.ts'

/**
 * The internet, played on this machine. Names are asked of `dnsServer`, which answers with public addresses, and every
 * check stays in force; only dialling ends at these ports of the loopback instead of at the checked address.
 */
export interface SimulatedWeb {
  /** Such as `127.0.0.1:4053`. */
  dnsServer: string
  httpPort: number
  httpsPort: number
  /** PEM text. In the simulated web, no other authority is trusted. */
  certificateAuthority: string
}

export interface Connected {
  /** The checked address, in the simulated web too. */
  address: string
  certificate: CertificateIdentity | null
}

const CONNECT_TIMEOUT_MS = 5_000

/** Dials nothing but addresses that were looked up and checked before: `pinnedAddresses` knows them by host. */
export function createGuardedConnector(options: {
  simulated: SimulatedWeb | null
  trust: SecureContext
  pinnedAddresses: (host: string) => readonly string[] | undefined
  onConnected: (origin: string, connected: Connected) => void
}): buildConnector.connector {
  const { simulated, trust } = options
  return (target, callback) => {
    const host = target.hostname
    const addresses = options.pinnedAddresses(host) ?? []
    // A literal address never passes a lookup, so it is tested here as well.
    const isChecked = addresses.length > 0 && addresses.every(isPublicAddress)
    if (!isChecked || (isIP(host) !== 0 && !isPublicAddress(host))) {
      callback(new GuardError('blocked', 'address'), null)
      return
    }
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    const peer = simulated ? simulatedPeer(simulated, port) : { hostname: host, port }
    if (!peer) {
      callback(new GuardError('refused', 'ECONNREFUSED'), null)
      return
    }
    let shown: PeerCertificate | null = null
    const dial = buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      allowH2: false,
      // A resumed session would skip the check of the certificate's name.
      maxCachedSessions: 0,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      checkServerIdentity: (_, certificate) => {
        shown = certificate
        return checkServerIdentity(host, certificate)
      },
      secureContext: trust,
      lookup: answering(addresses),
    })
    const dialled: buildConnector.Options = { protocol: target.protocol, hostname: peer.hostname, port: `${peer.port}` }
    if (target.protocol === 'https:' && isIP(host) === 0) dialled.servername = host
    dial(dialled, (error, socket) => {
      if (error) return callback(error, null)
      const address = simulated ? addresses[0] : findRemoteAddress(socket, addresses)
      if (address === undefined) {
        socket.destroy()
        return callback(new GuardError('blocked', 'address'), null)
      }
      const certificate = shown && readCertificateIdentity(host, shown)
      options.onConnected(`${target.protocol}//${target.host}`, { address, certificate })
      callback(null, socket)
    })
  }
}

/** Returns null for other ports, which the simulated web does not serve. */
function simulatedPeer(simulated: SimulatedWeb, port: number): { hostname: string; port: number } | null {
  if (port === 80) return { hostname: '127.0.0.1', port: simulated.httpPort }
  if (port === 443) return { hostname: '127.0.0.1', port: simulated.httpsPort }
  return null
}

/** Node asks this instead of the machine. It gets all addresses, so that it may try the next when one does not answer. */
function answering(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }))
  return (_, { all: wantsAll }, callback) => {
    const first = all[0]
    if (wantsAll) callback(null, all)
    else if (first) callback(null, first.address, first.family)
  }
}

/** Where the socket really ended. The same address may be written in two ways, so text is not compared. */
function findRemoteAddress(socket: Socket, pinned: readonly string[]): string | undefined {
  const { remoteAddress } = socket
  if (remoteAddress === undefined || !isPublicAddress(remoteAddress)) return undefined
  const list = new BlockList()
  for (const address of pinned) list.addAddress(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  return list.check(remoteAddress, isIPv4(remoteAddress) ? 'ipv4' : 'ipv6') ? remoteAddress : undefined
}

/** Reads the trusted authorities, which is the expensive part of a dial, so one context serves all sessions of a client. */
export function createTrust(simulated: SimulatedWeb | null): SecureContext {
  return createSecureContext({ minVersion: 'TLSv1.2', ...(simulated ? { ca: simulated.certificateAuthority } : {}) })
}
