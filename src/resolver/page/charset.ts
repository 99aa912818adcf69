import { TextDecoder } from 'node:util'

/**
 * The page as text. A byte order mark says most, then the header, then the page's own `<meta>`. A page that says nothing
 * is UTF-8 when it reads as UTF-8, and windows-1252 otherwise: what old editors wrote.
 */
export function decodePage(body: Buffer, contentType: string | null): string {
  const declared =
    byteOrderMark(body) ?? decoderFor(charsetOf(contentType ?? '')) ?? decoderFor(declaredInPage(body)) ?? null
  if (declared !== null) return declared.decode(body, UNFINISHED)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body, UNFINISHED)
  } catch {
    return new TextDecoder('windows-1252').decode(body, UNFINISHED)
  }
}

/** The body may have been cut in the middle of a character, which is then left out. */
const UNFINISHED = { stream: true }
const DECLARATION_BYTES_MAX = 4096

function byteOrderMark(body: Buffer): TextDecoder | null {
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
    // A page that could be read so far is not UTF-16, whatever it says.
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
