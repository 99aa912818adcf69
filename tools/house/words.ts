/** Words of our own for which the trade has a usual one: none may come back into names, comments or documents. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GENERATED, listFiles, ROOT } from './sources.ts'

interface HouseWord {
  pattern: RegExp
  instead: string
}

/** Tried on prose, and on names cut into their words: `takeTurn` is read as "take turn". */
export const HOUSE_WORDS: readonly HouseWord[] = [
  { pattern: /\bdoors?\b/, instead: 'entry point, endpoint, route' },
  { pattern: /\b(?:purses?|handfuls?)\b/, instead: 'lease, allotment' },
  { pattern: /\bsights?\b/, instead: 'observation' },
  {
    pattern: /\b(?:a|the|its|one|each|next|take|takes|outgoing|host|feed) turns?\b(?! (?:into|out|off|on|away|back)\b)/,
    instead: 'slot, slice',
  },
  { pattern: /\b(?:bells?|lanes?)\b/, instead: 'wake-up, delivery job, worker' },
  { pattern: /\bdrain(?:s|ed)?\b/, instead: 'deliver what is due, empty' },
  { pattern: /\bhand(?:s|ed|ing)?[- ]on\b/, instead: 'forward, pass on' },
  { pattern: /\bremember(?:s|ed)?\b/, instead: 'memoize, store' },
  { pattern: /\bwish(?:es)?\b/, instead: 'request' },
  { pattern: /\b(?:told|tells?|telling)\b/, instead: 'notify, report, return, show' },
  { pattern: /\b(?:noted|notes (?:the|that|what|a|it|who)|note (?:answer|that|what|for))\b/, instead: 'record' },
  { pattern: /\bjudg(?:e|es|ed|ing)\b/, instead: 'classify, validate, check' },
  {
    pattern: /(?<!\b(?:in|take|takes|took) )\bplaces?\b(?! of\b)/,
    instead: 'index, slot, position, offset: the exact one',
  },
  { pattern: /\boccasions?\b/, instead: 'change context' },
  { pattern: /\banew\b/, instead: 'again' },
  { pattern: /\bwhoever\b/, instead: 'the one who; name the role' },
  { pattern: /\b(?:nobody|everybody|somebody|anybody)\b/, instead: 'name the role: no account, every caller' },
  { pattern: /\bstands\b/, instead: 'is' },
  {
    pattern:
      /\bbulks\b|\b(?:a|the|its|this|each|every|one|another) bulk\b(?! (?:job|request|row|result|screen|page|api|id))/,
    instead: 'bulk job',
  },
]

/** How a comment begins that a reader has to read twice. */
const BARE_BEGINNING = /^\/\*\*\s*\*?\s*(?:Answers|Of|What|Who|Whose|Whom|Those|That)\b/

export interface WordUse {
  file: string
  line: number
  word: string
  instead: string
}

const CODE = /\.(?:ts|tsx)$/
const PROSE = /\.md$/
/** Generated, quoted from elsewhere, or data. */
const SKIPPED =
  /^(?:worlds|migrations|docs\/proof|tools\/house)\/|^docs\/(?:proof|openapi)|^docs\/decisions\/|\.fixture\.|^test\/house\/house-words/

export function listHouseWords(under = ''): WordUse[] {
  const files = listFiles('*.ts', '*.tsx', '*.md').filter(
    (file) => file.startsWith(under) && !SKIPPED.test(file) && !GENERATED.has(file),
  )
  return files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return PROSE.test(file) ? findInProse(file, text) : CODE.test(file) ? findInCode(file, text) : []
  })
}

/** Reads prose only: code, the targets of links and the quoted names of tests behind a link are left out. */
export function findInProse(file: string, text: string): WordUse[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, (block) => block.replace(/[^\n]/g, ''))
  return prose
    .split('\n')
    .flatMap((line, index) => findWords(file, index + 1, line.replace(/\]\([^)]*\)(?: "[^"]*")?|`[^`]*`/g, '')))
}

/** Options that a library names. */
const LIBRARY_NAMES: ReadonlySet<string> = new Set(['remember'])

export function findInCode(file: string, text: string): WordUse[] {
  const uses: WordUse[] = []
  let line = 1
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('/*') || token.startsWith('//')) {
      if (BARE_BEGINNING.test(token)) {
        uses.push({ file, line, word: token.slice(0, 40), instead: 'begin with a verb: "Returns …"' })
      }
      for (const [offset, part] of token.split('\n').entries()) {
        uses.push(...findWords(file, line + offset, splitNames(part.replace(/`[^`]*`/g, ''))))
      }
    } else if (/^[A-Za-z_$]/.test(token) && !LIBRARY_NAMES.has(token))
      uses.push(...findWords(file, line, splitNames(token)))
    line += token.split('\n').length - 1
  }
  return uses
}

/** Comments, texts and patterns whole; then names; then anything else, one character at a time. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[dgimsuvy]*|[A-Za-z_$][\w$]*|[\s\S]/g

/** `takeTurn` and `take_turn` as "take turn". */
function splitNames(text: string): string {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .toLowerCase()
}

function findWords(file: string, line: number, text: string): WordUse[] {
  return HOUSE_WORDS.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(text.toLowerCase())
    return found ? [{ file, line, word: found[0], instead }] : []
  })
}
