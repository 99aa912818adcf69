/** Scores links by their text and path: how likely the page says which company runs the site. Pure. */
import type { Link } from '../page/document.ts'
import { isWorthRequesting, pageKey, pathSegments, registrableDomain, toHomeOrigin } from './page-address.ts'

/** The expected content of a page, by its link or path. */
export type PageKind = 'home' | 'legal' | 'privacy' | 'terms' | 'about' | 'contact' | 'cookies' | 'other'

interface PagePromise {
  kind: PageKind
  score: number
}

export interface CandidatePage extends PagePromise {
  url: URL
}

interface Rule extends PagePromise {
  pattern: RegExp
}

/**
 * Words for such pages in English, Welsh and the languages of other sites that trade here. The law requires the company's
 * name, number and office somewhere on the site: legal pages have them most often, then terms, then the privacy notice,
 * which must name the controller. The first matching rule decides, so exceptions come first.
 */
const RULES: Rule[] = [
  // The services of a law firm, not its company details.
  rule('other', 0, 'legal (?:services?|advice|aid|help|support|team|expenses|cover|insurance|jobs|secretar\\w+|news)'),
  rule('other', 0, 'privacy (?:screens?|glass|film|fenc\\w+|hedg\\w+)|contact lens\\w*|terms? (?:dates|times)'),
  rule(
    'legal',
    100,
    '(?:company|corporate|business|statutory|trading|registration) (?:info\\w*|details|particulars|number|registration|disclosures?)',
  ),
  rule(
    'legal',
    100,
    'legal(?:s|ities)?|imprint|impressum|mentions legales|aviso legal|note legali|colofon|anbieterkennzeichnung|rechtliche\\w*',
  ),
  rule(
    'legal',
    100,
    'statutory|regulatory|regulation|trading disclosures?|registered office|hysbysiad cyfreithiol|gwybodaeth (?:gyfreithiol|am y cwmni)|cyfreithiol',
  ),
  rule('legal', 90, 'disclaimers?|disclosures?|small ?print|fine print|boring (?:but important|bits?|stuff)|ymwadiad'),
  rule(
    'terms',
    80,
    'terms?|t ?(?:and|n)? ?c ?s?|tandcs?|tncs?|tos|conditions|eula|user agreement|website use|acceptable use',
  ),
  rule('terms', 80, 'telerau|amodau|agb|cgv|cgu|conditions generales|algemene voorwaarden|condiciones'),
  rule(
    'privacy',
    70,
    'privacy|gdpr|data protection|(?:your|personal) (?:data|information)|fair processing|data policy',
  ),
  rule('privacy', 70, 'preifatrwydd|diogelu data|datenschutz\\w*|confidentialite|privacidad|privacybeleid'),
  rule('legal', 66, 'policies|modern slavery|slavery|corporate governance|governance|caethwasiaeth fodern'),
  rule(
    'legal',
    62,
    '(?:key|school|statutory) information|(?:our |the )?trust(?: details)?|ownership|who (?:owns|runs) (?:us|this)|(?:our |the )?group(?: companies| structure)?|publisher|masthead|site owner',
  ),
  rule('legal', 60, '(?:aim )?rule 26|investor relations|shareholder information'),
  rule('about', 44, 'investors?'),
  rule('legal', 56, 'complaints?|cwynion|regulated by|licen[cs]e details'),
  rule(
    'about',
    50,
    'about(?: us)?|(?:our|the) (?:company|business|firm|story|history)|who (?:we are|are we)|company(?: profile)?|corporate',
  ),
  rule(
    'about',
    50,
    'amdanom(?: ni)?|pwy ydym ni|ein stori|y cwmni|uber uns|qui sommes nous|a propos|over ons|chi siamo|quienes somos',
  ),
  rule('terms', 46, 'returns?(?: policy)?|refunds?|delivery(?: and returns)?|shipping'),
  rule(
    'contact',
    40,
    'contacts?(?: us)?|(?:how to )?(?:find|reach|visit|call|email) us|get in touch|enquir(?:y|ies)|where (?:we are|to find us)',
  ),
  rule('contact', 40, 'cysylltu|cysylltwch(?: a ni)?|kontakt|contactez nous|locations?|our offices?'),
  rule('about', 34, 'our (?:people|team|directors)|(?:meet the |the )?team|leadership|history'),
  rule('cookies', 30, 'cookies?|cwcis|briwsion'),
  rule('other', 24, 'accessibility|hygyrchedd|investors?|faqs?|help|support|customer (?:service|care)|site ?map'),
]

function rule(kind: PageKind, score: number, words: string): Rule {
  return { kind, score, pattern: new RegExp(`(?:^| )(?:${words})(?= |$)`) }
}

