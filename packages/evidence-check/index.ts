/** Checks sealed evidence with Node alone: no database, no network and no package, so that it works the same in ten years. */
export { BUNDLE_CHARACTERS_MAX, type Bundle, type LoggedProof, STAMP_STATES } from './bundle.ts'
export { type CheckedStep, type CheckReport, checkBundle, inWords } from './check-bundle.ts'
export { checkGrowth, checkHead, findSavedHead, type GrowthStep, type SavedHead } from './check-growth.ts'
export { checkPdf, findAttachedBundle, isPdf, PDF_BYTES_MAX } from './check-pdf.ts'
export { describeFiledDecision } from './decision.ts'
export { type PublishedKeys, parsePublishedKeys } from './published-keys.ts'
export { sealOf } from './signature.ts'
