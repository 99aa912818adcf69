import type { RecordContent } from '../record/content.ts'

/** A whole record, as it was signed. */
export type FiledRecord = RecordContent & { id: string; made_at: string }
