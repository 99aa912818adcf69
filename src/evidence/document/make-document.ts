/** An evidence record as a document for people: two pages, the record and the quoted pages attached, signed and time-stamped. */
import { renderSVG } from 'uqr'
import { findKeyId, parseRecord, sealOf } from '../../../packages/evidence-check/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { StoreFailure } from '../../lib/blobs/blob-store.ts'
import { MARK } from '../../lib/design/mark.ts'
import { themeOf } from '../../lib/design/palette.ts'
import { exportAnswer } from '../../page-archive/index.ts'
import { type StoredRecord, sealRecord } from '../record/stored-record.ts'
import { getDocumentSigner } from './certificates.ts'
import type { FiledRecord } from './filed-record.ts'
import { signDocument } from './sign-document.ts'
import { typesetRecord } from './typeset.ts'

/** Pages beyond this are not attached: mail servers refuse large files. The record has their hashes all the same. */
const ATTACHED_BYTES_MAX = 6_000_000

export interface EvidenceFile {
  pdf: Buffer
  name: string
}

/** Returns the document of a record. Two of one record differ in the times and signature alone. */
export async function makeDocument(app: App, stored: StoredRecord): Promise<EvidenceFile> {
  const record = parseRecord(stored.record) as unknown as FiledRecord | null
  if (!record) throw new Error(`the record ${stored.id} cannot be read`)
  const [warc, signer] = await Promise.all([readPages(app, record), getDocumentSigner(app)])
  const bundle = sealRecord(app, stored)
  const address = verifyAddress(app, stored.id)
  const context = {
    address,
    seal: sealOf(stored.record, stored.jws).toString('hex'),
    keyId: findKeyId(stored.jws) ?? '',
    stamp: bundle.time_stamp.state,
    qr: renderSVG(address, { border: 0 }),
    mark: LOGO,
    hasPages: warc !== null,
  }
  const { pdf } = await typesetRecord(app.typesetters, record, { context, bundle: JSON.stringify(bundle), warc })
  return { pdf: await signDocument(app, pdf, { signer, recordId: stored.id }), name: nameOf(record) }
}

/** The page that says about a record what its holder may know: the id cannot be guessed. */
export function verifyAddress({ config }: Pick<App, 'config'>, recordId: string): string {
  return new URL(`/verify/${recordId}`, config.siteUrl).href
}

/** Our mark in our colour, as an SVG of its own. */
export const LOGO = MARK.markup
  .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
  .replaceAll('currentColor', themeOf('light').brand)

/** As `evidence-harbourlantern.co.uk-2026-11-18.pdf`. A domain has no character that a file's name may not have. */
const nameOf = ({ question, made_at: at }: FiledRecord) =>
  `evidence-${question.domain.replaceAll(/[^a-z0-9.-]/g, '_').slice(0, 100)}-${at.slice(0, 10)}.pdf`

/** A page that is missing or damaged is left out: the document is needed without it too, and the record has its hash. */
async function readPages(app: App, { question, mode }: FiledRecord): Promise<Buffer | null> {
  if (mode === 'test') return null
  try {
    const file = await exportAnswer(app, question.resolution_id, {
      onDamage: (error) => app.log.error({ event: 'evidence.page_left_out', error }),
    })
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of file ?? []) {
      bytes += piece.byteLength
      if (bytes > ATTACHED_BYTES_MAX) return null
      pieces.push(piece)
    }
    const hasPages = pieces.length > 1
    return hasPages ? Buffer.concat(pieces) : null
  } catch (cause) {
    if (!(cause instanceof StoreFailure)) throw cause
    throw new DomainError('unavailable', 'The kept pages cannot be read at this moment. Try again later.', { cause })
  }
}
