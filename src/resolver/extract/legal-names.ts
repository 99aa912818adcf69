import { toNameKey } from '../../register/index.ts'
import type { Span } from './sentences.ts'

/** A name that ends in a legal form, as it stands in a text. */
export interface LegalName extends Span {
  name: string
  /** Which country's law knows the ending; `null` for endings that several use (`Limited` in Ireland, Jersey, India…). */
  country: string | null
}

/** Endings of UK company names. `Limited` is used elsewhere too, so it speaks for no country by itself. */
const UK_ENDINGS =
  'limited liability partnership|community interest company|public limited company|limited partnership|limited|ltd|plc|p\\.l\\.c\\.?|llp|l\\.l\\.p\\.?|c\\.?i\\.?c|cyfyngedig|cyf|ccc|lp'

/** Endings that no UK company has, and the country that does; checked before the UK's own. */
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

/** Short endings that are ordinary words or letters elsewhere: only as written in a name. */
const ONLY_IN_CAPITALS =
  /^(?:ag|sa|sl|as|ab|oy|kk|asa|sas|srl|bv|ug|lp|ccc|cic|sia|dac|clg|teo|aps|slu|uab|corporation|incorporated|spa)$/i

/** Words that join parts of a name in small letters. */
const JOINING = new Set([
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

/** Words that begin with a capital but belong to the sentence around a name. */
const OUTSIDE = new Set(
  'copyright hawlfraint registered our we this that these in at by from to as is are was mae and/or between with when where since incorporated cofrestrwyd © e&oe ltd limited plc llp'.split(
    ' ',
  ),
)

/** Words that belong to the sentence when nothing of a name stands before them: "Company Limited", "Legal Name". */
const DOUBTFUL = new Set(
  'company companies website site web page designed built hosted powered maintained created developed legal entity name number no reg private public trading contact about credit payments cover deliveries parent owner operator proprietor publisher published supplier sold customers staff'.split(
    ' ',
  ),
)

const WORDS_MAX = 9

/** Every name with a legal ending in the text, in reading order. */
export function findLegalNames(text: string): LegalName[] {
  const names: LegalName[] = []
  for (const match of text.matchAll(ENDINGS)) {
    const ending = match[0]
    if (ONLY_IN_CAPITALS.test(ending) && ending !== ending.toUpperCase() && !/^[A-Z][a-z]+$/.test(ending)) continue
    if (/^(?:sas|spa|as|ab|ag|sa|sl)$/.test(ending)) continue
    if (isPhrase(text, match.index, ending)) continue
    const start = findStart(text, match.index, names.at(-1)?.end ?? 0)
    if (start === null) continue
    const end = match.index + ending.length
    const foreign = FOREIGN_ENDINGS.findIndex((_, place) => match[place + 1] !== undefined)
    names.push({ start, end, name: text.slice(start, end), country: FOREIGN_ENDINGS[foreign]?.[1] ?? null })
  }
  return names
}

/** "a limited company", "limited by guarantee", "Limited time offer": the word is not the end of a name. */
function isPhrase(text: string, at: number, ending: string): boolean {
  if (!/^limited$/i.test(ending)) return false
  return /^\s+(?:by\b|compan(?:y|ies)\b|liability|to\b|time|edition|partnership|number|offer|stock|space|availability|period|warranty|cover|run\b|range|selection)/i.test(
    text.slice(at + ending.length, at + ending.length + 20),
  )
}

/** Goes back from the ending over the words of the name. */
function findStart(text: string, endingAt: number, floor: number): number | null {
  let start: number | null = null
  let pending: number | null = null
  let at = endingAt
  let depth = 0
  for (let count = 0; count < WORDS_MAX && at > floor; count += 1) {
    const word = /(\S+)(\s*)$/.exec(text.slice(Math.max(floor, at - 40), at))
    if (!word?.[1]) break
    const raw = word[1]
    const wordAt = at - word[0].length
    if (word[2]?.includes('\n') && count > 0) break
    const closes = raw.endsWith(')') && !raw.includes('(')
    const opens = raw.startsWith('(') && !raw.includes(')')
    if (closes) depth += 1
    // A word followed by a stop, colon, comma or bar belongs to what stood before the name. A comma before the ending
    // itself is how Americans write: "Embergill Law, Inc."
    if (
      /[:;|©!?"“”]$/.test(raw) ||
      (/[.,]$/.test(raw) && !(count === 0 && raw.endsWith(',')) && !/^(?:[A-Z]\.)+$|^St\.$|^Co\.,?$|^Bros\.$/.test(raw))
    )
      break
    const bare = raw.replaceAll(/^[("“'‘[]+|[)"”'’\],]+$/g, '')
    if (depth === 0 && raw.startsWith('(') && !raw.endsWith(')')) {
      // "(Example Widgets Ltd": the name began inside a bracket.
      if (isNameWord(bare)) start = wordAt + 1
      break
    }
    if (opens && depth > 0) depth -= 1
    const lower = bare.toLowerCase()
    if ((JOINING.has(lower) && bare === lower) || (DOUBTFUL.has(lower) && bare !== lower)) {
      pending ??= wordAt
    } else if (isNameWord(bare) && !OUTSIDE.has(lower)) {
      start = wordAt + (/^["“‘'[]/.test(raw) ? 1 : 0)
      pending = null
    } else if (depth === 0 || !/^[\w&.-]+$/.test(bare)) break
    at = wordAt
    if (/["“‘[]/.test(raw[0] ?? '')) break
  }
  return start === null ? null : dropYear(text, start, endingAt)
}

function isNameWord(word: string): boolean {
  return /^[\p{Lu}\p{N}@£][\p{L}\p{N}\p{M}'’&.+!/@-]*$/u.test(word) || /^\p{Ll}{1,3}\p{Lu}/u.test(word)
}

/** "© 2024 Example Ltd": the year is the copyright's. */
function dropYear(text: string, start: number, end: number): number | null {
  const year = /^(?:(?:19|20)\d\d(?:\s*[-–/]\s*(?:(?:19|20)?\d\d))?)\s+/.exec(text.slice(start, end))
  const trimmed = year ? start + year[0].length : start
  return trimmed >= end ? null : trimmed
}

/**
 * The keys under which the register may have the name: as written, then with leading words left off, since a sentence may
 * run into a name. Longest first.
 */
export function nameKeysOf(legalName: string): string[] {
  const words = toNameKey(legalName).split(' ')
  const keys: string[] = []
  for (let skip = 0; skip < Math.min(words.length, 4); skip += 1) {
    const key = words.slice(skip).join(' ')
    if (key.length >= 2) keys.push(key)
  }
  return keys
}
