import {
  BadForm,
  CLOCKS_MS,
  findKeyId,
  hashLeaf,
  isActiveAt,
  isCanonicalJson,
  isSignatureOf,
  type PublishedKeys,
  parseRecord,
  type ReadRecord,
  readTimeStamp,
  sealOf,
} from '../../../packages/evidence-check/index.ts'
import type { Say } from './log-problem.ts'

/** An entry of the log with its record, which is null where it is not there. */
export interface Entry {
  index: number
  recordId: string
  accountId: string
  hash: Buffer
  appendedAt: Date
  /** The columns of the record's row that its text says too; null where it is not there. */
  row: { accountId: string; mode: string; resolutionId: string } | null
  record: string | null
  jws: string | null
  stamp: Buffer | null
  madeAt: Date | null
}

export interface Checking {
  published: PublishedKeys
  say: Say
  /** Entries of an earlier time have a stamp. Null where no authority is asked for stamps. */
  stampedBefore: Date | null
}

/** Says each problem of an entry. Returns false where its record is gone. */
export function checkEntry(entry: Entry, earlier: Entry | null, checking: Checking): boolean {
  const { published, say } = checking
  const where = `entry ${entry.index}, ${entry.recordId}`
  if (earlier && entry.appendedAt.getTime() < earlier.appendedAt.getTime() - CLOCKS_MS) {
    say('entry_back_dated', where, 'It says that it was appended before the entry in front of it.')
  }
  const { record, jws, madeAt } = entry
  if (record === null || jws === null || madeAt === null) {
    say('record_removed', where, 'Its record is not there, and its account was not erased since.')
    return false
  }
  const seal = sealOf(record, jws)
  checkSignature({ record, jws }, { where, published, say })
  if (!hashLeaf(seal).equals(entry.hash)) {
    say('entry_changed', where, 'The hash in the log is not that of the record and its signature.')
  }
  const read = parseRecord(record)
  if (read?.id !== entry.recordId) say('records_swapped', where, 'The record has another id than its row.')
  if (read && !isOfItsRow(read, entry)) {
    say('record_moved', where, 'Its row or its entry says another account, mode or answer than the signed text.')
  }
  const times = [new Date(read?.made_at ?? Number.NaN), madeAt, entry.appendedAt].map((at) => at.getTime())
  if (new Set(times).size > 1) {
    say('entry_back_dated', where, 'The record, its row and its entry give different times.')
  }
  checkStampOf(entry.stamp, { ...checking, seal, where, at: entry.appendedAt })
  return true
}

/** The row decides who is shown the record. */
function isOfItsRow({ made_for, mode, question }: ReadRecord, { row, accountId }: Entry): boolean {
  return (
    made_for?.account_id === accountId &&
    row?.accountId === accountId &&
    row.mode === mode &&
    row.resolutionId === question.resolution_id
  )
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

/** Says what is wrong with the stamp of what was made at this time. */
export function checkStampOf(
  stamp: Buffer | null,
  { seal, where, at, published, say, stampedBefore }: Checking & { seal: Buffer; where: string; at: Date },
): void {
  if (!stamp) {
    if (stampedBefore && at < stampedBefore) {
      say('stamp_missing', where, 'It has no time stamp a day later: removed, or the authority gave none.')
    }
    return
  }
  try {
    const { imprint, isTrusted, authority } = readTimeStamp(stamp, published.authorities)
    if (!imprint.equals(seal)) return say('stamp_of_other', where, 'Its time stamp is about something else.')
    if (isTrusted || published.authorities.length === 0) return
    say('stamp_untrusted', where, `Its time stamp is of ${authority}, which is not among TIME_STAMP_CA_FILE.`)
  } catch (error) {
    if (!(error instanceof BadForm)) throw error
    say('stamp_broken', where, `Its time stamp does not hold: ${error.message}.`)
  }
}
