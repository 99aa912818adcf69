/**
 * What a person typed, split into its parts and freed of what may be secret: user names and passwords, what stands behind
 * a question mark, and fragments. People paste addresses with all of these, and what is kept is shown to others. Pure.
 */
declare const scrubbed: unique symbol

/** Text that may be kept and shown. Only this file makes one, so that nothing else can be stored as what was typed. */
export type TypedInput = string & { readonly [scrubbed]: true }

export interface TypedParts {
  /** `https://`, `//` or `mailto:`, as typed. */
  scheme: string
  /** What stands before the @; null where there is none. */
  user: string | null
  /** With its port. */
  host: string
  /** Without query and fragment. */
  path: string
  isEmail: boolean
}

const KEPT_MAX = 2_048
// Wide forms count as well: the rules for domain names read them as the plain ones.
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

/** What was typed, without user name and password, query and fragment. An e-mail address stays whole. */
export function scrubAddress(pasted: string): TypedInput {
  const { scheme, user, host, path, isEmail } = splitTyped(pasted)
  if (isEmail && isHostLike(host)) return toTyped(`${scheme}${user}@${host}`)
  // An @ behind the host may be part of a password that has a slash in it.
  const isPlain = isHostLike(host) && (user === null || endOfLast(pasted, AT_SIGNS) <= pasted.indexOf(`${host}${path}`))
  return toTyped(isPlain ? `${scheme}${host}${scrubPath(path)}` : scrubUnreadable(pasted))
}

/** For those who have nothing but the job's address: the name before the @ of an e-mail address is left out too. */
export function hideMailbox(typed: TypedInput): TypedInput {
  const { scheme, host, isEmail } = splitTyped(typed)
  return isEmail ? toTyped(`${scheme}${host}`) : typed
}

/** A company's number or name, as it was typed. */
export function keepCompanyTyped(text: string): TypedInput {
  return toTyped(text.trim())
}

/** Spaces around it, and what people put around an address in running text. */
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

/** No host can be read in it, and so no end of a password: everything up to the last @ goes. The rest stays as it is. */
function scrubUnreadable(text: string): string {
  const at = endOfLast(text, ENCODED_AT_SIGNS)
  return cutAt(at > 1 ? text.slice(at) : text, ENCODED_QUERY_START)
}

/** A path may hold another address with a user name and password in it. */
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

/** The database takes every character but one. */
function toTyped(text: string): TypedInput {
  return text.slice(0, KEPT_MAX).replaceAll('\0', '\uFFFD').toWellFormed() as TypedInput
}

function cutAt(text: string, end: RegExp): string {
  const index = text.search(end)
  return index === -1 ? text : text.slice(0, index)
}

/** Behind the last of these signs; 0 where there is none. */
function endOfLast(text: string, signs: readonly string[]): number {
  const ends = signs.map((sign) => (text.includes(sign) ? text.lastIndexOf(sign) + sign.length : 0))
  return Math.max(...ends)
}
