/** Texts for entries of the audit log. */
import type { AuditEntry } from '../../api/bodies.ts'
import { showNumber, showWord } from '../../ui/words.ts'

export type ActorKind = AuditEntry['actor']['kind']
type Facts = AuditEntry['details']

export const ACTOR_WORDS: Record<ActorKind, string> = {
  person: 'A person',
  api_key: 'An API key',
  program: 'A connected program',
  operator: 'Nameplate',
  service: 'Automatic',
  unknown: 'Not signed in',
}

export function showActor({ actor }: AuditEntry): string {
  return actor.name ?? ACTOR_WORDS[actor.kind]
}

const NAMES: Record<string, string> = {
  bulk_id: 'Bulk job',
  client_id: 'Program',
  companies: 'Companies watched',
  connection: 'Connection',
  credits_max: 'Credits at most',
  daily_credits: 'Credits a day',
  daily_digest: 'Daily digest',
  destination_id: 'Destination',
  digest: 'Digest',
  host: 'Host',
  instant_email: 'Instant e-mail',
  key: 'Key',
  last4: 'Key ends in',
  overlap_hours: 'Hours of overlap',
  resolution_id: 'Answer',
  second_reader: 'Second reader',
  signal_type: 'Events',
}

const showName = (name: string): string => NAMES[name] ?? showWord(name)

function showValue(value: Facts[string] | undefined): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'number') return showNumber(value)
  return /^[a-z]+(?:_[a-z]+)+$/.test(value) ? showWord(value).toLowerCase() : value
}

export interface ShownChange {
  name: string
  from: string | null
  to: string | null
}

/** Returns each value that changed. `from` is null where it is new, `to` where it is gone. */
export function listChanges({ before, after }: AuditEntry): ShownChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  // People know a key by its last characters, not by its id.
  const isKnown = (name: string) => name === 'key' && names.includes('last4')
  const changed = names.filter((name) => before?.[name] !== after?.[name] && !isKnown(name))
  return changed.map((name) => ({
    name: showName(name),
    from: before === null ? null : showValue(before[name]),
    to: after === null ? null : showValue(after[name]),
  }))
}

/** Names what an entry is about: "Domain harbourlantern.co.uk". */
export function listAbout({ details, mode }: AuditEntry): string[] {
  const isKnown = (name: string) => name === 'mode' || (name === 'key' && 'last4' in details)
  const about = Object.entries(details).filter(([name, value]) => !isKnown(name) && value !== null)
  const shown = about.map(([name, value]) => `${showName(name)} ${showValue(value)}`)
  return mode === 'test' || details['mode'] === 'test' ? ['Test mode', ...shown] : shown
}
