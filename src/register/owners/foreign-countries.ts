/**
 * Names of countries other than the United Kingdom, as people write them on records of owners: ISO's English names and codes,
 * states of federations, seats of registers abroad and usual other spellings. A name that is not here says nothing.
 */

/** Codes of the United Kingdom, and of no country. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['GB', 'UK', 'ZZ', 'XA', 'XB', 'QO', 'EZ'])
/** Short answers to other questions: "n/a", "no", and the first letters of Scottish and Northern Irish numbers. */
const NO_CODE: ReadonlySet<string> = new Set([...NO_COUNTRY, 'NA', 'NO', 'NI', 'SC'])

const A = 65
const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(A + index))

const displayNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const regions = LETTERS.flatMap((first) => LETTERS.map((second) => `${first}${second}`)).flatMap((code) => {
  const name = NO_COUNTRY.has(code) ? undefined : displayNames.of(code)
  return name === undefined ? [] : [{ code, name }]
})

const STATES_OF_THE_US = [
  'alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|hawaii|idaho|illinois|indiana|iowa',
  'kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada',
  'new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania',
  // There is a Virginia Water in Surrey.
  'rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia(?! water)|washington|wisconsin|wyoming',
]
const OTHER_STATES = [
  'alberta|british columbia|manitoba|new brunswick|newfoundland|nova scotia|ontario|quebec|saskatchewan|yukon',
  'new south wales|queensland|south australia|tasmania|western australia|new britain',
  'dubai|abu dhabi|sharjah|ras al khaimah|ajman|labuan|madeira|nevis|tortola',
]
/** Registers that people name in place of their country. */
const SEATS = [
  'dublin|st helier|st peter port|road town|grand cayman|george town|paris|berlin|munich|amsterdam|rotterdam',
  'zurich|geneva|stockholm|oslo|copenhagen|helsinki|milan|madrid|lisbon|vienna|brussels|nicosia|valletta|tokyo|mumbai|delhi',
]
const SPELLINGS = [
  'usa|us|united states|america|holland|nederland|eire|republic of ireland|irish republic|ivory coast|czech republic',
  'slovak republic|russian federation|korea|hong kong|macau|macao|prc|china|uae|emirates|bvi|virgin islands|cayman|channel islands',
  'channel isles|turkey|turkiye|burma|myanmar|congo|viet nam|swaziland|macedonia|palestine|palestinian|bosnia|herzegovina',
  'trinidad|tobago|antigua|bahamas|st kitts|st lucia|st vincent|turks and caicos|isle of man|deutschland|espana|italia|suisse',
  'schweiz|osterreich|belgique|belgie|danmark|sverige|norge|suomi|polska|luxemburg|republic of south africa|rsa|bermudan',
  'irish|american|german|french|dutch|swiss|italian|spanish|danish|swedish|norwegian|belgian|indian|chinese|japanese',
  'canadian|australian|maltese|cypriot|polish|portuguese|austrian|finnish|greek|israeli|singaporean',
]

/** "Myanmar (Burma)" is both, "Hong Kong SAR China" is also written without its end. */
function spellingsOf(name: string): string[] {
  const [plain = '', other = ''] = name.split(/[()]/)
  return [plain.replace(/ SAR China$/, ''), other].map(simplify).filter((each) => each.length > 2)
}

/** Returns a text in small letters without accents, points and signs, with one space between words. */
function simplify(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[\p{M}.’']/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\bsaint\b/g, 'st')
    .trim()
}

const CODES: ReadonlySet<string> = new Set(regions.flatMap(({ code }) => (NO_CODE.has(code) ? [] : code.toLowerCase())))
const NAMES = new RegExp(
  String.raw`\b(?:${[...new Set(regions.flatMap(({ name }) => spellingsOf(name))), ...STATES_OF_THE_US, ...OTHER_STATES, ...SEATS, ...SPELLINGS].join('|')})\b`,
)

/** True for a text that names a country other than the United Kingdom, or is the code of one. */
export function namesForeignCountry(text: string): boolean {
  const simple = simplify(text)
  return NAMES.test(simple) || CODES.has(simple)
}
