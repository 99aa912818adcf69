/** Checks a bundle step by step, with nothing but the published keys, and says in words what each step found. */
import type { X509Certificate } from 'node:crypto'
import { type Bundle, parseBundle, parseRecord, type ReadRecord } from './bundle.ts'
import { isCanonicalJson } from './canonical-json.ts'
import { CLOCKS_MS, isActiveAt, type PublishedKeys } from './published-keys.ts'
import { findKeyId, isSignatureOf, sealOf } from './signature.ts'
import { findStamp, type TimeStamp } from './time-stamp.ts'

export const STEPS = [
  'document',
  'document_time',
  'attachments',
  'form',
  'signature',
  'time_stamp',
  'contents',
] as const

export interface CheckedStep {
  step: (typeof STEPS)[number]
  /** `missing`: there is nothing to check yet, which is no fault. */
  result: 'ok' | 'failed' | 'missing'
  /** A word for programs where it failed, such as `record_changed`. */
  problem: string | null
  says: string
}

export interface CheckReport {
  intact: boolean
  steps: CheckedStep[]
  /** The members of the record that could be read. It is to be believed only where `intact` is true. */
  record: ReadRecord | null
}

/** Returns the steps in order. Those after a failed one are checked all the same, as far as they can be. */
export function checkBundle(text: string, published: PublishedKeys): CheckReport {
  const bundle = parseBundle(text)
  return typeof bundle === 'string'
    ? report([failed('form', 'not_a_bundle', bundle)], null)
    : checkSealed(bundle, published)
}

/** The same for a bundle that was read already. */
export function checkSealed(bundle: Bundle, published: PublishedKeys): CheckReport {
  const record = parseRecord(bundle.record)
  const form = checkForm(bundle, record)
  if (!record) return report([form], null)
  return report(
    [
      form,
      checkSignature(bundle, record, published),
      checkStamp(bundle, record, published.authorities),
      checkContents(record),
    ],
    record,
  )
}

function report(steps: CheckedStep[], record: ReadRecord | null): CheckReport {
  return { intact: steps.every(({ result }) => result !== 'failed'), steps, record }
}

type StepName = CheckedStep['step']
export const ok = (step: StepName, says: string): CheckedStep => ({ step, result: 'ok', problem: null, says })
export const missing = (step: StepName, says: string): CheckedStep => ({ step, result: 'missing', problem: null, says })
export const failed = (step: StepName, problem: string, says: string): CheckedStep => ({
  step,
  result: 'failed',
  problem,
  says,
})

function checkForm(bundle: Bundle, record: ReadRecord | null): CheckedStep {
  if (!record) return failed('form', 'not_a_record', 'The record is not one that this program knows how to read.')
  if (!isCanonicalJson(bundle.record)) {
    return failed(
      'form',
      'not_canonical',
      'The text of the record is not in canonical form, so it was written again by another program.',
    )
  }
  if (record.id !== bundle.id) {
    return failed(
      'form',
      'another_record',
      'The record inside has another id than the bundle, so it was put there from another one.',
    )
  }
  return ok('form', `The file is a sealed bundle with the record ${record.id}, in canonical form.`)
}

function checkSignature(bundle: Bundle, record: ReadRecord, { keys }: PublishedKeys): CheckedStep {
  const keyId = findKeyId(bundle.jws)
  const key = keys.find(({ id }) => id === keyId)
  if (!key) {
    return failed('signature', 'unknown_key', 'The record is signed by a key that is not among the published ones.')
  }
  if (!isSignatureOf(bundle.record, bundle.jws, key.key)) {
    return failed(
      'signature',
      'record_changed',
      'The signature does not fit the record: one of the two was changed after signing.',
    )
  }
  if (!isActiveAt(key, new Date(record.made_at))) {
    return failed(
      'signature',
      'key_not_active',
      `The key ${key.id} did not sign at the time that the record gives for itself.`,
    )
  }
  return ok(
    'signature',
    `${record.made_by.service} signed this very record on ${inWords(record.made_at)}, with the key ${key.id}. Not one character was changed since.`,
  )
}

