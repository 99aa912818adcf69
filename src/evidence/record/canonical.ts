/** A record as text, and the hash by which the same content is found again. */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** RFC 8785. The library throws for half a character and for a number that is none; nothing here is `undefined`. */
export function toCanonical(value: object): string {
  const text = canonicalize(wellFormed(value))
  if (text === undefined) throw new Error('this has no canonical form')
  return text
}

/** Sites may send half of a character. The sign for an unreadable one takes its position. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, wellFormed(item)]))
}

/** Times that move while nothing else does: until when the register is known to be so. */
const MOVING = new Set(['as_of', 'record_changed_at', 'release'])

/** The hash of what a record says, without the times that move by themselves. */
export function hashContent(content: object): Buffer {
  return createHash('sha256')
    .update(toCanonical(withoutMoving(content) as object))
    .digest()
}

function withoutMoving(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMoving)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([name]) => !MOVING.has(name))
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutMoving(item)]))
}

/** A time of stored findings, in UTC and to the millisecond. */
export const toUtc = (at: string): string => new Date(at).toISOString()
