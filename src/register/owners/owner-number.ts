/**
 * The register numbers that a company's owner may have, from what the owner's record says of itself. People write numbers
 * without zeros, with words around them, or of another country's register: a foreign number is never padded, because padded
 * it is the number of some UK company.
 */
import { type LooseRecord, toCode, toText } from '../../lib/text/loose-json.ts'
import { parseCompanyNumber } from '../company.ts'
import { namesForeignCountry } from './foreign-countries.ts'

/** As the record of a corporate owner states it; every part may be missing or wrong. */
export interface Identification {
  registration_number: string | null
  country_registered: string | null
  registry: string | null
  legal_authority: string | null
}

export function parseIdentification(data: LooseRecord): Identification {
  return {
    registration_number: toCode(data['registration_number']),
    country_registered: toText(data['country_registered']),
    registry: toText(data['place_registered']),
    legal_authority: toText(data['legal_authority']),
  }
}

export type OwnerNumber =
  /** In the order in which to look them up. A hit counts only when the name agrees. */
  | { kind: 'uk'; candidates: string[] }
  /** May as well be of another register: its own key is kept beside the number. */
  | { kind: 'uncertain'; candidates: string[] }
  | { kind: 'foreign'; country: string }
  | { kind: 'unknown' }

const UNKNOWN: OwnerNumber = { kind: 'unknown' }

export function readOwnerNumber(identification: Identification): OwnerNumber {
  const nation = readNation(identification)
  const number = clean(identification.registration_number ?? '')
  if (nation === 'foreign' && (number === null || !WHOLE_UK_NUMBER.test(number))) {
    return { kind: 'foreign', country: identification.country_registered ?? '' }
  }
  if (number === null) return UNKNOWN
  const candidates = listCandidates(number, nation)
  if (candidates.length === 0) return UNKNOWN
  return { kind: isOfUk(nation) ? 'uk' : 'uncertain', candidates }
}

/**
 * A whole number of a register of the UK: overseas entities, companies with a UK establishment and others are registered here
 * whatever their country. Other registers write some of their numbers so too, such as Nigeria's RC 123456.
 */
const WHOLE_UK_NUMBER = /^(?:OE|FC|SC|NI|OC|SO|NC|LP|SL|SF|NF|CE|CS|RC|IP|SP|NP|GN|GS)\d{6}$/

type Nation = 'uk' | 'scotland' | 'northern-ireland' | 'foreign' | 'unknown'

const isOfUk = (nation: Nation) => nation !== 'foreign' && nation !== 'unknown'

const NATIONS: ReadonlyArray<readonly [pattern: RegExp, nation: Nation]> = [
  [/\bscotland\b|\bscottish\b|^\s*edinburgh\s*$/, 'scotland'],
  [/\b(?:northern |n\.? ?)ireland\b|^\s*(?:belfast|n\.?i\.?)\s*$/, 'northern-ireland'],
  [/\b(?:united kingdom|u\.?k\.?|(?<!new )britain|g\.?b\.?|england|(?<!south )wales)(?:\b|$)/, 'uk'],
  // Cities alone: there is a London in Canada too.
  [/^\s*(?:british|english|welsh|london|cardiff|companies house)\s*$/, 'uk'],
]
/** Other countries have a Companies Act too, of other years. */
const UK_LAW =
  /\bcompanies acts?\W{0,3}(?:of )?(?:1985|2006)\b|\b(?:1985|2006) companies acts?\b|\b(?:english|scots|uk|british) law\b/
const UK_REGISTRY = /\bcompanies house\b|\bcardiff\b|\bedinburgh\b|\bbelfast\b/
/** Their laws and registers have names like those of the UK. */
const LIKE_THE_UK = /\b(?:jersey|guernsey|isle of man|gibraltar|ireland|bermuda|cayman|british virgin islands|bvi)\b/

const isLikeTheUk = (text: string) => LIKE_THE_UK.test(text) && !/\b(?:northern |n\.? ?)ireland\b/.test(text)

