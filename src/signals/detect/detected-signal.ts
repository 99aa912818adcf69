import { createHash } from 'node:crypto'
import { addDaysToDate } from '../../lib/clock.ts'
import { type LooseRecord, toRecord, toText } from '../../lib/text/loose-json.ts'
import type { Signal } from '../signals.ts'

/** The company of a change, and the day it came. */
export interface ChangeContext {
  /** The company's name in sentences. */
  company: string
  incorporatedOn: string | null
  /** True where all owners were known before. */
  areOwnersKnown?: boolean
  /** The London day the change came. */
  day: string
}

/** A detected signal, without the company and the source, which are the change's. */
export interface DetectedSignal extends Pick<Signal, 'signalType' | 'severity' | 'summary' | 'occurredOn' | 'changes'> {
  dedupe: DedupeKey
}

/** Detects the signals of a changed part of a company. Before is null for a new part, after for a deleted one. */
export type PartDetector = (
  before: LooseRecord | null,
  after: LooseRecord | null,
  context: ChangeContext,
) => DetectedSignal | DetectedSignal[]

/** Returns the last part of `links.self`: the streams send no other id. */
export function readId(part: LooseRecord): string | null {
  const self = toText(toRecord(part['links'])['self'])
  return self?.slice(self.lastIndexOf('/') + 1) || null
}

const NEWS_DAYS = 90

/**
 * True for a fact of the last 90 days. A fact that is new to us may be old: an officer of ten years who is merely
 * corrected, or a part of a company that is read for the first time. A fact without a date may be old too.
 */
export function isNews(date: string | null, { day }: ChangeContext): date is string {
  return date !== null && date >= addDaysToDate(day, -NEWS_DAYS)
}

/** True for a fact of the incorporation, which makes no signal. */
export function isFounding(date: string, { incorporatedOn }: ChangeContext): boolean {
  return incorporatedOn !== null && date <= incorporatedOn
}

/**
 * The key by which two signals are the same signal. Two kinds of fact need two kinds of key:
 *
 * A fact that happens once has its own name: an appointment's id, a made-up date, a case number. However often it
 * arrives, and by whichever way, its key is the same.
 *
 * A value that can go back and forth has none. Its key is where it went from and to, plus how often the value it went
 * to had been left before, which is counted when the signal is written. The same step arriving again finds the same
 * count, so it is the same signal; a step that is really taken again needs the value to have been left in between. A
 * day in the key instead would report a step twice when its duplicate comes after midnight, and would miss the second of
 * two equal steps within one day.
 */
export interface DedupeKey {
  key: string
  /** The beginning of the keys of steps that leave the new value; null for a fact that happens once. */
  leavingKey: string | null
}

export function keyOfFact(...parts: string[]): DedupeKey {
  return { key: parts.map(toToken).join(':'), leavingKey: null }
}

/** `subject` names what has the value, so that keys of two subjects never collide. */
export function keyOfStep(subject: string, from: string, to: string): DedupeKey {
  return { key: `${subject}:${toToken(from)}>${toToken(to)}`, leavingKey: `${subject}:${toToken(to)}>` }
}

const TOKEN_LENGTH_MAX = 48

/** Short and without our separators; anything else is its digest. */
function toToken(value: string): string {
  if (value.length <= TOKEN_LENGTH_MAX && !/[:>#]/.test(value)) return value
  return createHash('sha256').update(value).digest('base64url').slice(0, 22)
}
