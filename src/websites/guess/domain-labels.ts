import type { NameWords } from './name-words.ts'

/** A label that a company of this name may have chosen, and how it comes from the name. */
export interface DomainLabel {
  text: string
  /** Which words it is made of: `whole name`, `first 2 words`, `initials`. */
  choice: string
  spelling: Spelling
  /** The word that was added to them; empty when none was. */
  added: string
  /** Where its words stand in the name. */
  kept: readonly number[]
  isAbbreviated: boolean
}

export type Spelling =
  | 'joined'
  | 'with hyphens'
  | 'shortened'
  | 'shortened, with hyphens'
  | 'with its "the"'
  | 'with a "the"'
  | 'singular'
  | 'plural'
  | 'with an addition'
  | 'with an addition after a hyphen'

const LABEL_CHARACTERS_MIN = 2
/** DNS allows 63, but longer labels do not occur: they are too long to type. */
const LABEL_CHARACTERS_MAX = 40

const CONNECTIVES = new Set(['and', 'of', 'the', 'for', 'in', 'at', 'to', 'on', 'a', 'y', 'by', 'with', 'de'])

/** Words that companies put behind a name which was taken, or is too short alone; every other one costs more than it finds. */
const ADDITIONS = ['group', 'plc', 'groupplc', 'uk', 'ltd', 'global', 'care', 'online', 'world', 'corp']
const ADDITIONS_TO_INITIALS = ['group', 'uk', 'ltd', 'plc']

const SHORTENED: ReadonlyMap<string, string> = new Map([
  ['technologies', 'tech'],
  ['technology', 'tech'],
  ['international', 'intl'],
  ['brothers', 'bros'],
  ['association', 'assoc'],
  ['company', 'co'],
  ['university', 'uni'],
  ['engineering', 'eng'],
  ['manufacturing', 'mfg'],
  ['pharmaceuticals', 'pharma'],
  ['cooperative', 'coop'],
  ['communications', 'comms'],
  ['laboratories', 'labs'],
  ['education', 'edu'],
  ['saint', 'st'],
  ['great', 'gt'],
  ['information', 'info'],
  ['systems', 'sys'],
  ['electrical', 'elec'],
  ['partnership', 'partners'],
  ['bedfordshire', 'beds'],
  ['berkshire', 'berks'],
  ['buckinghamshire', 'bucks'],
  ['cambridgeshire', 'cambs'],
  ['gloucestershire', 'glos'],
  ['hampshire', 'hants'],
  ['hertfordshire', 'herts'],
  ['lancashire', 'lancs'],
  ['leicestershire', 'leics'],
  ['lincolnshire', 'lincs'],
  ['northamptonshire', 'northants'],
  ['nottinghamshire', 'notts'],
  ['oxfordshire', 'oxon'],
  ['shropshire', 'shrops'],
  ['staffordshire', 'staffs'],
  ['wiltshire', 'wilts'],
  ['worcestershire', 'worcs'],
  ['yorkshire', 'yorks'],
])

export function isConnective(word: string): boolean {
  return CONNECTIVES.has(word)
}

type Emit = (text: string, from: Choice, spelling?: Spelling, added?: string) => void

/** Every label once. The order matters: what two ways lead to belongs to the plainer one, which comes first. */
export function listLabels(name: NameWords): DomainLabel[] {
  const words = name.words.map(({ text }) => text)
  const labels = new Map<string, DomainLabel>()
  const collect =
    (isAbbreviated: boolean): Emit =>
    (text, { choice, kept }, spelling = 'joined', added = '') => {
      if (text.length < LABEL_CHARACTERS_MIN || text.length > LABEL_CHARACTERS_MAX || labels.has(text)) return
      labels.set(text, { text, choice, spelling, added, kept, isAbbreviated })
    }
  const everyWord = words.map((_, index) => index)
  const unbracketed = everyWord.filter((index) => name.words[index]?.isBracketed === false)
  const hasBoth = unbracketed.length > 0 && unbracketed.length < everyWord.length
  const bases: Choice[] = [{ choice: 'whole name', kept: everyWord }]
  if (hasBoth) bases.unshift({ choice: 'without the parentheses', kept: unbracketed })

  const choices = bases.flatMap((base) => listChoices(words, base))
  for (const choice of choices) spell(words, choice, collect(false))
  for (const choice of choices) vary(words, name.hasThe, choice, collect(false))
  for (const base of bases) abbreviate(words, name.hasThe, base.kept, collect(true))
  return [...labels.values()]
}

interface Choice {
  choice: string
  kept: readonly number[]
}

