/** The files that are attached to one of our PDFs. They are found without reading them: a stranger's file may be a bomb. */
import { inflateSync } from 'node:zlib'

const MARKER = '/Type /EmbeddedFile'
const ATTACHMENTS_MAX = 10
const HEADER_BYTES_MAX = 2_000

export interface Attachment {
  /** As `application/json`. */
  type: string
  bytes: Buffer
  isDeflated: boolean
}

/** Returns the attached files in their order. What is inside of one is not searched: it holds bytes of others. */
export function listAttachments(pdf: Buffer): Attachment[] {
  const found: Attachment[] = []
  let at = pdf.indexOf(MARKER)
  for (let count = 0; at !== -1 && count < ATTACHMENTS_MAX; count += 1) {
    const attachment = findAt(pdf, at)
    if (attachment) found.push(attachment)
    at = pdf.indexOf(MARKER, attachment ? attachment.end : at + MARKER.length)
  }
  return found
}

function findAt(pdf: Buffer, marker: number): (Attachment & { end: number }) | null {
  const start = pdf.lastIndexOf(' 0 obj', marker)
  const word = pdf.indexOf('stream', marker)
  if (start === -1 || word === -1 || word - start > HEADER_BYTES_MAX) return null
  const header = pdf.toString('latin1', start, word)
  const length = Number(/\/Length (\d{1,9})/.exec(header)?.[1] ?? Number.NaN)
  const type = /\/Subtype \/([\w.+-]+)#2[fF]([\w.+-]+)/.exec(header)
  // After the word comes a line feed, or a carriage return and a line feed.
  const from = word + 'stream'.length + (pdf[word + 'stream'.length] === 0x0d ? 2 : 1)
  const end = from + length
  if (!type || Number.isNaN(length) || end > pdf.length) return null
  const isDeflated = /\/Filter \/FlateDecode/.test(header)
  return { type: `${type[1]}/${type[2]}`, bytes: pdf.subarray(from, end), isDeflated, end }
}

/** Returns what is in an attachment; null where it cannot be read, or is longer than `bytesMax`. */
export function readAttachment({ bytes, isDeflated }: Attachment, bytesMax: number): Buffer | null {
  if (!isDeflated) return bytes.length > bytesMax ? null : bytes
  try {
    return inflateSync(bytes, { maxOutputLength: bytesMax })
  } catch {
    return null
  }
}
