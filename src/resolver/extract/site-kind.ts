import { domainToUnicode } from 'node:url'
import type { OpenedPage } from '../crawl/crawl.ts'
import type { SiteIdentity } from './identity.ts'

/** The kind of a site, by its own words. Each field holds the words that matched, or null. */
export interface SiteKind {
  /** There is no site yet: for sale, parked, the host's default page. */
  placeholder: string | null
  /** Coursework or a demonstration: its company is invented. */
  fictional: string | null
  franchise: string | null
  /** A person or partnership that says it is not a company. */
  notCompany: string | null
  /** A council, school, surgery or other public body. */
  publicBody: string | null
  /** A club, society or charity without a company. */
  club: string | null
  /** A site about another company: reviews, fans, owners' clubs. */
  commentary: string | null
  /** The domain itself says that the site is about another company. */
  aboutOthers: string | null
  /** The domain has a new owner who uses the old content or name. */
  reused: string | null
  /** The site may pretend to be another company's. */
  imitation: string | null
}

/** On longer pages, words such as "coming soon" are about something else. */
const THIN_CHARACTERS_MAX = 1_500

const FOR_SALE =
  /\b(?:(?:this |the )?(?:premium )?domain(?: name)?(?: \S+\.\S+)? (?:is|may be|could be|might be) (?:available )?(?:for sale|to buy|available)|buy this domain|\S+\.\S{2,12} is for sale|owner of this domain has listed|domain (?:is )?for sale|make an offer (?:on|for) (?:this|the) domain|(?:interested in|enquire about|inquire about|own) this domain|domain parking|parked (?:free|domain|page|by|courtesy)|is parked\b|(?:the )?domain \S+ (?:has been|is|was) (?:recently )?registered|registered by a customer of|this domain (?:name )?(?:has been|is|was) (?:recently |newly )?registered|related searches|get this domain|lease to own|domain (?:has )?expired|renew (?:this|your) domain|brandable domain|this (?:web ?address|name|address) (?:is|may be) (?:available|for sale)|(?:domain|name|address) could be yours|yours for (?:£|\$|€) ?\d)/i

const DEFAULT_PAGE =
  /\b(?:apache2? (?:\w+ )?default page|it works!|welcome to nginx|test page for|default (?:web ?site )?page|default page for|account (?:has been )?suspended|site (?:is )?(?:not published|currently unavailable|temporarily suspended)|under construction|coming soon|launching soon|future home of|has not (?:yet )?(?:uploaded|been published|been set up)|no (?:web ?site|content) (?:has been|is) (?:configured|uploaded|published)|web ?site (?:is )?(?:on its way|being built|coming)|index of \/|iis windows server|plesk|cpanel|placeholder page|hosting (?:account|package) (?:is|has been)|your new (?:web ?site|hosting)|successfully (?:installed|deployed)|if you are the (?:owner|webmaster) of this)/i

