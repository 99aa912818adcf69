/** Records the secrets in a test's requests and their responses, by the names they go under. */
import { inject } from 'vitest'
import type { Called } from '../../rig/call.ts'
import type { Mailbox } from '../../rig/mailbox.ts'
import type { Config } from '../../src/config.ts'
import { plantSecret } from './kept-logs.ts'

/** Made by us, and recorded from our responses. A value that a test sends may be forged, and logged for other reasons. */
const GIVEN = new Set([
  'token',
  'api_key',
  'test_api_key',
  'secret',
  'client_secret',
  'access_token',
  'refresh_token',
  'id_token',
  // No secret like the others, but its holder may read the job.
  'job_id',
])
/** Chosen by the sender. */
const CHOSEN = new Set(['password', 'new_password', 'current_password', 'code_verifier'])
/** In a redirect this is an authorization code; in a body it is the name of an error. */
const REDIRECTED = new Set([...GIVEN, 'code'])
const DEPTH_MAX = 4

/** Reads only the cookies of the request's headers: its other secrets came from a response before. */
export function noteCall({ url, sent, cookies, reply: { headers, body } }: Omit<Called, 'method'>): void {
  if (sent !== undefined) noteSent(sent)
  noteMembers(body, GIVEN, 0)
  const location = headers.get('location')
  if (location) noteParameters(new URL(location, url).searchParams, REDIRECTED)
  for (const pair of [...headers.getSetCookie(), ...(cookies ?? '').split('; ')]) noteCookie(pair.split(';')[0] ?? '')
}

/** Records the links of all e-mails. */
export function noteMails(mailbox: Mailbox): void {
  for (const { text } of mailbox.allMails()) {
    for (const [link] of text.matchAll(/https?:\/\/[^\s<>]+/g)) noteParameters(new URL(link).searchParams, GIVEN)
  }
}

export function noteSettings(config: Config): void {
  note('database password', new URL(config.databaseUrl).password)
  note('SMTP password', new URL(config.smtpUrl ?? 'smtp://none').password)
  for (const { key } of config.sealingKeys) note('sealing key', Buffer.from(key).toString('base64'))
  for (const key of config.hashingKeys) note('hashing key', Buffer.from(key).toString('base64'))
  note('metrics token', config.metricsToken)
  note('register key', config.register.restKey)
  for (const key of config.register.streamKeys) note('register stream key', key)
}

export function note(name: string, value: string | null): void {
  if (value) plantSecret(inject('logDirectory'), { name, value })
}

function noteSent(text: string | Uint8Array): void {
  // A file of bytes has no form fields.
  if (typeof text !== 'string') return
  if (/^\s*[{[]/.test(text)) {
    noteMembers(parseJson(text), CHOSEN, 0)
  } else noteParameters(new URLSearchParams(text), CHOSEN)
}

/** Some tests send what only looks like JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function noteParameters(parameters: URLSearchParams, names: ReadonlySet<string>): void {
  for (const [name, value] of parameters) if (names.has(name)) note(name, value)
}

function noteMembers(value: unknown, names: ReadonlySet<string>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && names.has(name)) note(name, member)
    else if (typeof member === 'string') noteAddress(member)
    else noteMembers(member, names, depth + 1)
  }
}

/** Such an address is all that its holder needs: of a calendar, a share link, or a channel in Slack or Teams. */
const SECRET_ADDRESSES = [
  /^https?:\/\/[^/]+\/(?:calendar|shared)\/([\w-]{20,})/,
  /^https:\/\/hooks\.slack\.com\/services\/\w+\/\w+\/(\w+)$/,
  /^https:\/\/[\w.-]+\.logic\.azure\.com\/.*[?&]sig=([\w-]+)/,
]

function noteAddress(text: string): void {
  for (const pattern of SECRET_ADDRESSES) note('secret address', pattern.exec(text)?.[1] ?? null)
}

function noteCookie(pair: string): void {
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  if (value !== '') note(`cookie ${name}`, value)
}
