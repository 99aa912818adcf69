import { TextDecoder } from 'node:util'
import type { PageDocument } from './document.ts'
import { PageReader } from './page-reader.ts'
import { readTags } from './read-tags.ts'
import { Stylesheet } from './stylesheet.ts'

/**
 * Reads a page as a person would see it. Never throws, whatever the bytes are. Time and memory grow linearly with the size of
 * the page.
 */
export function readPage(
  body: Buffer,
  { url, contentType }: { url: string; contentType: string | null },
): PageDocument {
  const isCut = body.length > BODY_BYTES_MAX
  const text = decodePage(isCut ? body.subarray(0, BODY_BYTES_MAX) : body, contentType)
  const html = /^\s*text\/plain\b/i.test(contentType ?? '') ? `<plaintext>${text}` : text
  const sheet = new Stylesheet()
  const read = (opened?: ReadonlySet<string>) => {
    const reader = new PageReader(url, sheet, opened)
    readTags(html, reader)
    return reader
  }
  let reader = read()
  // A style hides text before it: read the page again with all styles known from the start.
  if (reader.hasLateHidingRule) reader = read()
  // A person can open hidden text, such as a legal notice behind a link: read the page again with it.
  const opened = reader.listOpened()
  if (opened.size > 0) reader = read(opened)
  return reader.finish(isCut)
}

const BODY_BYTES_MAX = 4 * 1024 * 1024

/**
 * Decodes a page by its byte order mark, else the header, else its `<meta>`. Without any of these it is UTF-8 if it is valid
 * UTF-8, or else windows-1252, which old editors wrote.
 */
export function decodePage(body: Buffer, contentType: string | null): string {
  const declared =
    decoderOfMark(body) ?? decoderFor(charsetOf(contentType ?? '')) ?? decoderFor(declaredInPage(body)) ?? null
  if (declared !== null) return declared.decode(body, UNFINISHED)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body, UNFINISHED)
  } catch {
    return new TextDecoder('windows-1252').decode(body, UNFINISHED)
  }
}

/** The body may be cut in the middle of a character; that character is left out. */
const UNFINISHED = { stream: true }
const DECLARATION_BYTES_MAX = 4096

function decoderOfMark(body: Buffer): TextDecoder | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return new TextDecoder('utf-8')
  if (body[0] === 0xff && body[1] === 0xfe) return new TextDecoder('utf-16le')
  if (body[0] === 0xfe && body[1] === 0xff) return new TextDecoder('utf-16be')
  return null
}

function charsetOf(text: string): string | null {
  return /charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(text)?.[1] ?? null
}

function declaredInPage(body: Buffer): string | null {
  const start = body.toString('latin1', 0, DECLARATION_BYTES_MAX).replaceAll(/<!--.*?-->/gs, '')
  for (const [tag] of start.matchAll(/<meta\s[^>]*>/gi)) {
    const charset = charsetOf(tag)
    // This tag could be read as single bytes, so the page is not UTF-16, whatever it declares.
    if (charset !== null) return /^utf-?16/i.test(charset) ? 'utf-8' : charset
  }
  return /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w:.-]{1,40})/i.exec(start)?.[1] ?? null
}

function decoderFor(label: string | null): TextDecoder | null {
  if (label === null) return null
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}
