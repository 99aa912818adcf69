/** A sealed bundle: a record with its signature and time stamp. One file that can be checked alone. */
export const BUNDLE_FORMAT = 'nameplate-evidence-bundle/1'
export const RECORD_KIND = 'nameplate.evidence'
export const RECORD_VERSION = 1

export const STAMP_STATES = ['stamped', 'pending', 'off'] as const

export interface Bundle {
  format: typeof BUNDLE_FORMAT
  id: string
  /** Canonical JSON, as text: what was signed is these very characters. */
  record: string
  jws: string
  time_stamp: { state: (typeof STAMP_STATES)[number]; token: string | null }
  keys_url: string
  verify_url: string
}

export const BUNDLE_CHARACTERS_MAX = 1_000_000

/** Reads a bundle from a text. Returns a sentence where it is none. */
export function parseBundle(text: string): Bundle | string {
  if (text.length > BUNDLE_CHARACTERS_MAX) return 'The file is larger than any bundle.'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'The file is not JSON.'
  }
  if (!isObject(value) || value['format'] !== BUNDLE_FORMAT) {
    return `The file is not a sealed evidence bundle: its format is not ${BUNDLE_FORMAT}.`
  }
  return isBundle(value) ? value : 'The bundle lacks a part, or a part has another form than it must have.'
}

function isBundle(value: Record<string, unknown>): value is Record<string, unknown> & Bundle {
  const { id, record, jws, time_stamp: stamp } = value
  if (!isText(id) || !isText(record) || !isText(jws) || !isObject(stamp)) return false
  const { state, token } = stamp
  return STAMP_STATES.some((one) => one === state) && (token === null || isText(token))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'

/** The members of a record that a check reads. */
export interface ReadRecord {
  kind: string
  version: number
  id: string
  mode: string
  made_at: string
  made_by: { service: string }
  made_for: { account_id: string }
  question: { domain: string; resolved_at: string; resolution_id: string }
  answer: { outcome: string; company_number: string | null; company_name: string | null }
  quotes: Array<{ quote: string; url: string; fetched_at: string; page_sha256: string }>
  pages: Array<{ url: string; sha256: string; fetched_at: string }>
  decision: {
    action: string
    company_number: string | null
    disputed_company_number: string | null
    reviewer: string
    decided_at: string
  } | null
}

/** Null where the text is not a record of a version that this program knows. */
export function parseRecord(text: string): ReadRecord | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(value) || value['kind'] !== RECORD_KIND || value['version'] !== RECORD_VERSION) return null
  const { id, made_at, made_by, made_for, question, answer, quotes, pages, decision } = value
  if (!isText(id) || !isText(made_at) || !isObject(made_by) || !isObject(made_for)) return null
  if (!isObject(question) || !isObject(answer) || !isList(quotes)) return null
  if (!isList(pages) || !(decision === null || isObject(decision))) return null
  const texts = [
    value['mode'],
    made_by['service'],
    made_for['account_id'],
    question['domain'],
    question['resolution_id'],
    question['resolved_at'],
    answer['outcome'],
    answer['company_number'] ?? '',
    answer['company_name'] ?? '',
    ...(decision === null ? [] : [decision['reviewer'], decision['decided_at']]),
    decision?.['company_number'] ?? '',
    decision?.['disputed_company_number'] ?? '',
    ...quotes.flatMap((quote) => [quote['url'], quote['page_sha256']]),
    ...pages.flatMap((page) => [page['url'], page['sha256'], page['fetched_at']]),
  ]
  return texts.every(isText) ? (value as unknown as ReadRecord) : null
}

const isList = (value: unknown): value is Array<Record<string, unknown>> =>
  Array.isArray(value) && value.every(isObject)
