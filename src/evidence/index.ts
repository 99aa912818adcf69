/**
 * Evidence records: an answer as it is filed, signed and time-stamped.
 *
 * Promises: a record never changes; the same content of an answer is one record for an account; every key that ever signed is
 * published; a bundle and the keys are enough to check it without us. The ends of the audit log's chains are signed every day with
 * the same key.
 * Never does: read sites, decide, or charge. A record is shown to its own account and mode alone.
 */
export { anchorAudit } from './anchor/anchor-audit.ts'
export { SEALED_DOCUMENT_KEY } from './document/certificates.ts'
export { type EvidenceFile, makeDocument, verifyAddress } from './document/make-document.ts'
export { openTypesetters } from './document/typesetters.ts'
export { readEvidenceState } from './evidence-state.ts'
export { anchorAuditJob, stampLateJob, stampRecordJob } from './jobs.ts'
export { listEvidenceKeys, readPublishedKeys, rotateEvidenceKey, SEALED_EVIDENCE_KEY } from './keys.ts'
export { type MadeRecord, makeRecord } from './record/make-record.ts'
export {
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
export { verifyRecords } from './verify/verify-records.ts'
