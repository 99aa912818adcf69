/**
 * Splits what a person typed into parts, and removes what may be secret: user names, passwords, queries and fragments. People
 * paste addresses with all of these, and stored input is shown to others. Pure.
 */
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

/** Without a readable host, the end of a password is unknown: removes everything up to the last @. */
function scrubUnreadable(text: string): string {
  const at = endOfLast(text, ENCODED_AT_SIGNS)
  return cutAt(at > 1 ? text.slice(at) : text, ENCODED_QUERY_START)
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
