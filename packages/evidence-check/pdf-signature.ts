/** The signature of a PDF (PAdES): which bytes it covers, by whom it is, and the time that an authority confirms for it. */
import { createHash, type X509Certificate } from 'node:crypto'
import { BadForm, readDerStart } from './der.ts'
import { ContentChanged, checkSigner, findUnsigned, readSignedData } from './signed-data.ts'
import { findStamp, type TimeStamp } from './time-stamp.ts'

const OID = { data: '1.2.840.113549.1.7.1', signatureStamp: '1.2.840.113549.1.9.16.2.14' } as const

/** Ahead of the record's id in the reason that a signature gives: it ties the pages to the record. */
export const REASON_START = 'Evidence record '

export interface PdfSignature {
  certificate: X509Certificate
  /** The record that the signature names. */
  recordId: string | null
  stamp: TimeStamp | null
}

export type PdfProblem = 'not_signed' | 'bytes_appended' | 'pdf_changed' | 'signature_broken' | 'stamp_broken'

/** Says which check of a PDF failed. */
export class BadPdf extends Error {
  readonly problem: PdfProblem

  constructor(problem: PdfProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

const RANGE = /\/ByteRange\s{0,9}\[\s{0,9}(\d{1,10})\s{1,9}(\d{1,10})\s{1,9}(\d{1,10})\s{1,9}(\d{1,10})\s{0,9}\]/y
const RANGE_BYTES_MAX = 100
/** Twice the room that a signature gets, in hexadecimal. */
const HEX_MAX = 200_000

/**
 * Throws `BadPdf` where any byte is not covered by the last signature, or the signature does not hold. What is read of the file is
 * in the object of that signature: attached pages hold bytes of strangers, who may write there what looks like a signature.
 */
export function checkPdfSignature(pdf: Buffer, trusted: readonly X509Certificate[]): PdfSignature {
  const at = pdf.lastIndexOf('/ByteRange')
  const start = pdf.lastIndexOf(' 0 obj', at)
  RANGE.lastIndex = 0
  const range = at === -1 || start === -1 ? null : RANGE.exec(pdf.toString('latin1', at, at + RANGE_BYTES_MAX))
  if (!range) throw new BadPdf('not_signed', 'The document has no signature, or it was removed.')
  const [from = 0, first = 0, second = 0, length = 0] = range.slice(1).map(Number)
  if (second + length < pdf.length) {
    throw new BadPdf('bytes_appended', 'Something was appended to the document after it was signed.')
  }
  const hex = pdf.toString('latin1', first, Math.min(second, first + HEX_MAX))
  const end = pdf.indexOf('endobj', Math.max(second, at))
  const isWhole = from === 0 && second + length === pdf.length && /^<[0-9a-f]+>$/i.test(hex)
  if (!isWhole || end === -1 || first < start || second > end) {
    throw new BadPdf('pdf_changed', 'The signature does not cover the whole document.')
  }
  const object = pdf.toString('latin1', start, first) + pdf.toString('latin1', second, end)
  const content = [pdf.subarray(0, first), pdf.subarray(second)]
  try {
    const bytes = Buffer.from(hex.slice(1, -1), 'hex')
    const message = readDerStart(bytes).whole
    if (bytes.subarray(message.length).some((byte) => byte !== 0)) throw new BadForm('something follows it')
    const signed = readSignedData(message, OID.data)
    const { certificate, signature } = checkSigner(signed, { content, type: OID.data })
    return { certificate, recordId: findRecordId(object), stamp: readStamp(signed, signature, trusted) }
  } catch (error) {
    if (error instanceof BadPdf) throw error
    if (error instanceof ContentChanged) {
      throw new BadPdf('pdf_changed', 'The document was changed after it was signed.')
    }
    const why = error instanceof BadForm ? error.message : 'a certificate in it cannot be read'
    throw new BadPdf('signature_broken', `The signature of the document does not hold: ${why}.`)
  }
}

function readStamp(
  signed: Parameters<typeof findUnsigned>[0],
  signature: Buffer,
  trusted: readonly X509Certificate[],
): TimeStamp | null {
  const token = findUnsigned(signed, OID.signatureStamp)
  if (!token) return null
  const stamp = findStamp(token.whole, trusted)
  if (typeof stamp === 'string') {
    throw new BadPdf('stamp_broken', `The time stamp of the document does not hold: ${stamp}.`)
  }
  if (!stamp.imprint.equals(createHash('sha256').update(signature).digest())) {
    throw new BadPdf('stamp_broken', 'The time stamp of the document is about another signature.')
  }
  return stamp
}

function findRecordId(object: string): string | null {
  return new RegExp(`/Reason\\s*\\(${REASON_START}(evd_[0-9A-Za-z]{1,60})\\)`).exec(object)?.[1] ?? null
}
