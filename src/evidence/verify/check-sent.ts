/**
 * Checks a file as anyone can, and then against what is stored here. A key that signed once can be stolen: the log that it signs
 * then holds by itself, and only our own log shows that it is another one.
 */
import {
  type Bundle,
  type CheckedStep,
  type CheckReport,
  CLOCKS_MS,
  checkBundle,
  checkPdf,
  failed,
  findAttachedBundle,
  inWords,
  isPdf,
  missing,
  openHead,
  type PublishedKeys,
  parseBundle,
  parsePublishedKeys,
  readTimeStamp,
} from '../../../packages/evidence-check/index.ts'
import type { App } from '../../app.ts'
import { readPublishedKeys } from '../keys.ts'
import { findLogged } from '../log/heads.ts'

export async function checkSent(app: App, sent: Buffer): Promise<CheckReport> {
  const published = parsePublishedKeys(await readPublishedKeys(app))
  const isDocument = isPdf(sent)
  const report = isDocument ? checkPdf(sent, published) : checkBundle(sent.toString('utf8'), published)
  if (!report.intact) return report
  const bundle = parseBundle((isDocument ? findAttachedBundle(sent) : sent.toString('utf8')) ?? '')
  if (typeof bundle === 'string') return report
  const found = [await compareLog(app, bundle), await compareStamp(app, bundle, published)]
  const steps = report.steps.map((step) => found.find((other) => other?.step === step.step) ?? step)
  return { ...report, intact: steps.every(({ result }) => result !== 'failed'), steps }
}

/** Returns what is wrong; null where our log has this record at this position, and this head. */
async function compareLog({ db }: App, { id, log }: Bundle): Promise<CheckedStep | null> {
  const own = await findLogged(db, { recordId: id, size: log.head.size })
  const isOurs =
    own?.index === log.index &&
    own.hash.toString('hex') === log.leaf_hash &&
    own.root?.toString('hex') === log.head.root
  if (isOurs) return null
  return failed(
    'log',
    'not_in_our_log',
    'The proof holds by itself, but the log of this service has no such record there: another log was signed with a key of ours.',
  )
}

/** Returns what is wrong, or what to do, where the file has another stamp than the record has here, or none. */
async function compareStamp(
  { db }: App,
  { id, time_stamp: { token }, log }: Bundle,
  { authorities, keys }: PublishedKeys,
): Promise<CheckedStep | null> {
  const [row] = await db.query<{ stamp: Buffer | null }>('select stamp from evidence_record where id = $1', [id])
  if (!row?.stamp || row.stamp.toString('base64') === token) return null
  if (token !== null) {
    return failed('time_stamp', 'stamp_swapped', 'The record has another time stamp than this file.')
  }
  const { at } = readTimeStamp(row.stamp, authorities)
  const fetchedFrom = openHead(log.head.checkpoint, keys)?.madeAt
  if (fetchedFrom && at.getTime() < fetchedFrom.getTime() - CLOCKS_MS) {
    return failed(
      'time_stamp',
      'stamp_removed',
      'The record had a time stamp when this file was made: it was taken out.',
    )
  }
  return missing(
    'time_stamp',
    `A time-stamp authority has confirmed the record on ${inWords(at.toISOString())}, and this file is without its stamp. Fetch the bundle again.`,
  )
}