/** Words without influence on the score. */
const FILLERS = new Set(
  (
    'a an and the our your us we of to in on for at by with policy policies notice statement information info page ' +
    'website site web general full read more view see here use service services sale sales business supply trading ' +
    'polisi hysbysiad ni ein ac a r'
  ).split(' '),
)
const PHRASE_CHARACTERS_MAX = 60
const PENALTY_PER_OTHER_WORD = 8
const PENALTY_MAX = 40

/** Returns the kind and score of a phrase, or null. Other words lower the score: "About our new solar panels" is news. */
export function readPhrase(phrase: string): PagePromise | null {
  const words = normalisePhrase(phrase)
  // A long text is a headline or a sentence, not the name of a page.
  if (words === '' || words.length > PHRASE_CHARACTERS_MAX) return null
  const found = RULES.find(({ pattern }) => pattern.test(words))
  if (!found || found.score === 0) return null
  const rest = RULES.reduce((text, { pattern, score }) => (score > 0 ? text.replace(pattern, ' ') : text), words)
  const otherWords = rest.split(' ').filter((word) => word !== '' && !FILLERS.has(word)).length
  return { kind: found.kind, score: found.score - Math.min(PENALTY_MAX, otherWords * PENALTY_PER_OTHER_WORD) }
}

function normalisePhrase(phrase: string): string {
  return phrase
    .slice(0, 200)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const FOOTER_BONUS = 15
const AGREEMENT_BONUS = 4
const OTHER_HOST_PENALTY = 20
const SCORE_MIN = 15

/** Scores text and path; the higher score of the two decides the kind. */
export function readLink(link: Pick<Link, 'text' | 'region'>, url: URL): PagePromise | null {
  const segments = pathSegments(url).map((segment) => segment.replace(/\.[a-z]{3,5}$/i, ''))
  const byText = readPhrase(link.text)
  const byPath = readPhrase(segments.at(-1) ?? '') ?? lowerScore(readPhrase(segments.at(-2) ?? ''), 30)
  const strongest = [byText, byPath].filter((item) => item !== null).sort((a, b) => b.score - a.score)[0]
  if (!strongest) return null
  const agreement = byText && byPath && byText.kind === byPath.kind ? AGREEMENT_BONUS : 0
  const footer = link.region === 'footer' ? FOOTER_BONUS : 0
  return { kind: strongest.kind, score: strongest.score + agreement + footer }
}

function lowerScore(promise: PagePromise | null, by: number): PagePromise | null {
  return promise ? { kind: promise.kind, score: promise.score - by } : null
}

// A page can have tens of thousands of links; the useful ones are in its menu and footer.
const LINKS_MAX = 3_000

/** Returns the pages of the site that are worth a request, best first, each once. */
export function rankLinks(links: Link[], home: URL): CandidatePage[] {
  const domain = registrableDomain(home.hostname)
  const best = new Map<string, CandidatePage>()
  for (const link of keepBothEnds(links)) {
    const url = toOwnPage(link.href, home, domain)
    const promise = url ? readLink(link, url) : null
    if (!url || !promise) continue
    const score = url.hostname === home.hostname ? promise.score : promise.score - OTHER_HOST_PENALTY
    const known = best.get(pageKey(url))
    if (score >= SCORE_MIN && (!known || known.score < score))
      best.set(pageKey(url), { url, kind: promise.kind, score })
  }
  best.delete(pageKey(home))
  return [...best.values()].sort((a, b) => b.score - a.score)
}

/** Returns all pages of the site that the page links to, whatever their score: needed for a page that only says "Enter". */
export function listOwnPages(links: Link[], home: URL): CandidatePage[] {
  const domain = registrableDomain(home.hostname)
  const urls = keepBothEnds(links).flatMap((link) => toOwnPage(link.href, home, domain) ?? [])
  return urls.filter((url) => pageKey(url) !== pageKey(home)).map((url) => ({ url, kind: 'other', score: SCORE_MIN }))
}

/** Counts the different pages of the site that the page links to. */
export function countOwnLinks(links: Link[], home: URL): number {
  const domain = registrableDomain(home.hostname)
  const keys = new Set<string>()
  for (const link of keepBothEnds(links)) {
    const url = toOwnPage(link.href, home, domain)
    if (url) keys.add(pageKey(url))
  }
  keys.delete(pageKey(home))
  return keys.size
}

/** Keeps the first and the last links of a very long list. */
function keepBothEnds(links: Link[]): Link[] {
  if (links.length <= LINKS_MAX) return links
  return [...links.slice(0, LINKS_MAX / 2), ...links.slice(-LINKS_MAX / 2)]
}

function toOwnPage(href: string, home: URL, domain: string): URL | null {
  const parsed = URL.parse(href, home.href)
  if (!parsed || registrableDomain(parsed.hostname) !== domain) return null
  const url = toHomeOrigin(parsed, home)
  return isWorthRequesting(url) ? url : null
}
