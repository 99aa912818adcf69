import { domainToUnicode } from 'node:url'
import type { CrawledPage } from '../crawl/crawl.ts'
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
  /\b(?:fictional|fictitious|imaginary|made[ -]up|not a real|isn['’]t a real|does not (?:really )?exist|mock) (?:business|company|organi[sz]ation|shop|brand|firm|web ?site|product)|\bnot a real (?:company|business|shop)\b|\b(?:my|university|college|school|final[ -]year|student) (?:coursework|student project|class project|assignment|dissertation)|\bcoursework (?:for|by)|\b(?:demo|demonstration|sample|template|prototype|portfolio) (?:web ?site|site|store|shop|project)\b|\bfor (?:demonstration|educational|training|testing) purposes only|\bstudent project\b|\bpurely fictional\b|\ball (?:names|companies)[^.]{0,40}(?:fictional|fictitious|invented)/i

const FRANCHISE =
  /\bfranchis(?:es?|ed|ees?|ors?|ing)\b(?! (?:ltd|limited|plc|llp|uk|group|holdings|company)\b)[^.\n]{0,120}|\bindependently owned and operated\b|\brun under licen[cs]e\b|\blicen[cs]es the \S+ name\b/i

const NOT_COMPANY =
  /\b(?:is|am|as|are|a|trading as a|registered) (?:a )?(?:sole[ -]trader|self[ -]employed|sole proprietor)|\bsole[ -]trader\b|\bis not (?:a|an) (?:limited|registered|incorporated) company\b|\bnot a limited company\b|\bproprietors?: (?:mr|mrs|ms|miss|dr)?\.? ?\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){1,3}(?!\s+(?:ltd|limited))|\b(?:an? )?(?:ordinary|general|traditional) partnership\b|\bpartners?: \p{Lu}\S+ \p{Lu}\S+ and \p{Lu}/iu

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
  /\b(?:unofficial|independent (?:review|guide|fan|information)|fan ?(?:site|page|club)|not (?:affiliated|connected|associated|endorsed) (?:with|by|to)|our (?:honest )?(?:review|verdict|rating)|review of|reviewed by|is it (?:legit|any good)|pros and cons|campaign (?:against|to save))/i

const REUSED =
  /\b(?:domain was (?:bought|acquired|purchased)|(?:bought|acquired|purchased) (?:this|the) domain|bought at auction|(?:former|previous) owner of (?:this|the) (?:domain|site)|under new ownership and is no longer|guest posts? (?:and [\w ]{2,30} )?(?:welcome|accepted|wanted|available|from \S+ (?:dollars|pounds))|accept(?:s|ing)? guest posts|link insertions?|write for us[^.\n]{0,30}(?:guest|links?)|sponsored posts? (?:welcome|accepted|available))\b[^.\n]{0,60}/i

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

export function readSiteKind(identity: SiteIdentity, pages: readonly CrawledPage[]): SiteKind {
  const home = pages[0]
  const homeText = home ? visibleText(home) : ''
  const all = pages.map(visibleText).join('\n')
  const find = (pattern: RegExp, text: string) => pattern.exec(text)?.[0].trim() ?? null
  const isThin = (home?.document.visibleCharacters ?? 0) < THIN_CHARACTERS_MAX
  return {
    placeholder: isThin ? (find(FOR_SALE, homeText) ?? find(DEFAULT_PAGE, homeText)) : null,
    fictional: find(FICTIONAL, all),
    franchise: find(FRANCHISE, all),
    notCompany: find(NOT_COMPANY, all),
    publicBody: PUBLIC_DOMAIN.test(identity.domain)
      ? identity.domain
      : (find(COUNCIL, identity.brands.map(({ name }) => name).join('\n')) ?? find(PUBLIC_BODY, all)),
    club: find(CLUB, all),
    commentary: find(COMMENTARY_LABEL, identity.label) ?? find(COMMENTARY, homeText),
    aboutOthers: find(ABOUT_OTHERS, identity.label),
    reused: find(REUSED, all),
    imitation: findLookAlike(identity) ?? find(IMITATION, all),
  }
}

function visibleText(page: CrawledPage): string {
  return [page.document.title, ...page.document.blocks.map(({ text }) => text)].join('\n')
}
