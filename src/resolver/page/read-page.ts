import { decodePage } from './charset.ts'
import type { PageDocument } from './document.ts'
import { PageReader } from './page-reader.ts'
import { readTags } from './read-tags.ts'
import { Stylesheet } from './stylesheet.ts'

/**
 * Reads a page as a person would see it. Never throws, whatever the bytes are; time and memory grow with the size of the
 * page and never faster.
 */
export function readPage(
  body: Buffer,
  { url, contentType }: { url: string; contentType: string | null },
): PageDocument {
  const isCut = body.length > BODY_BYTES_MAX
  const text = decodePage(isCut ? body.subarray(0, BODY_BYTES_MAX) : body, contentType)
  const html = /^\s*text\/plain\b/i.test(contentType ?? '') ? `<plaintext>${text}` : text
  const sheet = new Stylesheet()
  const reader = new PageReader(url, sheet)
  readTags(html, reader)
  if (!reader.hidesLate) return reader.finish(isCut)
  // A style at the end of the page hides what stood before it, so once more, knowing it from the start.
  const again = new PageReader(url, sheet)
  readTags(html, again)
  return again.finish(isCut)
}

const BODY_BYTES_MAX = 4 * 1024 * 1024
