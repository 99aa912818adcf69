import { withoutInvisible } from '../../lib/text/invisible-characters.ts'

/** Marks a `<br>` until the text is cleaned, then becomes a newline. Newlines of the source become spaces. */
export const LINE_BREAK = '\u2028'

/** Normalises text for comparison and quotes: one form per character, nothing invisible, single spaces, trimmed. */
function cleanText(text: string): string {
  return detached((UNCLEAN.test(text) ? collapse(normalise(text)) : text).trim())
}

/** Cleans text into one line of at most `max` characters. */
export function cleanLine(text: string, max: number): string {
  const line = cleanText(text.slice(0, max * 4)).replaceAll('\n', ' ')
  return line.length > max ? line.slice(0, max).toWellFormed().trimEnd() : line
}

export interface Piece {
  text: string
  href: string | null
}

export interface LinkedText {
  text: string
  links: Array<{ start: number; end: number; href: string }>
}

/** Cleans several pieces as one text, and returns the offsets of the linked pieces in it. */
export function cleanPieces(pieces: readonly Piece[]): LinkedText {
  const only = pieces.length === 1 ? pieces[0] : undefined
  if (only?.href === null) return { text: cleanText(only.text), links: [] }
  let text = ''
  const links: LinkedText['links'] = []
  for (const piece of pieces) {
    const added = afterSpaceOf(text, UNCLEAN.test(piece.text) ? collapse(normalise(piece.text)) : piece.text)
    if (added.startsWith('\n') && text.endsWith(' ')) text = text.slice(0, -1)
    const start = text.length + added.length - added.trimStart().length
    text += added
    if (piece.href !== null && start < text.length) links.push({ start, end: text.length, href: piece.href })
  }
  text = detached(text.trimEnd())
  for (const link of links) {
    link.end = Math.min(link.end, text.length)
    while (link.end > link.start && WHITE_SPACE.test(text.charAt(link.end - 1))) link.end--
  }
  return { text, links: links.filter((link) => link.end > link.start) }
}

/** Does not match plain text with single spaces: most text skips the cleaning. */
const UNCLEAN = /[^ -~]| {2}/
const WHITE_SPACE = /\s/
const CONTROL = /[\p{Cc}--[\t-\r]]/gv

/**
 * Leaves out characters whose compatibility form is wrong here: `Acme™` is not AcmeTM, `O´Neill` has no space, and the
 * footnote of `01234567¹` or the half of `3½` are not further digits.
 */
const NORMALISED = /[^™℠´¨¯¸¹²³¼½¾\u2070-\u208e\u2150-\u215f]+/g

function normalise(text: string): string {
  return withoutInvisible(text)
    .replaceAll(CONTROL, '')
    .replaceAll(NORMALISED, (part) => part.normalize('NFKC'))
    .toWellFormed()
}

function collapse(text: string): string {
  return text
    .replaceAll(/[^\S\u2028]+/g, ' ')
    .replaceAll(/ ?\u2028 ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
}

/** Returns `added` without the white space that `text` already ends with. */
function afterSpaceOf(text: string, added: string): string {
  if (text === '') return added.trimStart()
  if (text.endsWith('\n\n')) return added.trimStart()
  if (text.endsWith('\n')) return added.startsWith('\n') ? `\n${added.trimStart()}` : added.replace(/^ /, '')
  return text.endsWith(' ') ? added.replace(/^ /, '') : added
}

/** Copies a text: a slice would keep the whole page in memory. */
export function detached(text: string): string {
  return ` ${text}`.slice(1)
}
