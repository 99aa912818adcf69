import { DomainError } from '../../errors.ts'
import { type IsolatedThreads, ThreadFailure, ThreadsBusy } from '../../lib/isolated-threads.ts'
import type { FiledRecord } from './filed-record.ts'
import { PAGES_MAX, ROOMS } from './room.ts'
import { composeSheet, type SheetContext } from './sheet.ts'
import type { TypesetDocument, TypesettingTask } from './typesetting-thread.ts'

/** Returns the document as PDF, without a signature. The same record, context and attachments make the same bytes. */
export async function typesetRecord(
  threads: IsolatedThreads,
  record: FiledRecord,
  { context, ...attached }: { context: SheetContext; bundle: string; warc: Uint8Array | null },
): Promise<TypesetDocument> {
  const madeAt = Math.floor(new Date(record.made_at).getTime() / 1_000)
  let made: TypesetDocument | null = null
  for (const room of ROOMS) {
    made = await typeset(threads, { sheet: composeSheet(record, context, room), madeAt, ...attached })
    if (made.pages <= PAGES_MAX) break
  }
  if (!made) throw new Error('there is no room')
  return made
}

const BUSY_SECONDS = 5

async function typeset(threads: IsolatedThreads, task: TypesettingTask): Promise<TypesetDocument> {
  try {
    return (await threads.run(task)) as TypesetDocument
  } catch (cause) {
    if (cause instanceof ThreadsBusy) {
      const message = 'Too many documents are being made at this moment. Try again in a few seconds.'
      throw new DomainError('busy', message, { cause, retryAfterSeconds: BUSY_SECONDS })
    }
    if (!(cause instanceof ThreadFailure)) throw cause
    throw new DomainError(
      'unavailable',
      'The document of this record cannot be made on this machine now. The record itself can be had as JSON.',
      { cause },
    )
  }
}
