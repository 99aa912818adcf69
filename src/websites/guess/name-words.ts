import { toNameKey } from '../../register/index.ts'

/** A company's name taken apart, the way someone who chooses a domain would look at it. */
export interface NameWords {
  /** Lower case, plain letters and digits, without a leading "the" and without the legal ending. */
  words: NameWord[]
  hasThe: boolean
  /** The legal ending as one word, such as `limited` or `communityinterestcompany`; empty when there is none. */
  legalEnding: string
}

export interface NameWord {
  text: string
  isBracketed: boolean
}

const NAME_CHARACTERS_MAX = 200
const WORDS_MAX = 9

/** Letters that Unicode does not take for a letter with an accent. */
const SPELT_OUT: Record<string, string> = { æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ß: 'ss' }

export function readNameWords(name: string): NameWords {
  const all = splitWords(toPlain(name.slice(0, NAME_CHARACTERS_MAX)))
  const isTheFirst = all.length > 1 && all[0]?.text === 'the'
  if (isTheFirst) all.shift()
  const last = all.at(-1)
  const isTheLast = all.length > 1 && last?.text === 'the' && last.isBracketed
  if (isTheLast) all.pop()
  const texts = all.map(({ text }) => text)
  const namedCount = countBeforeLegalEnding(texts)
  return {
    words: joinInitials(joinCooperative(all.slice(0, namedCount))).slice(0, WORDS_MAX),
    hasThe: isTheFirst || isTheLast,
    legalEnding: texts.slice(namedCount).join(''),
  }
}

/** The register's own key decides what a legal ending is; it also drops a second "the", which stays a word here. */
function countBeforeLegalEnding(texts: string[]): number {
  const key = toNameKey(texts.join(' '))
  if (key === '') return 0
  const isTheDropped = texts[0] === 'the' && key !== 'THE'
  return key.split(' ').length + (isTheDropped ? 1 : 0)
}

function toPlain(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[æœøđðłþß]/g, (letter) => SPELT_OUT[letter] ?? letter)
    .replaceAll(/['’‘`´"“”]/g, '')
    .replaceAll(/[&+]/g, ' and ')
    .replaceAll('@', ' at ')
}

const DOTTED_INITIALS = /^(?:[a-z0-9]{1,2}\.)+[a-z0-9]{0,2}$/

function splitWords(plain: string): NameWord[] {
  const words: NameWord[] = []
  let depth = 0
  for (const [piece] of plain.matchAll(/[()[\]]|[a-z0-9.]+/g)) {
    if (piece === '(' || piece === '[') depth += 1
    else if (piece === ')' || piece === ']') depth = Math.max(0, depth - 1)
    else {
      // Dots between initials join them (J.B. → jb); elsewhere they part words (Bookworm.com → bookworm com).
      const texts = DOTTED_INITIALS.test(piece) ? [piece.replaceAll('.', '')] : piece.split('.')
      for (const text of texts) if (text !== '') words.push({ text, isBracketed: depth > 0 })
    }
  }
  return words
}

/** CO-OPERATIVE and CO-OP are one word, however they are written. */
function joinCooperative(words: NameWord[]): NameWord[] {
  const joined: NameWord[] = []
  for (const word of words) {
    const last = joined.at(-1)
    if (last?.text === 'co' && /^op(?:s|erati(?:ve|ves|on))?$/.test(word.text)) last.text += word.text
    else joined.push({ ...word })
  }
  return joined
}

/** J C BAMFORD is spoken of as JC Bamford. */
function joinInitials(words: NameWord[]): NameWord[] {
  const joined: NameWord[] = []
  let isAfterInitial = false
  for (const word of words) {
    const last = joined.at(-1)
    const isInitial = word.text.length === 1
    if (isInitial && isAfterInitial && last) last.text += word.text
    else joined.push({ ...word })
    isAfterInitial = isInitial
  }
  return joined
}
