/** Checks sealed evidence with Node alone: no database, no network and no package, so that it works the same in ten years. */
export {
  BUNDLE_CHARACTERS_MAX,
  BUNDLE_FORMAT,
  type Bundle,
  parseBundle,
  parseRecord,
  RECORD_KIND,
  RECORD_VERSION,
  type ReadRecord,
  STAMP_STATES,
} from './bundle.ts'
export { isCanonicalJson, toCanonicalJson } from './canonical-json.ts'
export {
  type CheckedStep,
  type CheckReport,
  checkBundle,
  checkSealed,
  failed,
  inWords,
  missing,
} from './check-bundle.ts'
export { checkFile, checkPdf, PDF_BYTES_MAX, readBundleText } from './check-pdf.ts'
export { describeFiledDecision } from './decision.ts'
export { BadForm, TAG, writeDer } from './der.ts'
export { REASON_START } from './pdf-signature.ts'
export { isActiveAt, type PublishedKeys, parsePublishedKeys } from './published-keys.ts'
export { findKeyId, isSignatureOf, sealOf, signText } from './signature.ts'
export {
  findStamp,
  openStampResponse,
  readTimeStamp,
  TOKEN_BYTES_MAX,
  toNonce,
  writeStampRequest,
} from './time-stamp.ts'
