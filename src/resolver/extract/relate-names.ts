import { toNameKey } from '../../register/words/index.ts'
import type { SiteIdentity } from './identity.ts'

/**
 * How a company's name relates to the site's name. `same`: equal, except for common words. `contains`: one is the beginning of
 * the other. `shares`: they have a rare word in common.
 */
export interface NameRelation {
  level: 'same' | 'contains' | 'shares' | 'none'
  /** The site's name or domain that it was compared with. */
  with: string
}

/** True if the company has the site's name, or one is the beginning of the other. */
export const isOwnName = ({ level }: NameRelation): boolean => level === 'same' || level === 'contains'

/** Words that end many names and do not distinguish companies. */
const WEAK_ENDINGS = new Set(
  'GROUP HOLDINGS HOLDING UK GB CO SERVICES SERVICE SOLUTIONS INTERNATIONAL TRADING ENTERPRISES INDUSTRIES PARTNERS PARTNERSHIP ASSOCIATES LONDON ENGLAND WALES SCOTLAND ONLINE EUROPE GLOBAL LTD LIMITED COMPANY BROTHERS BROS SONS THE AND OF'.split(
    ' ',
  ),
)

/** Words that sites add to a name in their domain. */
const LABEL_AFFIXES =
  /^(?:the|my|get|visit|we|weare|hello|team|go|shop|www|uk|try|join|use|meet|hey|book|find)|(?:uk|gb|ltd|limited|plc|llp|group|online|shop|store|web|site|hq|co|company|services|and|direct|london|official|home)$/g

const RANK = { none: 0, shares: 1, contains: 2, same: 3 } as const

export function relateToSite(nameKey: string, identity: SiteIdentity, isRare: (word: string) => boolean): NameRelation {
  let best = relateToLabel(nameKey, identity, isRare)
  for (const brand of identity.brands) {
    if (best.level === 'same') break
    const level = relateKeys(nameKey, brand.key, isRare)
    if (RANK[level] > RANK[best.level]) best = { level, with: brand.name }
  }
  return best
}

function relateToLabel(
  nameKey: string,
  { label, domain }: SiteIdentity,
  isRare: (word: string) => boolean,
): NameRelation {
  const words = nameKey.split(' ').filter((word) => word !== '')
  const relation = (level: NameRelation['level']) => ({ level, with: domain })
  const spellings = [
    words,
    words.filter((word) => word !== 'AND'),
    dropWeakEndings(words),
    dropWeakEndings(words).filter((word) => word !== 'AND'),
  ].map((list) => list.join('').toLowerCase())
  // Keys have "co" for company; domains may spell it out.
  const allSpellings = spellings.flatMap((letters) => [letters, letters.replace(/co$/, 'company')])
  if (
    isInitials(
      label,
      dropWeakEndings(words).filter((word) => word !== 'AND' && word !== 'OF' && word !== 'THE'),
    )
  )
    return relation('contains')
  // "EXAMPLE.COM LIMITED"
  if (spellings[0] === domain.replaceAll(/[^a-z0-9]/g, '')) return relation('same')
  const bare = label.replaceAll(LABEL_AFFIXES, '')
  if (allSpellings.some((letters) => letters.length >= 3 && (letters === label || letters === bare)))
    return relation('same')
  const longSpellings = allSpellings.filter((letters) => letters.length >= 5)
  if (longSpellings.some((letters) => label.startsWith(letters))) return relation('contains')
  if (label.length >= 5 && longSpellings.some((letters) => letters.startsWith(label) || letters.startsWith(bare)))
    return relation('contains')
  const rare = words.filter((word) => word.length >= 4 && isRare(word)).map((word) => word.toLowerCase())
  if (rare.some((word) => label.startsWith(word)) && isMostlyWordsOf(label, words)) return relation('contains')
  if (rare.some((word) => label.includes(word))) return relation('shares')
  return relation('none')
}

/** True for "bsfeeds" and Brough Sowerby Feeds, "nll" and Northern Lights LED. */
function isInitials(label: string, words: string[]): boolean {
  if (words.length < 2) return false
  const initials = words
    .map((word) => word[0])
    .join('')
    .toLowerCase()
  const last = words.at(-1)?.toLowerCase() ?? ''
  return (initials.length >= 3 && label === initials) || (last.length >= 4 && label === initials.slice(0, -1) + last)
}

/** True if at least half of the label's letters are words of the name. */
function isMostlyWordsOf(label: string, words: string[]): boolean {
  let rest = label
  for (const word of words.toSorted((one, other) => other.length - one.length)) {
    if (word.length >= 2) rest = rest.replace(word.toLowerCase(), '')
  }
  return rest.length <= label.length / 2
}

export function relateKeys(
  nameKey: string,
  brandKey: string,
  isRare: (word: string) => boolean,
): NameRelation['level'] {
  if (nameKey === brandKey) return 'same'
  const [name, brand] = [nameKey.split(' '), brandKey.split(' ')]
  const [nameCore, brandCore] = [dropWeakEndings(name), dropWeakEndings(brand)]
  if (letters(name) === letters(brand)) return 'same'
  if (nameCore.length > 0 && letters(nameCore) === letters(brandCore)) return 'same'
  const isDistinctive = (words: string[]) =>
    words.some((word) => word.length >= 3 && !WEAK_ENDINGS.has(word)) && (words.length > 1 || isRare(words[0] ?? ''))
  if (startsWith(nameCore, brandCore) && isDistinctive(brandCore)) return 'contains'
  if (startsWith(brandCore, nameCore) && isDistinctive(nameCore)) return 'contains'
  const common = nameCore.filter((word) => word.length >= 3 && brandCore.includes(word) && isRare(word))
  return common.length > 0 ? 'shares' : 'none'
}

function dropWeakEndings(words: readonly string[]): string[] {
  const kept = [...words]
  while (kept.length > 1 && WEAK_ENDINGS.has(kept.at(-1) ?? '')) kept.pop()
  return kept
}

const letters = (words: readonly string[]) => words.join('')

function startsWith(longer: readonly string[], shorter: readonly string[]): boolean {
  return shorter.length > 0 && shorter.length < longer.length && shorter.every((word, index) => longer[index] === word)
}

/** Returns the host of an address as people write it: "www.example.co.uk/", "https://example.co.uk". */
const toHost = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?/, '')
    .replace(/\/.*$/, '')

/** True if a piece of a sentence is a name of the site: its brand, or its domain. */
export function isSiteName(text: string, identity: SiteIdentity): boolean {
  const bare = text.replaceAll(/^["“'‘(\s]+|["”'’®™)\s]+$/g, '')
  if (toHost(bare) === identity.domain) return true
  const key = toNameKey(bare)
  if (key.length < 2) return false
  const never = () => false
  if (relateToLabel(key, identity, never).level === 'same') return true
  return identity.brands.some((brand) => ['same', 'contains'].includes(relateKeys(key, brand.key, () => true)))
}

/** True if a text is one or more words of the site's name, such as the town of a chain's branch. */
export function isSiteWord(text: string, { brands, label }: SiteIdentity): boolean {
  const key = toNameKey(text)
  if (key.length < 4) return false
  const words = key.split(' ')
  return (
    label.endsWith(words.join('').toLowerCase()) ||
    brands.some((brand) => words.every((word) => brand.key.split(' ').includes(word)))
  )
}
