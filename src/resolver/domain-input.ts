import { domainToASCII } from 'node:url'
import { DomainError } from '../errors.ts'
import { readRegistrable } from './registrable.ts'
import { type SharedKind, sharedKindOf } from './shared-domains.ts'
import { scrubAddress, splitTyped, type TypedParts } from './typed-input.ts'

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
