import { toNameKey } from '../../register/words/index.ts'
import type { Span } from './sentences.ts'

/** A name in a text that ends in a legal form. */
export interface LegalName extends Span {
  name: string
  /** The country that uses the ending; null if several do (`Limited` in Ireland, Jersey, India…). */
  country: string | null
}

/** Endings of UK company names. Other countries use `Limited` too, so it does not identify a country. */
const UK_ENDINGS =
  'limited liability partnership|community interest company|public limited company|limited partnership|limited|ltd|plc|p\\.l\\.c\\.?|llp|l\\.l\\.p\\.?|c\\.?i\\.?c|cyfyngedig|cyf|ccc|lp'

/** Endings that no UK company has, with their country; checked before the UK endings. */
const FOREIGN_ENDINGS: Array<[pattern: string, country: string]> = [
  ['pte\\.? ?(?:ltd|limited)', 'Singapore'],
  ['pty\\.? ?(?:ltd|limited)', 'Australia'],
  ['\\(pty\\) ?(?:ltd|limited)', 'South Africa'],
  ['(?:pvt|private)\\.? ?(?:ltd|limited)(?!\\s+company)', 'India'],
  ['sdn\\.? ?bhd', 'Malaysia'],
  ['co\\.?, ?(?:ltd|limited)', 'China'],
  ['\\(hk\\) ?(?:ltd|limited)', 'Hong Kong'],
  ['gmbh ?& ?co\\.? ?(?:kg|ohg|kgaa)', 'Germany'],
  ['gmbh|ug ?\\(haftungsbeschränkt\\)|e\\.k\\.|ohg|kgaa|e\\.v\\.', 'Germany'],
  ['ag', 'Germany'],
  ['b\\.v\\.|bv|n\\.v\\.|v\\.o\\.f\\.', 'the Netherlands'],
  ['s\\.?a\\.?r\\.?l\\.?|sasu?|s\\.a\\.s\\.|eurl|s\\.a\\.|sa', 'France'],
  ['s\\.l\\.u?\\.?|sl|slu', 'Spain'],
  ['s\\.r\\.l\\.|srl|s\\.p\\.a\\.|spa(?=,|\\s+-|\\s+P)', 'Italy'],
  ['sp\\. ?z ?o\\.? ?o\\.?', 'Poland'],
  ['a/s|aps', 'Denmark'],
  ['as|asa', 'Norway'],
  ['ab', 'Sweden'],
  ['oyj?', 'Finland'],
  ['s\\.r\\.o\\.|a\\.s\\.', 'Czechia'],
  ['d\\.o\\.o\\.', 'Slovenia or Croatia'],
  ['k\\.k\\.|kk', 'Japan'],
  ['kft\\.?', 'Hungary'],
  ['lda\\.?|unipessoal lda', 'Portugal'],
  ['ltda\\.?', 'Brazil'],
  ['oü', 'Estonia'],
  ['uab', 'Lithuania'],
  ['sia', 'Latvia'],
  ['inc\\.?|incorporated|corp\\.?|corporation|l\\.?l\\.?c\\.?|pbc', 'the United States'],
  ['dac|designated activity company|teoranta|teo|clg', 'Ireland'],
]

const ENDINGS = new RegExp(
  `(?<=[\\p{L}\\p{N})'’.,&+!-]\\s{1,2})(?:${FOREIGN_ENDINGS.map(([pattern]) => `(${pattern})`).join('|')}|(${UK_ENDINGS}))(?![\\p{L}\\p{N}&])`,
  'giu',
)

/** Short endings that are also ordinary words: they count only in capitals. */
const ONLY_IN_CAPITALS =
  /^(?:ag|sa|sl|as|ab|oy|kk|asa|sas|srl|bv|ug|lp|ccc|cic|sia|dac|clg|teo|aps|slu|uab|corporation|incorporated|spa)$/i

/** Lower-case words that join parts of a name. */
const JOINING_WORDS = new Set([
  'and',
  'of',
  'the',
  'for',
  '&',
  '+',
  'y',
  'yr',
  'a',
  'ac',
  'i',
  'de',
  'la',
  'le',
  'du',
  'et',
  'und',
  'von',
  'van',
  "'n'",
  'n',
  'on',
  'by-the-sea',
  'upon',
  'with',
])

/** Words that may begin with a capital, but belong to the sentence around a name. */
const SENTENCE_WORDS = new Set(
  'copyright hawlfraint registered our we this that these in at by from to as is are was mae and/or between with when where since incorporated cofrestrwyd © e&oe ltd limited plc llp'.split(
    ' ',
  ),
)

/** Words that belong to a name only if another word of the name is before them: "Company Limited", "Legal Name". */
const NEEDS_NAME_BEFORE = new Set(
  'company companies website site web page designed built hosted powered maintained created developed legal entity name number no reg private public trading contact about credit payments cover deliveries parent owner operator proprietor publisher published supplier sold customers staff'.split(
    ' ',
  ),
)

