/** Compares a saved head of the log with a later one: whether the log only grew between them. */
import { checkHeadStamp, inWords } from './check-bundle.ts'
import { type Head, openHead } from './checkpoint.ts'
import { isConsistent } from './merkle.ts'
import { isActiveAt, type PublishedKeys } from './published-keys.ts'

/** A head as the service publishes it. Size, root and time are read from what is signed. */
export interface SavedHead {
  checkpoint: string
  time_stamp: string | null
}

export interface GrowthStep {
  step: 'saved_head' | 'newest_head' | 'growth'
  /** `missing`: it cannot be compared yet, which is no fault. */
  result: 'ok' | 'failed' | 'missing'
  /** A word for programs where it failed, such as `log_changed`. */
  problem: string | null
  says: string
}

/** Returns the head in a file: one alone, or the newest of a page of heads. Null where the file is something else. */
export function findSavedHead(text: string): SavedHead | null {
  const value = parseJson(text)
  const listed = Array.isArray(value['data']) ? toObject(value['data'][0]) : value
  const { checkpoint, time_stamp: stamp } = listed
  if (typeof checkpoint !== 'string') return null
  return { checkpoint, time_stamp: typeof stamp === 'string' ? stamp : null }
}

/** Checks signature and time stamp of a head. Its members are there only where they hold. */
export function checkHead(
  step: 'saved_head' | 'newest_head',
  head: SavedHead,
  { keys, authorities }: PublishedKeys,
): { step: GrowthStep; opened: Head | null } {
  const name = step === 'saved_head' ? 'saved head' : 'newest head'
  const refuse = (problem: string, says: string) => ({ step: failed(step, problem, says), opened: null })
  const opened = openHead(head.checkpoint, keys)
  if (!opened) return refuse('head_changed', `The ${name} of the log is not signed by a published key.`)
  if (!isActiveAt(opened.by, opened.madeAt)) {
    return refuse('key_not_active', `The key of the ${name} did not sign at the time that the head gives.`)
  }
  const stamped = checkHeadStamp(head, opened.madeAt, authorities)
  if (stamped?.problem) return refuse(stamped.problem, stamped.says)
  const says = `The ${name} of ${opened.origin} has ${inEntries(opened.size)}. It was signed on ${inWords(opened.madeAt.toISOString())}.`
  return { step: { step, result: 'ok', problem: null, says: `${says}${stamped ? ` ${stamped.says}` : ''}` }, opened }
}

/** The log as the service shows it now. */
export interface LogNow {
  newest: Head
  /** Also those after the newest head. */
  entries: number
  /** The hashes that lead from the saved head to the newest one, in hexadecimal. */
  proof: readonly string[]
  /** The time here, and not one that the service gives. */
  now: Date
}

/** The head of today is published within a day. One night may fail. */
const HEAD_WITHIN_MS = 2 * 86_400_000

/** The name of a log changes where its service moves to another host: only what it has says whether it is the same log. */
export function checkGrowth(saved: Head, log: LogNow): GrowthStep {
  const step = compareSizes(saved, log) ?? compareEntries(saved, log)
  const { origin } = log.newest
  if (saved.origin === origin) return step
  if (step.result === 'failed') {
    return failed(
      'growth',
      'another_log',
      `The saved head is of the log ${saved.origin}, not of ${origin}. ${step.says}`,
    )
  }
  return { ...step, says: `${step.says} It was the log ${saved.origin} then, and is ${origin} now.` }
}

/** Returns null where the newest head has at least the entries of the saved one. */
function compareSizes(saved: Head, { newest, entries, now }: LogNow): GrowthStep | null {
  const larger = [saved, newest].find(({ size }) => size > entries)
  if (larger) {
    const before = `had ${inEntries(larger.size)} on ${inWords(larger.madeAt.toISOString())}`
    const says = `The log has ${inEntries(entries)} now, and ${before}: entries were removed.`
    return failed('growth', 'log_shorter', says)
  }
  if (newest.size >= saved.size) return null
  if (now.getTime() - saved.madeAt.getTime() > HEAD_WITHIN_MS) {
    const says = `The saved head has ${inEntries(saved.size)}, and the newest published one has ${inEntries(newest.size)}, more than two days later: heads were removed, or the service has published none since.`
    return failed('growth', 'heads_removed', says)
  }
  const says = 'The newest published head is older than the saved one. The next one is published within a day.'
  return { step: 'growth', result: 'missing', problem: null, says }
}

function compareEntries(saved: Head, { newest, proof }: LogNow): GrowthStep {
  const day = inWords(saved.madeAt.toISOString())
  const isWhole = proof.every((hash) => HASH.test(hash))
  const hashes = proof.map((hash) => Buffer.from(hash, 'hex'))
  if (!isWhole || !isConsistent({ first: saved, second: newest, proof: hashes })) {
    return failed(
      'growth',
      'log_changed',
      `The log does not begin with the ${inEntries(saved.size)} that it had on ${day}: one of them was removed or changed.`,
    )
  }
  const says = `The log has ${inEntries(newest.size)} and begins with the ${inEntries(saved.size)} of the saved head.`
  return { step: 'growth', result: 'ok', problem: null, says }
}

const HASH = /^[0-9a-f]{64}$/

const inEntries = (size: number) => (size === 1 ? 'one entry' : `${size} entries`)

const failed = (step: GrowthStep['step'], problem: string, says: string): GrowthStep => ({
  step,
  result: 'failed',
  problem,
  says,
})

function parseJson(text: string): Record<string, unknown> {
  try {
    return toObject(JSON.parse(text))
  } catch {
    return {}
  }
}

const toObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
