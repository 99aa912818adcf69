/**
 * The chain of an account's audit log. The hash of an entry covers the RFC 8785 form of the entry and the hash before it.
 * `append_to_audit_chain` in the database makes it; these functions make it again from what is stored.
 */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** An entry as it is stored. */
export interface ChainedEntry {
  id: string
  accountId: string
  seq: number
  /** UTC with microseconds, as PostgreSQL writes it. */
  at: string
  action: string
  outcome: string
  mode: string | null
  actorKind: string | null
  actorId: string | null
  ip: string | null
  userAgent: string | null
  requestId: string | null
  details: unknown
  before: unknown
  after: unknown
  /** Null where the part that it covers was removed. */
  originSalt: Buffer | null
  contentSalt: Buffer | null
  originHash: Buffer
  contentHash: Buffer
  previousHash: Buffer
  entryHash: Buffer
}

export const CHAINED_COLUMNS = `event.id::text, event.account_id as "accountId", event.seq::integer,
  to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, event.action, event.outcome, event.mode,
  event.actor_kind as "actorKind", event.actor_id as "actorId", event.ip, event.user_agent as "userAgent",
  event.request_id as "requestId", event.details, event.before, event.after, event.origin_salt as "originSalt",
  event.content_salt as "contentSalt", event.origin_hash as "originHash", event.content_hash as "contentHash",
  event.previous_hash as "previousHash", event.entry_hash as "entryHash"`

/** Every chain begins with it. */
export const FIRST_HASH = Buffer.alloc(32)

/** The parts of an entry that its hashes cover. */
export type EntryPart = 'the act, its time or its actor' | 'its address' | 'what it is about'

/** Which parts of an entry were removed by our own rules, if they are not there. */
export interface Removable {
  /** With an erased account everything that names a person. */
  isErased: boolean
  /** The addresses of entries before this time. */
  addressesBefore: Date
}

/** Returns the part that is not what it was when the entry was written; null for an entry that is intact. */
export function findEdited(entry: ChainedEntry, removable: Removable): EntryPart | null {
  if (!hashEntry(entry).equals(entry.entryHash)) return 'the act, its time or its actor'
  if (!isOriginIntact(entry, removable)) return 'its address'
  return isContentIntact(entry, removable) ? null : 'what it is about'
}

function hashEntry(entry: ChainedEntry): Buffer {
  const { accountId: account, action, actorKind, actorId, at, mode, outcome } = entry
  return sha256({
    account,
    action,
    actor: actorKind === null ? null : { id: actorId, kind: actorKind },
    at,
    content: entry.contentHash.toString('hex'),
    mode,
    origin: entry.originHash.toString('hex'),
    outcome,
    previous: entry.previousHash.toString('hex'),
  })
}

/** Addresses are removed after their time, with their salt, so that no one can find them by trying. */
function isOriginIntact(
  { at, ip, userAgent, originSalt, originHash }: ChainedEntry,
  { isErased, addressesBefore }: Removable,
): boolean {
  if (originSalt === null) return ip === null && userAgent === null && (isErased || new Date(at) < addressesBefore)
  return sha256({ ip, user_agent: userAgent }, originSalt).equals(originHash)
}

function isContentIntact(entry: ChainedEntry, { isErased }: Removable): boolean {
  const { requestId, details, before, after, contentSalt, contentHash } = entry
  if (contentSalt === null) {
    return isErased && [requestId, before, after].every((part) => part === null) && canonicalize(details) === '{}'
  }
  return sha256({ request_id: requestId, details, before, after }, contentSalt).equals(contentHash)
}

function sha256(value: object, salt: Buffer = Buffer.alloc(0)): Buffer {
  return createHash('sha256')
    .update(salt)
    .update(canonicalize(value) ?? '')
    .digest()
}