const FICTIONAL =
  /\b(?:fictional|fictitious|imaginary|made[ -]up|not a real|isn['’]t a real|does not (?:really )?exist|mock) (?:business|company|organi[sz]ation|shop|brand|firm|web ?site|product)|\bnot a real (?:company|business|shop)\b|\b(?:my|university|college|school|final[ -]year|student) (?:coursework|student project|class project|assignment|dissertation)|\bcoursework (?:for|by|\d)|\bstudent project\b|\bpurely fictional\b|\ball (?:names|companies|products|prices)[^.]{0,40}(?:fictional|fictitious|invented)/i

/** The words alone are also used of products; here the site says them of itself. */
const DEMONSTRATION =
  /\b(?:this|it)(?: (?:web ?site|site|page|shop|store|company|business))?(?: is|['’]s) (?:only |just |purely )?(?:an? |my |our )?(?:\w+ ){0,2}(?:demo|demonstration|sample|template|prototype|portfolio) (?:web ?site|site|store|shop|project|page)\b|\b(?:this|the) (?:web ?site|site|page|shop|store|company|business)\b[^.\n]{0,60}\bfor (?:demonstration|educational|training|testing) purposes only|^\W*(?:an? )?(?:demo|demonstration|sample|template) (?:web ?site|site|store|shop)(?: only)?\s*(?:[.|–—-]|$)/im

const FRANCHISE =
  /\bfranchis(?:es?|ed|ees?|ors?|ing)\b(?! (?:ltd|limited|plc|llp|uk|group|holdings|company)\b)[^.\n]{0,120}|\bindependently owned and operated\b|\brun under licen[cs]e\b|\blicen[cs]es the \S+ name\b/i

const NOT_COMPANY =
  /\b\p{Lu}[\p{Ll}'’]+ (?:\p{Lu}\.? )?(?!(?:Ltd|LTD|Limited|LIMITED|LLP|PLC|Plc|CIC|Partnership|Group|Company|Co|Cyf|Holdings|Trust)\b)\p{Lu}[\p{L}'’-]+ (?:t\/a|[Tt]rading [Aa]s) (?=\p{Lu})|\b[Pp]rop(?:rietor)?\.:? \p{Lu}\p{Ll}+ \p{Lu}/u

const SOLE_TRADER =
  /\b(?:i am|i['’]m|we are|is|trad(?:es|ing) as|registered as) (?:an? )?(?:\w+ )?(?:sole[ -]trader|self[ -]employed|sole proprietor)\b|\bregistered sole[ -]trader\b|\(sole[ -]trader\)|(?:^|[|.;]\s)sole[ -]trader\s*(?:[:.|]|$)|\bas a sole[ -]trader\b(?![^.\n]{0,60}\byou\b)|\bis not (?:a|an) (?:limited|registered|incorporated) company\b|\bnot a limited company\b|\bproprietors?: (?:mr|mrs|ms|miss|dr)?\.? ?\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){1,3}(?!\s+(?:ltd|limited))|\b(?:an? )?(?:ordinary|general|traditional) partnership\b|\bpartners?: \p{Lu}\S+ \p{Lu}\S+ and \p{Lu}/imu

/** Matched against the site's names only: many sites mention a council. */
const COUNCIL = /\b(?:parish|town|city|county|borough|district|community) council\b|\bnhs (?:foundation )?trust\b/i

const PUBLIC_BODY =
  /\b(?:is|are) an? (?:local authority|government (?:agency|department)|nhs (?:foundation )?trust)\b|© [^\n]{0,40}\bcouncil\b|\bvoluntary aided\b|\bmaintained by \S+ council\b|\bincorporated by royal charter\b|\bestablished by (?:royal charter|act of parliament)\b|\bgp (?:surgery|practice)\b|\bpolice (?:force|and crime)\b/i

const PUBLIC_DOMAIN = /\.(?:gov|nhs|police|sch|mod|parliament)\.uk$|\.gov\.(?:scot|wales)$|\.llyw\.cymru$/

const CLUB =
  /\b(?:an|as an|is an|are an) unincorporated (?:association|body|charity|club|society|trust)|\b(?:[Hh]on(?:orary|\.)? )?(?:[Ss]ecretary|[Tt]reasurer|[Cc]hair(?:man|person|woman)?): \p{Lu}\p{Ll}+ \p{Lu}|\b[Oo]ur (?:committee|club rules|constitution)\b|\b[Rr]un (?:entirely )?by volunteers\b|\b(?:[Mm]embers['’]|[Oo]wners['’]|[Ss]upporters['’]) (?:[Cc]lub|[Ss]ociety)\b|\b[Tt]he club (?:is|was|has|meets)\b|\b(?:[Aa]nnual )?[Ss]ubscription (?:is|for members)\b/u

const COMMENTARY_LABEL =
  /(?:reviews?|fans?|fanclub|ownersclub|owners|watch|complaints?|victims?|scam|voucher(?:s|codes)?|coupons?|discounts?|deals|unofficial|campaign|action|truth|alternatives?|vs|outlet|clearance|sale|cheap|replica)$/

const COMMENTARY =
  /\b(?:unofficial|independent (?:review|guide|fan|information)|fan ?(?:site|page|club)|our (?:honest )?(?:verdict|rating)|is it (?:legit|any good)|campaign (?:against|to save))\b/i

/** These say something about the site only if their object has the site's name. */
const ABOUT =
  /\b(?:not (?:affiliated|connected|associated|endorsed) (?:with|by|to)|reviews? of|reviewed by)(?: (?:the|any of|or \w+ by))? ([^.,;\n]{2,60})/gi

const DOMAIN_SOLD =
  /\b(?:domain was (?:bought|acquired|purchased)|(?:bought|acquired|purchased) (?:this|the) domain|bought at auction|(?:former|previous) owner of (?:this|the) (?:domain|site)|under new ownership and is no longer)\b[^.\n]{0,60}/i

/** A site that sells links says so in more than one way; a blog that welcomes guests does not. */
const LINKS_FOR_SALE = [
  /\bguest posts? (?:and [\w ]{2,30} )?(?:welcome|accepted|wanted|available|from \S+ (?:dollars|pounds))\b[^.\n]{0,60}|\baccept(?:s|ing)? guest posts\b[^.\n]{0,60}/i,
  /\blink insertions?\b[^.\n]{0,60}/i,
  /\bwrite for us[^.\n]{0,30}(?:guest|links?)\b[^.\n]{0,60}/i,
  /\bsponsored posts? (?:welcome|accepted|available)\b[^.\n]{0,60}/i,
  /\b(?:casinos?|betting|payday|crypto(?:currency)?|slots|vape|cbd)\b[^.\n]{0,60}/i,
  /\b(?:dofollow|do-follow|backlinks?|domain authority)\b[^.\n]{0,60}/i,
]
const WAYS_MIN = 2

/** Shops that imitate another shop print the real address for returns. */
const IMITATION =
  /\breturns? (?:address|to|warehouse|centre)\b[^.\n]{0,80}\b(?:china|shenzhen|guangzhou|guangdong|yiwu|hangzhou|hong kong)\b|\boverseas factory warehouse\b/i

const ABOUT_OTHERS = /(?:reviews?|complaints?|victims?|scam|truth|watch|unofficial)$/

/** Letters of another alphabet that look like Latin ones: "аррӏе", "vеllacott". */
const OTHER_ALPHABET = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/** Phishing sites have "verify" or "secure-login" in their domains. */
const LOGIN_LABEL = /\b(?:secure-?log-?in|log-?in|sign-?in|verify|verification|account-?(?:update|verify|secure))\b/

function findLookAlike({ domain }: SiteIdentity): string | null {
  const shown = domainToUnicode(domain)
  const bait = LOGIN_LABEL.exec(domain)
  if (bait) return `${bait[0]} in the domain`
  return OTHER_ALPHABET.test(shown) ? `${shown}, with letters of another alphabet` : null
}

export function readSiteKind(identity: SiteIdentity, pages: readonly OpenedPage[]): SiteKind {
  const home = pages[0]
  const homeText = home ? visibleText(home) : ''
  const all = pages.map(visibleText).join('\n')
  const find = (pattern: RegExp, text: string) => pattern.exec(text)?.[0].trim() ?? null
  const isThin = (home?.document.visibleCharacters ?? 0) < THIN_CHARACTERS_MAX
  return {
    placeholder: isThin ? (find(FOR_SALE, homeText) ?? find(DEFAULT_PAGE, homeText)) : null,
    fictional: find(FICTIONAL, all) ?? find(DEMONSTRATION, all),
    franchise: find(FRANCHISE, all),
    notCompany: find(NOT_COMPANY, all) ?? find(SOLE_TRADER, all),
    publicBody: PUBLIC_DOMAIN.test(identity.domain)
      ? identity.domain
      : (find(COUNCIL, identity.brands.map(({ name }) => name).join('\n')) ?? find(PUBLIC_BODY, all)),
    club: find(CLUB, all),
    commentary: find(COMMENTARY_LABEL, identity.label) ?? find(COMMENTARY, homeText) ?? findAbout(homeText, identity),
    aboutOthers: find(ABOUT_OTHERS, identity.label),
    reused: find(DOMAIN_SOLD, all) ?? findLinksForSale(all),
    imitation: findLookAlike(identity) ?? find(IMITATION, all),
  }
}

/** Returns the words in which the site speaks of its own name as of another party. */
function findAbout(text: string, { label, brands }: SiteIdentity): string | null {
  const names = [label, ...brands.map(({ key }) => key.replaceAll(' ', '').toLowerCase())]
  for (const match of text.matchAll(ABOUT)) {
    const words = (match[1] ?? '').toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
    if (words.some((word) => !COMMON_OBJECTS.has(word) && names.some((name) => name.includes(word))))
      return match[0].trim()
  }
  return null
}

const COMMON_OBJECTS = new Set(
  'company companies business services limited group this site website their your other with'.split(' '),
)

function findLinksForSale(text: string): string | null {
  const ways = LINKS_FOR_SALE.map((pattern) => pattern.exec(text)?.[0].trim()).filter((words) => words !== undefined)
  return ways.length >= WAYS_MIN ? (ways[0] ?? null) : null
}

function visibleText(page: OpenedPage): string {
  return [page.document.title, ...page.document.blocks.map(({ text }) => text)].join('\n')
}
