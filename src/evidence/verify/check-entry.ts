import { parseRecord } from '../check/bundle.ts'
import { isCanonicalJson } from '../check/canonical-json.ts'
import { BadForm } from '../check/der.ts'
import { hashLeaf } from '../check/merkle.ts'
import { isActiveAt, type PublishedKeys } from '../check/published-keys.ts'
import { findKeyId, isSignatureOf, sealOf } from '../check/signature.ts'
import { readTimeStamp } from '../check/time-stamp.ts'
import type { Say } from './log-problem.ts'

/** An entry of the log with its record, which is null where it is not there. */
export interface Entry {
  index: number
  recordId: string
  accountId: string
  hash: Buffer
  appendedAt: Date
  record: string | null
  jws: string | null
  stamp: Buffer | null
  madeAt: Date | null
}

/** Clocks of two machines differ a little. */
const CLOCKS_MS = 5 * 60_000

/** Says each problem of an entry. Returns false where its record is gone. */
export function checkEntry(entry: Entry, earlier: Entry | null, published: PublishedKeys, say: Say): boolean {
  const where = `entry ${entry.index}, ${entry.recordId}`
  if (earlier && entry.appendedAt.getTime() < earlier.appendedAt.getTime() - CLOCKS_MS) {
    say('entry_back_dated', where, 'It says that it was appended before the entry in front of it.')
  }
  const { record, jws, madeAt } = entry
  if (record === null || jws === null || madeAt === null) {
    say('record_removed', where, 'Its record is not there, and its account is not erased.')
    return false
  }
  const seal = sealOf(record, jws)
  checkSignature({ record, jws }, { where, published, say })
  if (!hashLeaf(seal).equals(entry.hash)) {
    say('entry_changed', where, 'The hash in the log is not that of the record and its signature.')
  }
  const read = parseRecord(record)
  if (read?.id !== entry.recordId) say('records_swapped', where, 'The record has another id than its row.')
  const times = [new Date(read?.made_at ?? Number.NaN), madeAt, entry.appendedAt].map((at) => at.getTime())
  if (new Set(times).size > 1) {
    say('entry_back_dated', where, 'The record, its row and its entry give different times.')
  }
  if (entry.stamp) checkStampOf(entry.stamp, { seal, where, published, say })
  return true
}

interface Context {
  where: string
  published: PublishedKeys
  say: Say
}

function checkSignature({ record, jws }: { record: string; jws: string }, { where, published, say }: Context): void {
  const key = published.keys.find(({ id }) => id === findKeyId(jws))
  if (!key) return say('key_swapped', where, 'It is signed by a key that is not among the published ones.')
  if (!isSignatureOf(record, jws, key.key)) {
    return say('record_changed', where, 'The signature does not fit the record: one of the two was changed.')
  }
  if (!isCanonicalJson(record)) say('record_changed', where, 'The record is not in canonical form.')
  const madeAt = parseRecord(record)?.made_at
  if (madeAt === undefined || !isActiveAt(key, new Date(madeAt))) {
    say('key_swapped', where, 'Its key did not sign at the time that it gives.')
  }
}

export function checkStampOf(stamp: Buffer, { seal, where, published, say }: Context & { seal: Buffer }): void {
  try {
    if (readTimeStamp(stamp, published.authorities).imprint.equals(seal)) return
    say('stamp_of_other', where, 'Its time stamp is about something else.')
  } catch (error) {
    if (!(error instanceof BadForm)) throw error
    say('stamp_broken', where, `Its time stamp does not hold: ${error.message}.`)
  }
}
