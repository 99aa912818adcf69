import { checkSealed, type PublishedKeys, type ReadRecord } from '../../../packages/evidence-check/index.ts'
import type { App } from '../../app.ts'
import { type StoredRecord, sealRecord } from '../record/stored-record.ts'

export interface StoredRow extends StoredRecord {
  accountId: string
  mode: string
  madeAt: Date
}

/** The entry of the audit log about the making of a record. */
export interface Making {
  auditedAccountId: string
  auditedAt: Date
}

export interface Checking {
  published: PublishedKeys
  say: (kind: string, where: string, says: string) => void
  /** Whatever is older has a stamp. Null where no authority is asked for stamps. */
  stampedBefore: Date | null
}

/** Says each problem of a record: what a customer's check finds, and what only the row and the audit log show. */
export function checkRecord(
  app: Pick<App, 'config'>,
  row: StoredRow,
  making: Making,
  { published, say, stampedBefore }: Checking,
): void {
  const { steps, record } = checkSealed(sealRecord(app, row), published)
  for (const { problem, says } of steps) if (problem !== null) say(problem, row.id, says)
  if (!row.stamp && stampedBefore && row.madeAt < stampedBefore) {
    say('stamp_missing', row.id, 'It has no time stamp a day later: removed, or the authority gave none.')
  }
  if (!record) return
  if (!isOfItsRow(record, row, making)) {
    say('record_moved', row.id, 'Its row or the audit log says another account, mode or answer than the signed text.')
  }
  const times = [new Date(record.made_at), row.madeAt, making.auditedAt].map((at) => at.getTime())
  if (new Set(times).size > 1) {
    say('record_back_dated', row.id, 'The record, its row and the audit log give different times.')
  }
}

/** The row decides who is shown the record. */
function isOfItsRow({ made_for, mode, question }: ReadRecord, row: StoredRow, making: Making): boolean {
  return (
    made_for.account_id === making.auditedAccountId &&
    row.accountId === making.auditedAccountId &&
    row.mode === mode &&
    row.resolutionId === question.resolution_id
  )
}
