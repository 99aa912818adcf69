import {
  BadForm,
  findKeyId,
  isActiveAt,
  isCanonicalJson,
  isSignatureOf,
  type PublishedKeys,
  parseRecord,
  type ReadRecord,
  readTimeStamp,
  sealOf,
} from '../../../packages/evidence-check/index.ts'

export type Say = (kind: string, where: string, says: string) => void

export interface StoredRow {
  id: string
  accountId: string
  mode: string
  resolutionId: string
  record: string
  jws: string
  stamp: Buffer | null
  madeAt: Date
}

/** The entry of the audit log about the making of a record. */
export interface Making {
  auditedAccountId: string
  auditedAt: Date
}

export interface Checking {
  published: PublishedKeys
  say: Say
  /** Whatever is older has a stamp. Null where no authority is asked for stamps. */
  stampedBefore: Date | null
}

/** Says each problem of a record. */
export function checkRecord(row: StoredRow, making: Making, checking: Checking): void {
  const { published, say } = checking
  const { id, record, jws, madeAt } = row
  checkSignature({ record, jws }, { where: id, published, say })
  const read = parseRecord(record)
  if (read?.id !== id) say('records_swapped', id, 'The record has another id than its row.')
  if (read && !isOfItsRow(read, row, making)) {
    say('record_moved', id, 'Its row or the audit log says another account, mode or answer than the signed text.')
  }
  const times = [read?.made_at, madeAt, making.auditedAt].map((at) => new Date(at ?? Number.NaN).getTime())
  if (new Set(times).size > 1)
    say('record_back_dated', id, 'The record, its row and the audit log give different times.')
  checkStampOf(row.stamp, { ...checking, seal: sealOf(record, jws), where: id, at: madeAt })
}

/** The row decides who is shown the record. */
function isOfItsRow({ made_for, mode, question }: ReadRecord, row: StoredRow, making: Making): boolean {
  return (
    made_for?.account_id === making.auditedAccountId &&
    row.accountId === making.auditedAccountId &&
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
