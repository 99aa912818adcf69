/**
 * Evidence records: an answer as it is filed, signed, time-stamped and in a log that shows every later change.
 *
 * Promises: a record never changes; the same content of an answer is one record for an account; it is in the log once, in the
 * order of making; every key that ever signed is published; a bundle and the keys are enough to check it without us. The ends of the
 * audit log's chains are signed every day with the same key.
 * Never does: read sites, decide, or charge. A record is shown to its own account and mode alone; the log has hashes alone.
 */
export { anchorAudit } from './anchor/anchor-audit.ts'
export { SEALED_DOCUMENT_KEY } from './document/certificates.ts'
export { type EvidenceFile, makeDocument, verifyAddress } from './document/make-document.ts'
export { readEvidenceState } from './evidence-state.ts'
export { publishHeadJob, stampLateJob, stampRecordJob } from './jobs.ts'
export { listEvidenceKeys, readPublishedKeys, rotateEvidenceKey, SEALED_EVIDENCE_KEY } from './keys.ts'
export { listHeads, presentHead, proveConsistency, proveInclusion, publishHead, readSize } from './log/heads.ts'
export { type MadeRecord, makeRecord } from './record/make-record.ts'
export {
  findNewestRecordId,
  findRecordByAddress,
  getRecord,
  KEYS_PATH,
  listRecordsOf,
  type RecordEntry,
  type StoredRecord,
  sealRecord,
} from './record/stored-record.ts'
export { stampLate } from './stamp/stamp-records.ts'
export { checkSent } from './verify/check-sent.ts'
export { type VerifiedAnchors, verifyAnchors } from './verify/verify-anchors.ts'
export { type LogReport, verifyLog } from './verify/verify-log.ts'