/**
 * The country counts where it is one; people also write a town, a county, a register or nothing of use there, and then the law
 * and the registry count.
 */
function readNation({ country_registered, registry, legal_authority }: Identification): Nation {
  const country = (country_registered ?? '').toLowerCase()
  if (isLikeTheUk(country)) return 'foreign'
  const nation = NATIONS.find(([pattern]) => pattern.test(country))?.[1]
  if (nation) return nation
  if (namesForeignCountry(country)) return 'foreign'
  const others = `${registry ?? ''} ${legal_authority ?? ''}`.toLowerCase()
  if (isLikeTheUk(others) || namesForeignCountry(others)) return 'unknown'
  const named = NATIONS.find(([pattern]) => pattern.test(others))?.[1]
  if (named) return named
  return UK_LAW.test(others) || UK_REGISTRY.test(`${country} ${others}`) ? 'uk' : 'unknown'
}

/**
 * True for two spellings of one country, as far as that can be seen: the nations of the UK are one, and a longer name holds
 * the shorter ("Jersey, Channel Islands").
 */
export function isSameCountry(one: string, other: string): boolean {
  const [a, b] = [toCountryKey(one).split(' '), toCountryKey(other).split(' ')]
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  // "New Jersey" is not Jersey.
  const isHeld = shorter.every((word) => longer.includes(word))
  return isHeld && longer.includes('new') === shorter.includes('new')
}

function toCountryKey(country: string): string {
  const nation = readNation({
    registration_number: null,
    country_registered: country,
    registry: null,
    legal_authority: null,
  })
  if (isOfUk(nation)) return 'united kingdom'
  const words = country
    .toLowerCase()
    .replaceAll('.', '')
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
    .join(' ')
  return words.replace(/^the /, '').replace(/\b(?:usa|us|united states(?: of america)?)\b/, 'usa')
}

const NO_NUMBER = /^(?:N\/?A|NONE|TBC|TBA|UNKNOWN|NIL|NOTAPPLICABLE|0*|(\d)\1+)$/

/** Returns the number without what people write around it; null where they wrote that there is none. */
function clean(written: string): string | null {
  const compact = written
    .toUpperCase()
    .replaceAll(/\b(?:COMPANY|REGISTRATION|REGISTERED|REG|NUMBER|NO|CRN)\b/g, '')
    .replaceAll(/[\s.#:\-–]/g, '')
  return compact === '' || NO_NUMBER.test(compact) ? null : compact
}

const PREFIX = { scotland: 'SC', 'northern-ireland': 'NI' } as const
const PADDED_DIGITS_MAX = 6

function listCandidates(number: string, nation: Nation): string[] {
  const isBare = /^\d{1,8}$/.test(number)
  // Of no country of the UK, only a number that is whole as written.
  if (!isOfUk(nation)) return number.length === 8 && parseCompanyNumber(number) !== null ? [number] : []
  const padded = parseCompanyNumber(number)
  if (padded === null) return []
  if (!isBare || (nation !== 'scotland' && nation !== 'northern-ireland')) return [padded]
  const digits = number.replace(/^0+/, '')
  if (digits.length > PADDED_DIGITS_MAX) return [padded]
  return [`${PREFIX[nation]}${digits.padStart(PADDED_DIGITS_MAX, '0')}`, padded]
}

/**
 * Returns what identifies an owner without a UK number: its country, its number there and its name. Numbers alone repeat: each
 * US state counts for itself, and people write words for them. Companies with the same key have the same owner. Null where
 * that could be a coincidence: without a name, and for a company without country and number.
 */
export function keyOfOwner(
  identification: Identification,
  { nameKey, isCompany }: { nameKey: string | null; isCompany: boolean },
): string | null {
  if (!nameKey) return null
  const country = toCountryKey(identification.country_registered ?? '')
  const written = clean(identification.registration_number ?? '')
  const number = written !== null && /\d/.test(written) ? written : ''
  if (isCompany && country === '' && number === '') return null
  return `${country}#${number}=${nameKey}`
}
