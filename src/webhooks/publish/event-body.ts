import type { KeyMode } from '../../accounts/index.ts'

/** Something that happened, and the accounts it concerns. */
export interface NewEvent {
  type: 'signal' | 'resolution_completed' | 'test'
  /** Destinations subscribe to this, or to `all`. */
  signalType: string
  accountIds: readonly string[]
  /** Only destinations of this mode get it. */
  mode: KeyMode
  data: Record<string, unknown>
}

const API_VERSION = '1.0.0'
const BODY_BYTES_MAX = 20_000

/**
 * Returns the text of an event, made once: these bytes are stored, signed and sent. A signal with more changes than fit
 * contains the first of them and says that there are more; its company's history has all of them.
 */
export function serializeEvent(event: NewEvent, given: { id: string; sequence: number; at: Date }): string {
  const body = JSON.stringify(toBody(event, given, event.data))
  const { changes } = event.data
  if (Buffer.byteLength(body) <= BODY_BYTES_MAX || !Array.isArray(changes)) return body
  for (let kept = changes.length >> 1; kept > 0; kept >>= 1) {
    const shorter = { ...event.data, changes: changes.slice(0, kept) as unknown[], changes_left_out: true }
    const text = JSON.stringify(toBody(event, given, shorter))
    if (Buffer.byteLength(text) <= BODY_BYTES_MAX) return text
  }
  return JSON.stringify(toBody(event, given, { ...event.data, changes: [], changes_left_out: true }))
}

function toBody(
  { type, signalType, mode }: NewEvent,
  { id, sequence, at }: { id: string; sequence: number; at: Date },
  data: Record<string, unknown>,
) {
  return {
    id,
    type,
    signal_type: signalType,
    created_at: at.toISOString(),
    api_version: API_VERSION,
    sequence,
    ...(mode === 'test' || type === 'test' ? { test: true } : {}),
    data,
  }
}
