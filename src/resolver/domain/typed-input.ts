/**
 * Splits what a person typed into parts, finds the domain in it, and removes what may be secret: user names, passwords,
 * queries and fragments. People paste addresses with all of these, and stored input is shown to others. Pure.
 */
import { domainToASCII } from 'node:url'
import { DomainError } from '../../errors.ts'
import { readRegistrable, type SharedKind, sharedKindOf } from './registrable.ts'

declare const scrubbed: unique symbol

/** Text that may be stored and shown. Only this file creates it, so that no other text can be stored as typed input. */
export type TypedInput = string & { readonly [scrubbed]: true }

export interface TypedParts {
  /** `https://`, `//` or `mailto:`, as typed. */
  scheme: string
  /** The text before the @; null if there is none. */
  user: string | null
  /** Includes the port. */
  host: string
  /** Without query and fragment. */
  path: string
  isEmail: boolean
}

const STORED_CHARACTERS_MAX = 2_048
// Full-width forms too: domain name rules treat them like the plain characters.
const AUTHORITY_END = /[/\\?#？﹖＃﹟]/u
const QUERY_START = /[?#？﹖＃﹟]/u
const ENCODED_QUERY_START = /[?#？﹖＃﹟]|%3f|%23/iu
const AT_SIGNS = ['@', '＠', '﹫']
const ENCODED_AT_SIGNS = [...AT_SIGNS, '%40']

export function splitTyped(pasted: string): TypedParts {
  const text = unwrap(pasted)
  const scheme = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}|^mailto:/i.exec(text)?.[0] ?? ''
  const rest = text.slice(scheme.length)
  const authority = cutAt(rest, AUTHORITY_END)
  const at = endOfLast(authority, AT_SIGNS)
  const user = at === 0 ? null : authority.slice(0, at - 1)
  const path = cutAt(rest.slice(authority.length), QUERY_START)
  const isEmail = user !== null && /^[^:@＠﹫]+$/u.test(user) && path === '' && /^(?:mailto:)?$/i.test(scheme)
  return { scheme, user, host: authority.slice(at), path, isEmail }
}

/** Removes user name, password, query and fragment. An e-mail address stays whole. */
export function scrubAddress(pasted: string): TypedInput {
  const { scheme, user, host, path, isEmail } = splitTyped(pasted)
  if (isEmail && isHostLike(host)) return toTyped(`${scheme}${user}@${host}`)
  // An @ behind the host may belong to a password that contains a slash.
  const isPlain = isHostLike(host) && (user === null || endOfLast(pasted, AT_SIGNS) <= pasted.indexOf(`${host}${path}`))
  return toTyped(isPlain ? `${scheme}${host}${scrubPath(path)}` : scrubUnreadable(pasted))
}

/** Removes the name before the @ of an e-mail address, for viewers who only know the job's address. */
export function hideMailbox(typed: TypedInput): TypedInput {
  const { scheme, host, isEmail } = splitTyped(typed)
  return isEmail ? toTyped(`${scheme}${host}`) : typed
}

/** Marks a typed company number or name as safe to store. */
export function toTypedCompany(text: string): TypedInput {
  return toTyped(text.trim())
}

/** Removes white space, quotes and brackets around an address. */
function unwrap(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && /[\s<"'“(]/.test(text.charAt(from))) from += 1
  while (to > from && /[\s>"'”),;]/.test(text.charAt(to - 1))) to -= 1
  return text.slice(from, to)
}

function isHostLike(host: string): boolean {
  const name = host.replace(/:\d*$/, '')
  return name.startsWith('[') || (name.includes('.') && !/[\s:%@]/.test(name))
}

/** Without a readable host, the end of a password is unknown: removes everything up to the last @. A handle (@name) stays. */
function scrubUnreadable(text: string): string {
  const at = endOfLast(text, ENCODED_AT_SIGNS)
  const isHandle = at === 1 && !text.includes('.')
  return cutAt(isHandle ? text : text.slice(at), ENCODED_QUERY_START)
}

/** Removes user names and passwords of addresses inside the path. */
function scrubPath(path: string): string {
  const segments = path.split('/')
  return segments
    .map((segment, index) => {
      const at = segment.lastIndexOf('@')
      const isAuthority = index > 1 && segments[index - 1] === ''
      return at > 0 && (isAuthority || segment.lastIndexOf(':', at) !== -1) ? segment.slice(at + 1) : segment
    })
    .join('/')
}

/** Replaces NUL, the only character that PostgreSQL does not store. */
function toTyped(text: string): TypedInput {
  return text.slice(0, STORED_CHARACTERS_MAX).replaceAll('\0', '\uFFFD').toWellFormed() as TypedInput
}

function cutAt(text: string, end: RegExp): string {
  const index = text.search(end)
  return index === -1 ? text : text.slice(0, index)
}

/** Returns the index behind the last of these signs; 0 if there is none. */
function endOfLast(text: string, signs: readonly string[]): number {
  const ends = signs.map((sign) => (text.includes(sign) ? text.lastIndexOf(sign) + sign.length : 0))
  return Math.max(...ends)
}

const INPUT_MAX = 2_048

/**
 * Finds the registrable domain in pasted text: a host, a URL or an e-mail address, in capitals, with accents, a trailing dot
 * or white space. Throws `invalid_domain` with the reason if there is none that a company could own.
 */
export function parseDomain(pasted: string): string {
  const host = hostIn(pasted)
  const { domain, suffix, isPublic, isIp } = readRegistrable(host)
  if (isIp) throw refuse('An IP address does not identify a company. Enter a domain name.')
  if (SPECIAL_USE.has(host.slice(host.lastIndexOf('.') + 1))) {
    throw refuse(`“${shorten(host)}” is a reserved name, not the domain of a web site. Enter the company's domain.`)
  }
  if (domain === null && host === suffix && isPublic) {
    throw refuse(`${host} is a public suffix, not a domain. Enter the whole domain.`)
  }
  if (domain === null || !isPublic) {
    throw refuse(`“${shorten(host)}” is not a public domain name. Enter one such as example.co.uk.`)
  }
  const shared = sharedKindOf(domain)
  if (shared && isUserOfPlatform(shared, splitTyped(pasted), host, domain)) throw new SharedDomain(domain, shared)
  return domain
}

/** Top-level names without company web sites, although the public suffix list has some (RFC 6761 and others). */
const SPECIAL_USE = new Set(['onion', 'arpa', 'alt', 'internal', 'invalid', 'local', 'localhost'])

/** True for a mailbox, or for a page below the platform's name. The bare domain is the platform's own site. */
function isUserOfPlatform(kind: SharedKind, { isEmail, path }: TypedParts, host: string, domain: string): boolean {
  if (kind === 'mail' || isEmail) return kind === 'mail' && isEmail
  const below = host.slice(0, -domain.length).replace(/\.$/, '')
  return path.replaceAll(/[/\\]/g, '') !== '' || !(below === '' || /^(?:www|m|mobile|[a-z]{2})$/.test(below))
}

/** Thrown for an address on a shared domain. */
export class SharedDomain extends DomainError {
  readonly kind: SharedKind

  constructor(domain: string, kind: SharedKind) {
    const message =
      kind === 'mail'
        ? `${domain} is a free e-mail provider. Enter the company's own domain.`
        : `${domain} is a ${kind}, and this address belongs to one of its users. Enter the company's own domain.`
    super('invalid_domain', message, { errors: [{ field: 'domain', message }] })
    this.kind = kind
  }
}

function hostIn(pasted: string): string {
  if (pasted.length > INPUT_MAX) throw refuse('This is too long to be a domain.')
  const { scheme, user, host: typedHost, path } = splitTyped(pasted)
  if (`${scheme}${user ?? ''}${typedHost}${path}` === '') throw refuse('A domain is missing.')
  const host = typedHost.replace(/:\d*$/, '')
  const ascii = domainToASCII(host.replaceAll(/^\.+|\.+$/g, ''))
  // A password with a slash looks like a host, so the message shows only the scrubbed text.
  if (ascii === '') throw refuse(`“${shorten(scrubAddress(pasted))}” is not a domain name.`)
  return ascii
}

const shorten = (text: string) => (text.length <= 80 ? text : `${text.slice(0, 80)}…`)

function refuse(message: string): DomainError {
  return new DomainError('invalid_domain', message, { errors: [{ field: 'domain', message }] })
}
