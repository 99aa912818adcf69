/** Checks an evidence document: its own signature over every byte, then the record in it, and that the two belong together. */
import { BUNDLE_CHARACTERS_MAX, parseBundle, type ReadRecord } from './bundle.ts'
import {
  type CheckedStep,
  type CheckReport,
  checkBundle,
  failed,
  inWords,
  missing,
  nameAuthority,
  ok,
  refuseUntrusted,
} from './check-bundle.ts'
import { type Attachment, listAttachments, readAttachment } from './pdf-attachments.ts'
import { BadPdf, checkPdfSignature, type PdfSignature } from './pdf-signature.ts'
import { CLOCKS_MS, type PublishedKeys } from './published-keys.ts'
import { describeSubject } from './signed-data.ts'
import { listWarcPages } from './warc-pages.ts'

export const PDF_BYTES_MAX = 12_000_000
const BUNDLE_BYTES_MAX = 4 * BUNDLE_CHARACTERS_MAX
const PAGES_BYTES_MAX = 16_000_000

/** Returns true for bytes that begin as a PDF does. */
function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 1_024).includes('%PDF-')
}

/** Checks a document, or else the text of a bundle. */
export function checkFile(file: Buffer, published: PublishedKeys): CheckReport {
  return isPdf(file) ? checkPdf(file, published) : checkBundle(file.toString('utf8'), published)
}

/** Returns the text of the bundle that a file is or has attached; empty where there is none. It is to be believed only after a check. */
export function readBundleText(file: Buffer): string {
  return isPdf(file) ? (findBundle(listAttachments(file)) ?? '') : file.toString('utf8')
}

function findBundle(attachments: readonly Attachment[]): string | undefined {
  const attached = attachments.find(({ type }) => type === 'application/json')
  return attached && readAttachment(attached, BUNDLE_BYTES_MAX)?.toString('utf8')
}

/** Returns the steps in order: those of the document, then those of the record in it. */
export function checkPdf(pdf: Buffer, published: PublishedKeys): CheckReport {
  if (pdf.length > PDF_BYTES_MAX) {
    return {
      intact: false,
      steps: [failed('document', 'not_a_document', 'The file is larger than any document of ours.')],
      record: null,
    }
  }
  const [document, signature] = checkDocument(pdf, published)
  const attachments = listAttachments(pdf)
  const text = findBundle(attachments)
  if (text === undefined) {
    const step = failed(
      'attachments',
      'no_record',
      'The document has no evidence record attached, so nothing in it can be checked.',
    )
    return { intact: false, steps: [document, step], record: null }
  }
  const inner = checkBundle(text, published)
  const isOurs = document.result === 'ok'
  const warc = attachments.find(({ type }) => type === 'application/warc')
  const attached = checkAttached({ text, signature, warc: isOurs ? warc : undefined, record: inner.record })
  const steps = [
    document,
    ...(signature ? [checkTime(signature, { record: inner.record, authorities: published.authorities })] : []),
    ...(signature ? [attached] : []),
    ...inner.steps,
  ]
  return { ...inner, intact: steps.every(({ result }) => result !== 'failed'), steps }
}

function checkDocument(pdf: Buffer, { certificates, authorities }: PublishedKeys): [CheckedStep, PdfSignature | null] {
  try {
    const signature = checkPdfSignature(pdf, authorities)
    const known = certificates.some(({ raw }) => raw.equals(signature.certificate.raw))
    if (!known) {
      const by = describeSubject(signature.certificate)
      return [
        failed(
          'document',
          'unknown_certificate',
          `The document is signed by ${by}, whose certificate is not among the published ones.`,
        ),
        signature,
      ]
    }
    return [
      ok(
        'document',
        `${describeSubject(signature.certificate)} signed this very document. Not one byte was changed, added or removed since.`,
      ),
      signature,
    ]
  } catch (error) {
    if (!(error instanceof BadPdf)) throw error
    return [failed('document', error.problem, error.message), null]
  }
}

function checkTime(
  { stamp, certificate }: PdfSignature,
  { record, authorities }: { record: ReadRecord | null; authorities: PublishedKeys['authorities'] },
): CheckedStep {
  if (!stamp) {
    return missing(
      'document_time',
      'No time-stamp authority confirmed the time of the document. The record in it has a time of its own.',
    )
  }
  if (record && stamp.at.getTime() < new Date(record.made_at).getTime() - CLOCKS_MS) {
    return failed('document_time', 'times_out_of_order', 'The document’s time stamp is older than the record in it.')
  }
  if (!stamp.isTrusted) return refuseUntrusted('document_time', stamp, authorities)
  const at = inWords(stamp.at.toISOString())
  if (!isValidAbout(certificate, stamp.at)) {
    return failed(
      'document_time',
      'certificate_not_valid',
      `The document was signed by a certificate that was not valid on ${at}.`,
    )
  }
  return ok('document_time', `${nameAuthority(stamp)} confirms that the signed document existed on ${at}.`)
}

const isValidAbout = ({ validFrom, validTo }: PdfSignature['certificate'], at: Date) =>
  at.getTime() >= new Date(validFrom).getTime() - CLOCKS_MS && at.getTime() <= new Date(validTo).getTime() + CLOCKS_MS

interface Attached {
  text: string
  signature: PdfSignature | null
  /** The quoted pages, where the document is ours: what a stranger attached is not unpacked. */
  warc: Attachment | undefined
  record: ReadRecord | null
}

function checkAttached({ text, signature, warc, record }: Attached): CheckedStep {
  const bundle = parseBundle(text)
  const id = typeof bundle === 'string' ? null : bundle.id
  if (signature && signature.recordId !== id) {
    return failed(
      'attachments',
      'another_record',
      'The attached record is another one than the document was signed for.',
    )
  }
  const same = 'The record in the document is the one that it was signed for'
  if (!warc) return ok('attachments', `${same}. No pages are attached.`)
  const content = readAttachment(warc, PAGES_BYTES_MAX)
  const pages = content && listWarcPages(content)
  if (!pages) return failed('attachments', 'pages_broken', 'The attached pages cannot be read as a web archive.')
  const bodies = new Set(pages.map(({ sha256 }) => sha256))
  const quotes = record?.quotes ?? []
  const isSwapped = quotes
    .filter(({ page_sha256: hash }) => !bodies.has(hash))
    .some((quote) => pages.some(({ url, fetchedAt }) => url === quote.url && fetchedAt === quote.fetched_at))
  if (isSwapped) {
    return failed(
      'attachments',
      'page_swapped',
      'An attached page has the address and the time of a page that the record quotes, and another content.',
    )
  }
  const quoted = new Set(quotes.map(({ page_sha256: hash }) => hash))
  const attached = [...quoted].filter((hash) => bodies.has(hash)).length
  if (attached === quoted.size) {
    const pages = quoted.size === 1 ? 'the page that it quotes is' : `the ${quoted.size} pages that it quotes are`
    return ok('attachments', `${same}, and ${pages} attached as received.`)
  }
  if (attached === 0) {
    return missing(
      'attachments',
      `${same}. None of the pages that it quotes is attached: the attached ones are others.`,
    )
  }
  return ok(
    'attachments',
    `${same}. Of the ${quoted.size} pages that it quotes ${attached} are attached as received; the others were not kept.`,
  )
}