const WORDS_MAX = 9

/** Returns every name with a legal ending, in reading order. */
export function findLegalNames(text: string): LegalName[] {
  const names: LegalName[] = []
  for (const match of text.matchAll(ENDINGS)) {
    const ending = match[0]
    if (ONLY_IN_CAPITALS.test(ending) && ending !== ending.toUpperCase() && !/^[A-Z][a-z]+$/.test(ending)) continue
    if (/^(?:sas|spa|as|ab|ag|sa|sl)$/.test(ending)) continue
    if (isPhrase(text, match.index, ending)) continue
    const start = findNameStart(text, match.index, names.at(-1)?.end ?? 0)
    if (start === null) continue
    const end = match.index + ending.length
    const foreign = FOREIGN_ENDINGS.findIndex((_, index) => match[index + 1] !== undefined)
    names.push({ start, end, name: text.slice(start, end), country: FOREIGN_ENDINGS[foreign]?.[1] ?? null })
  }
  return names
}

/** True if the word does not end a name: "a limited company", "limited by guarantee", "Limited time offer". */
function isPhrase(text: string, at: number, ending: string): boolean {
  if (!/^limited$/i.test(ending)) return false
  return /^\s+(?:by\b|compan(?:y|ies)\b|liability|to\b|time|edition|partnership|number|offer|stock|space|availability|period|warranty|cover|run\b|range|selection)/i.test(
    text.slice(at + ending.length, at + ending.length + 20),
  )
}

/** Goes back from the ending over the words of the name, and returns where the name starts. */
function findNameStart(text: string, endingStart: number, previousNameEnd: number): number | null {
  let nameStart: number | null = null
  let position = endingStart
  let openBrackets = 0
  for (let count = 0; count < WORDS_MAX && position > previousNameEnd; count += 1) {
    const match = /(\S+)(\s*)$/.exec(text.slice(Math.max(previousNameEnd, position - 40), position))
    if (!match?.[1]) break
    const [whole, printed = '', space = ''] = match
    const wordStart = position - whole.length
    if (space.includes('\n')) break
    if (printed.endsWith(')') && !printed.includes('(')) openBrackets += 1
    if (endsPhrase(printed, count === 0)) break
    const word = printed.replaceAll(/^[("“'‘[]+|[)"”'’\],]+$/g, '')
    if (openBrackets === 0 && printed.startsWith('(') && !printed.endsWith(')')) {
      // "(Example Widgets Ltd": the name begins inside a bracket.
      if (isNameWord(word)) nameStart = wordStart + 1
      break
    }
    if (openBrackets > 0 && printed.startsWith('(') && !printed.includes(')')) openBrackets -= 1
    const lower = word.toLowerCase()
    const isUndecided = (JOINING_WORDS.has(lower) && word === lower) || (NEEDS_NAME_BEFORE.has(lower) && word !== lower)
    if (!isUndecided) {
      if (isNameWord(word) && !SENTENCE_WORDS.has(lower)) nameStart = wordStart + (/^["“‘'[]/.test(printed) ? 1 : 0)
      else if (openBrackets === 0 || !/^[\w&.-]+$/.test(word)) break
    }
    position = wordStart
    if (/["“‘[]/.test(printed[0] ?? '')) break
  }
  return nameStart === null ? null : dropYear(text, nameStart, endingStart)
}

/**
 * True if a stop, colon, comma or bar after the word separates it from the name. A comma right before the ending does not:
 * "Embergill Law, Inc." is how Americans write.
 */
function endsPhrase(word: string, isBeforeEnding: boolean): boolean {
  if (/[:;|©!?"“”]$/.test(word)) return true
  if (!/[.,]$/.test(word) || (isBeforeEnding && word.endsWith(','))) return false
  return !/^(?:[A-Z]\.)+$|^St\.$|^Co\.,?$|^Bros\.$/.test(word)
}

function isNameWord(word: string): boolean {
  return /^[\p{Lu}\p{N}@£][\p{L}\p{N}\p{M}'’&.+!/@-]*$/u.test(word) || /^\p{Ll}{1,3}\p{Lu}/u.test(word)
}

/** Removes the year of a copyright: "© 2024 Example Ltd". */
function dropYear(text: string, start: number, end: number): number | null {
  const year = /^(?:(?:19|20)\d\d(?:\s*[-–/]\s*(?:(?:19|20)?\d\d))?)\s+/.exec(text.slice(start, end))
  const trimmed = year ? start + year[0].length : start
  return trimmed >= end ? null : trimmed
}

/**
 * Returns the keys under which the register may have the name: as written, then without its first words, which may belong to
 * the sentence. Longest first.
 */
export function listNameKeys(legalName: string): string[] {
  const words = toNameKey(legalName).split(' ')
  const keys: string[] = []
  for (let skip = 0; skip < Math.min(words.length, 4); skip += 1) {
    const key = words.slice(skip).join(' ')
    if (key.length >= 2) keys.push(key)
  }
  return keys
}
