import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { DomainError } from '../errors.ts'
import { type SharedKind, sharedKindOf } from './shared-domains.ts'
import { scrubAddress, splitTyped } from './typed-input.ts'

const INPUT_MAX = 2_048

/**
 * The registrable domain in whatever a person pastes: a host, an address, an e-mail address, in capitals, with accents, a
 * trailing dot or spaces around it. Throws `invalid_domain`, saying why, when there is none that a company could have.
 */
export function parseDomain(pasted: string): string {
  const host = hostIn(pasted)
  const { domain, isIp, isIcann, isPrivate, publicSuffix } = parse(host, { allowPrivateDomains: true })
  if (isIp) throw refuse('An IP address has no owner that a register knows. Send a domain name.')
  if (domain === null && host === publicSuffix && (isIcann || isPrivate)) {
    throw refuse(`${host} is an ending that many register names under. Send the whole domain.`)
  }
  if (domain === null || !(isIcann || isPrivate)) {
    throw refuse(`“${shorten(host)}” is not a public domain name. Send one such as example.co.uk.`)
  }
  const shared = sharedKindOf(domain)
  if (shared) throw new SharedDomain(domain, shared)
  return domain
}

/** A domain that everybody uses, and in what way. */
export class SharedDomain extends DomainError {
  readonly kind: SharedKind

  constructor(domain: string, kind: SharedKind) {
    const message =
      kind === 'mail'
        ? `${domain} gives mailboxes to everybody, so it says nothing about a company.`
        : `${domain} is a ${kind}; what stands there is not its own. Send the company's own domain.`
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
  // A password with a slash in it looks like a host: what is shown is what may be kept.
  if (ascii === '') throw refuse(`“${shorten(scrubAddress(pasted))}” is not a domain name.`)
  return ascii
}

const shorten = (text: string) => (text.length <= 80 ? text : `${text.slice(0, 80)}…`)

function refuse(message: string): DomainError {
  return new DomainError('invalid_domain', message, { errors: [{ field: 'domain', message }] })
}