/** Which words of the name may stay: all, the first few, a run of them, the first with a later one. */
function listChoices(words: readonly string[], base: Choice): Choice[] {
  const choices: Choice[] = []
  const add = (choice: string, kept: readonly number[]) => {
    // UNIVERSITY OF is no choice: UNIVERSITY is one already.
    const edges = [kept[0] ?? 0, kept.at(-1) ?? 0]
    if (!edges.some((index) => isConnective(words[index] ?? ''))) choices.push({ choice, kept })
  }
  const { kept } = base
  const size = kept.length
  if (kept.some((index) => !isConnective(words[index] ?? ''))) choices.push(base)
  for (let length = 1; length < size; length++) add(nameFirst(length), kept.slice(0, length))
  for (let start = 1; start < size; start++) {
    const isLastWord = start === size - 1
    add(start === 1 ? 'without the first word' : isLastWord ? 'last word' : 'last words', kept.slice(start))
    for (let end = start + 1; end < size; end++) {
      add(end - start === 1 ? 'a middle word' : 'middle words', kept.slice(start, end))
    }
  }
  for (const [position, index] of kept.entries()) {
    if (position < 2) continue
    add(position === size - 1 ? 'first word and the last' : 'first word and a later one', [...kept.slice(0, 1), index])
  }
  return choices
}

function nameFirst(length: number): string {
  if (length === 1) return 'first word'
  return length < 4 ? `first ${length} words` : 'first 4 words or more'
}

function spell(words: readonly string[], from: Choice, emit: Emit): void {
  const chosen = pick(words, from.kept)
  emit(chosen.join(''), from)
  const kept = from.kept.filter((index) => !isConnective(words[index] ?? ''))
  if (kept.length < from.kept.length) {
    emit(pick(words, kept).join(''), { ...from, kept })
    if (kept.length > 1) emit(pick(words, kept).join('-'), { ...from, kept }, 'with hyphens')
  }
  if (chosen.length > 1) emit(chosen.join('-'), from, 'with hyphens')
}

/** The same words with something added, shortened, or in another number. */
function vary(words: readonly string[], hasThe: boolean, from: Choice, emit: Emit): void {
  const chosen = pick(words, from.kept)
  const joined = chosen.join('')
  const short = chosen.map((word) => SHORTENED.get(word) ?? word)
  if (short.join('') !== joined) {
    emit(short.join(''), from, 'shortened')
    if (short.length > 1) emit(short.join('-'), from, 'shortened, with hyphens')
  }
  // No company adds to a piece from the middle; but initials in front (J C BAMFORD) may be left out first.
  const isFromStart = from.kept[0] === 0 || (from.kept[0] === 1 && (words[0] ?? '').length < 3)
  if (!isFromStart) return
  if (hasThe) emit(`the${joined}`, from, 'with its "the"')
  else if (chosen.length < 3) emit(`the${joined}`, from, 'with a "the"')
  const last = chosen.at(-1) ?? ''
  if (last.length > 3) {
    if (last.endsWith('s')) emit(joined.slice(0, -1), from, 'singular')
    else emit(`${joined}s`, from, 'plural')
  }
  if (chosen.length > 3) return
  for (const addition of ADDITIONS) {
    if (last === addition) continue
    emit(`${joined}${addition}`, from, 'with an addition', addition)
    if (chosen.length < 3) emit(`${joined}-${addition}`, from, 'with an addition after a hyphen', addition)
  }
}

/** Initials, alone or beside a word that stays whole. */
function abbreviate(words: readonly string[], hasThe: boolean, base: readonly number[], emit: Emit): void {
  const kept = base.filter((index) => !isConnective(words[index] ?? ''))
  const size = kept.length
  if (size < 2) return
  const chosen = pick(words, kept)
  const initials = chosen.map(toInitial)
  const whole = initials.join('')
  emit(whole, { choice: 'initials', kept })
  if (hasThe) emit(`t${whole}`, { choice: 'initials', kept }, 'with its "the"')
  for (const addition of ADDITIONS_TO_INITIALS) {
    emit(`${whole}${addition}`, { choice: 'initials', kept }, 'with an addition', addition)
  }
  for (let length = size - 1; length >= 2; length--) {
    emit(initials.slice(0, length).join(''), {
      choice: `initials of the first ${length < 4 ? length : '4 or more'}`,
      kept: kept.slice(0, length),
    })
  }
  const afterFirst = initials.slice(1).join('')
  emit(`${chosen[0]}${afterFirst}`, { choice: 'first word and initials', kept })
  emit(`${chosen[0]}-${afterFirst}`, { choice: 'first word and initials', kept }, 'with hyphens')
  emit(`${initials.slice(0, -1).join('')}${chosen.at(-1)}`, { choice: 'initials and the last word', kept })
  emit(`${whole}l`, { choice: 'initials and an L for Limited', kept })
  emit(pick(words, base).map(toInitial).join(''), { choice: 'initials of small words too', kept: base })
}

/** JCB stays JCB among initials, and a number stays a number. */
function toInitial(word: string): string {
  const isSpelledOut = word.length <= 3 && !/[aeiouy]/.test(word)
  return isSpelledOut || /^[0-9]+$/.test(word) ? word : word.slice(0, 1)
}

function pick(words: readonly string[], indexes: readonly number[]): string[] {
  return indexes.flatMap((index) => words[index] ?? [])
}