function checkStamp(bundle: Bundle, record: ReadRecord, authorities: readonly X509Certificate[]): CheckedStep {
  const { state, token } = bundle.time_stamp
  if (token === null && state === 'stamped') {
    return failed('time_stamp', 'stamp_removed', 'The record has a time stamp, which was taken out of this file.')
  }
  if (token === null) {
    return missing(
      'time_stamp',
      state === 'pending'
        ? 'No time-stamp authority has confirmed the time yet. Fetch the bundle again later.'
        : 'No time-stamp authority was asked, so the time is the word of the service alone.',
    )
  }
  const found = findStamp(Buffer.from(token, 'base64'), authorities)
  if (typeof found === 'string') return failed('time_stamp', 'stamp_broken', `The time stamp does not hold: ${found}.`)
  if (!found.imprint.equals(sealOf(bundle.record, bundle.jws))) {
    return failed('time_stamp', 'stamp_of_other', 'The time stamp is about another record or signature than these.')
  }
  if (found.at.getTime() < new Date(record.made_at).getTime() - CLOCKS_MS) {
    return failed('time_stamp', 'times_out_of_order', 'The time stamp is older than the record says it is itself.')
  }
  const at = inWords(found.at.toISOString())
  if (found.isTrusted) {
    return ok('time_stamp', `${nameAuthority(found)} confirms that record and signature existed on ${at}.`)
  }
  return refuseUntrusted('time_stamp', found, authorities)
}

/** Where the service says which authorities it trusts, it stores no stamp of another one. */
export function refuseUntrusted(
  step: 'time_stamp' | 'document_time',
  found: TimeStamp,
  authorities: readonly X509Certificate[],
): CheckedStep {
  const says = `${nameAuthority(found)} names ${inWords(found.at.toISOString())}, which proves nothing here.`
  return authorities.length > 0 ? failed(step, 'stamp_untrusted', says) : missing(step, says)
}

const NAME_MAX = 80

/** The name is in quotation marks: an authority that we do not trust may call itself anything. */
export function nameAuthority({ authority, isTrusted }: TimeStamp): string {
  const name = `“${authority.replaceAll(/[“”"]/g, '').slice(0, NAME_MAX)}”`
  return isTrusted
    ? `${name}, a time-stamp authority that is trusted,`
    : `A time stamp of ${name}, which is not among the trusted authorities given,`
}

function checkContents({ quotes, pages, question, made_at: madeAt, decision }: ReadRecord): CheckedStep {
  // A crawl can read one address twice and receive other bytes.
  const hashes = new Map<string, Set<string>>()
  for (const { url, sha256 } of pages) hashes.set(url, (hashes.get(url) ?? new Set()).add(sha256))
  const lost = quotes.find(({ url, page_sha256: hash }) => hashes.get(url)?.has(hash) === false)
  if (lost) {
    return failed(
      'contents',
      'quote_without_page',
      `A quote names another hash for ${lost.url} than the list of pages.`,
    )
  }
  const times = [question.resolved_at, ...pages.map(({ fetched_at: at }) => at), decision?.decided_at ?? madeAt]
  const late = times.find((at) => !(new Date(at).getTime() <= new Date(madeAt).getTime() + CLOCKS_MS))
  if (late !== undefined) {
    return failed(
      'contents',
      'times_out_of_order',
      `The record was made on ${inWords(madeAt)} and names a later time in it: ${late}.`,
    )
  }
  const read = pages.length === 1 ? 'one page' : `${pages.length} pages`
  const quoted = quotes.length === 1 ? 'one passage' : `${quotes.length} passages`
  return ok('contents', `It quotes ${quoted} and names ${read} by hash. Its times follow each other.`)
}

/** A moment for people of any time zone. */
export function inWords(at: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return 'a time that is none'
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? []
  return `${Number(day)} ${month} ${year} at ${time} UTC`
}
