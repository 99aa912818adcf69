/** Ways to change a document (PDF) after it was made. Each names the problem that the check must find. */
import { deflateSync } from 'node:zlib'
import type { Bundle } from '../../../packages/evidence-check/index.ts'
import type { App } from '../../../src/app.ts'
import { makeSelfSigned } from '../../../src/evidence/document/self-signed.ts'
import { signDocument } from '../../../src/evidence/document/sign-document.ts'

export interface MadeDocument {
  bundle: Bundle
  pdf: Buffer
}

export interface DocumentKind {
  name: string
  /** The step that fails, and its word for it. */
  expected: readonly [step: string, problem: string]
  change: (document: MadeDocument, other: MadeDocument, app: App) => Buffer | Promise<Buffer>
}

const CHANGED = ['document', 'pdf_changed'] as const

/** Flips a bit so far behind the first of these words. */
const flipAfter = (words: string, offset: number) =>
  function flip({ pdf }: MadeDocument): Buffer {
    const changed = Buffer.from(pdf)
    const at = changed.indexOf(words) + offset
    changed[at] = (changed[at] ?? 0) ^ 1
    return changed
  }

/** Swaps words for others of the same length. */
const swapWords = (words: string, others: string) =>
  function swap({ pdf }: MadeDocument): Buffer {
    const at = pdf.indexOf(words)
    if (at === -1 || words.length !== others.length) throw new Error(`the document has no ${words}`)
    return Buffer.concat([pdf.subarray(0, at), Buffer.from(others), pdf.subarray(at + words.length)])
  }

/** The document as it was before it was signed: up to the mark of an end ahead of the signature. */
const unsigned = (pdf: Buffer) => pdf.subarray(0, pdf.lastIndexOf('%%EOF', pdf.indexOf('/ByteRange')) + '%%EOF'.length)

/** A forger has no key of ours, but can make a certificate with our name and sign with it. */
const signAsForger = (app: App, pdf: Buffer, recordId: string) => {
  const forged = { ...makeSelfSigned({ service: app.config.siteUrl.host, at: app.clock.now() }), chain: [] }
  return signDocument(app, pdf, { signer: forged, recordId })
}

/** Puts another file into the stream of an attachment. It must not be longer than the one before; spaces fill the rest. */
function swapAttached(pdf: Buffer, content: Buffer): Buffer {
  const at = pdf.indexOf('/Type /EmbeddedFile')
  const from = pdf.indexOf('stream\n', at) + 'stream\n'.length
  const length = pdf.indexOf('\nendstream', from) - from
  const packed = deflateSync(content, { level: 9 })
  if (packed.length > length) throw new Error('the other file is longer')
  return Buffer.concat([
    pdf.subarray(0, from),
    packed,
    Buffer.alloc(length - packed.length),
    pdf.subarray(from + length),
  ])
}

const SIGNATURE = /<[0-9a-f]{2000,}>/i

/** Puts the signature of one document into the other: both have the same room for it. */
function swapSignature({ pdf }: MadeDocument, other: MadeDocument): Buffer {
  const text = pdf.toString('latin1')
  const [own] = SIGNATURE.exec(text) ?? []
  const [foreign] = SIGNATURE.exec(other.pdf.toString('latin1')) ?? []
  if (!own || !foreign) throw new Error('a document has no signature')
  return Buffer.from(text.replace(own, foreign), 'latin1')
}

export const DOCUMENT_KINDS: readonly DocumentKind[] = [
  { name: 'document: an object', expected: CHANGED, change: flipAfter('/Type /Page\n', 30) },
  { name: 'document: a byte of a page', expected: CHANGED, change: flipAfter('stream\n', 60) },
  { name: 'document: its title', expected: CHANGED, change: swapWords('/Title (Evidence', '/Title (evidence') },
  { name: 'document: a byte of an attachment', expected: CHANGED, change: flipAfter('/Type /EmbeddedFile', 200) },
  {
    name: 'document: the attached record swapped',
    expected: CHANGED,
    change: ({ pdf }) => swapAttached(pdf, Buffer.from('{}')),
  },
  {
    name: 'document: the attached record swapped, and signed by a forger',
    expected: ['form', 'not_a_bundle'],
    change: ({ pdf, bundle }, _, app) => signAsForger(app, swapAttached(unsigned(pdf), Buffer.from('{}')), bundle.id),
  },
  {
    name: 'document: signed by a forger for another record',
    expected: ['attachments', 'another_record'],
    change: ({ pdf }, other, app) => signAsForger(app, unsigned(pdf), other.bundle.id),
  },
  {
    name: 'document: the certificate swapped',
    expected: ['document', 'unknown_certificate'],
    change: ({ pdf, bundle }, _, app) => signAsForger(app, unsigned(pdf), bundle.id),
  },
  {
    name: 'document: the signature removed',
    expected: ['document', 'not_signed'],
    change: ({ pdf }) => Buffer.from(unsigned(pdf)),
  },
  { name: 'document: the signature of another one', expected: CHANGED, change: swapSignature },
  {
    name: 'document: bytes appended',
    expected: ['document', 'bytes_appended'],
    change: ({ pdf }) => Buffer.concat([pdf, Buffer.from('\n% a line more\n%%EOF\n')]),
  },
  {
    name: 'document: signed once more by a forger',
    expected: ['document', 'unknown_certificate'],
    change: ({ pdf, bundle }, _, app) => signAsForger(app, pdf, bundle.id),
  },
  { name: 'document: the end cut off', expected: CHANGED, change: ({ pdf }) => pdf.subarray(0, -10) },
]
