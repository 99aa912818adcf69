import { BlockList, isIP, isIPv4 } from 'node:net'
import { GuardError } from './guard-error.ts'

/** Ranges that are not the public internet, or are but lead into a cloud's machinery. */
export const FORBIDDEN_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // shared by carriers; Alibaba's metadata
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's wire server, in a public range
  '169.254.0.0/16', // metadata of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24', // Oracle's metadata
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** IPv6 is the other way round: only this is handed out, so every form that embeds an IPv4 address is outside of it. */
export const GLOBAL_IPV6 = '2000::/3'
export const FORBIDDEN_IPV6_INSIDE = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const forbiddenIpv4 = rangesOf('ipv4', FORBIDDEN_IPV4)
const globalIpv6 = rangesOf('ipv6', [GLOBAL_IPV6])
const forbiddenIpv6 = rangesOf('ipv6', FORBIDDEN_IPV6_INSIDE)

/** True for an address that anyone on the internet could reach. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !forbiddenIpv4.check(address, 'ipv4')
  // A zone (fe80::1%eth0) only has a meaning on this machine.
  if (isIP(address) !== 6 || address.includes('%')) return false
  return globalIpv6.check(address, 'ipv6') && !forbiddenIpv6.check(address, 'ipv6')
}

interface UrlRules {
  /** With or without the colon. */
  schemes: readonly string[]
  ports: readonly number[]
  deniedHosts: ReadonlySet<string>
}

const URL_LENGTH_MAX = 2_048
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

/**
 * The address as it will be asked, without fragment and without the dot at the end of the name. Everything that can be
 * refused without asking anyone is refused here. With a base, as in a redirect, the input may be relative to it.
 */
export function checkUrl(input: string | URL, rules: UrlRules, base?: URL): URL {
  const url = parseUrl(typeof input === 'string' ? input : input.href, base)
  if (!rules.schemes.some((scheme) => url.protocol === `${scheme.replace(/:$/, '')}:`)) throw blocked('scheme')
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port)
  if (port === undefined) throw blocked('scheme')
  if (url.username !== '' || url.password !== '') throw blocked('userinfo')
  if (!rules.ports.includes(port)) throw blocked('port')
  const host = checkHost(hostOf(url), rules.deniedHosts)
  // The parser made sure of brackets and ASCII, so only the dot at the end can still differ.
  if (isIP(host) === 0) url.hostname = host
  url.hash = ''
  return url
}

function parseUrl(text: string, base: URL | undefined): URL {
  // The parser would drop or replace these silently, and another parser would not.
  // oxlint-disable-next-line eslint/no-control-regex
  if (text.length > URL_LENGTH_MAX || /[\u0000-\u0020\u007f-\u00a0\\]/.test(text)) throw blocked('syntax')
  const url = URL.parse(text, base?.href)
  if (url === null) throw blocked('syntax')
  return url
}

/** The name or address in a URL, without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Names that mean something inside a network, or nothing at all. The public root has none of these as its own. */
const INTERNAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'mail',
  'localnet',
  'workgroup',
  'default',
  'svc',
  'consul',
  'invalid',
  'onion',
  'arpa',
]
/** Clouds' metadata under names of the public root. */
const METADATA_HOSTS = new Set([
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'api.metadata.cloud.ibm.com',
  'metadata.ovh.net',
  'metadata.aliyuncs.com',
])
const NAME_LENGTH_MAX = 253
const LABEL = /^[a-z0-9_-]{1,63}$/
const TOP_LABEL = /^([a-z]+|xn--[a-z0-9-]+)$/

/** The host in its plain form: a public address, or a name that may be looked up. */
export function checkHost(input: string, deniedHosts: ReadonlySet<string>): string {
  const host = input.toLowerCase().replace(/\.$/, '')
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) throw blocked('address')
    if (deniedHosts.has(host)) throw blocked('host')
    return host
  }
  const labels = host.split('.')
  const top = labels.at(-1) ?? ''
  const isName = host.length <= NAME_LENGTH_MAX && labels.length > 1 && labels.every((label) => LABEL.test(label))
  if (!isName || !TOP_LABEL.test(top) || INTERNAL_SUFFIXES.includes(top)) throw blocked('host')
  if (METADATA_HOSTS.has(host) || deniedHosts.has(host)) throw blocked('host')
  return host
}

function blocked(what: 'syntax' | 'scheme' | 'userinfo' | 'port' | 'host' | 'address'): GuardError {
  return new GuardError('blocked', what)
}

function rangesOf(family: 'ipv4' | 'ipv6', ranges: string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}
