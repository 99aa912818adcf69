/**
 * Checks a file as anyone can, and then against what is stored here. A key that signed once can be stolen: a record that it signs
 * then holds by itself, and only we know that we never made it.
 */
import {
  type Bundle,
  type CheckedStep,
  type CheckReport,
  checkFile,
  failed,
  inWords,
  missing,
  type PublishedKeys,
  parseBundle,
  parsePublishedKeys,
  readBundleText,
  readTimeStamp,
  sealOf,
} from '../../../packages/evidence-check/index.ts'
import type { App } from '../../app.ts'
import { readPublishedKeys } from '../keys.ts'
import { findErasedSeal } from '../record/stored-record.ts'

export async function checkSent(app: App, sent: Buffer): Promise<CheckReport> {
  const published = parsePublishedKeys(await readPublishedKeys(app))
  const report = checkFile(sent, published)
  if (!report.intact) return report
  const bundle = parseBundle(readBundleText(sent))
  if (typeof bundle === 'string') return report
  const found = await compareWithStored(app, bundle, published)
  const steps = report.steps.map((step) => (found?.step === step.step ? found : step))
  return { ...report, intact: steps.every(({ result }) => result !== 'failed'), steps }
}

/** Returns what is wrong, or what to do, where we have another record or stamp than the file; null where nothing is. */
async function compareWithStored(
  { db }: App,
  { id, record, jws, time_stamp: { token } }: Bundle,
  { authorities }: PublishedKeys,
): Promise<CheckedStep | null> {
  const [row] = await db.query<{ record: string; jws: string; stamp: Buffer | null }>(
    'select record, jws, stamp from evidence_record where id = $1',
    [id],
  )
  const seal = row ? sealOf(row.record, row.jws) : await findErasedSeal(db, id)
  if (!seal?.equals(sealOf(record, jws))) {
    return failed(
      'signature',
      'not_our_record',
      'The signature holds by itself, but this service made no such record: another one was signed with a key of ours.',
    )
  }
  if (!row?.stamp || row.stamp.toString('base64') === token) return null
  if (token !== null) {
    return failed('time_stamp', 'stamp_swapped', 'The record has another time stamp than this file.')
  }
  const { at } = readTimeStamp(row.stamp, authorities)
  return missing(
    'time_stamp',
    `A time-stamp authority has confirmed the record on ${inWords(at.toISOString())}, and this file is without its stamp. Fetch the bundle again.`,
  )
}
