import type { CrawledPage } from '../crawl/crawl.ts'
import type { SiteIdentity } from './identity.ts'

/** What a site says about itself that bears on whose it can be, with the words that said so. */
export interface SiteKind {
  /** Nobody has put a site there: for sale, parked, the host's own page. */
  placeholder: string | null
  /** Coursework, a demonstration: the company on it is made up. */
  fictional: string | null
  franchise: string | null
  /** A person or partnership that says it is no company. */
  notCompany: string | null
  /** A council, school, surgery or other public body. */
  publicBody: string | null
  /** A club, society or charity without a company. */
  club: string | null
  /** A site about somebody else: reviews, fans, owners. */
  commentary: string | null
}

/** Below this much text, words such as "coming soon" are the whole page and not a remark on one. */
const THIN = 1_500

const FOR_SALE =
  /\b(?:(?:this |the )?(?:premium )?domain(?: name)?(?: \S+\.\S+)? (?:is|may be|could be|might be) (?:available )?(?:for sale|to buy|available)|buy this domain|\S+\.\S{2,12} is for sale|owner of this domain has listed|domain (?:is )?for sale|make an offer (?:on|for) (?:this|the) domain|(?:interested in|enquire about|inquire about|own) this domain|domain parking|parked (?:free|domain|page|by|courtesy)|is parked\b|(?:the )?domain \S+ (?:has been|is|was) (?:recently )?registered|registered by a customer of|this domain (?:name )?(?:has been|is|was) (?:recently |newly )?registered|related searches|get this domain|lease to own|domain (?:has )?expired|renew (?:this|your) domain|brandable domain|this web ?address is (?:available|for sale))/i

const DEFAULT_PAGE =
  /\b(?:apache2? (?:\w+ )?default page|it works!|welcome to nginx|test page for|default (?:web ?site )?page|default page for|account (?:has been )?suspended|site (?:is )?(?:not published|currently unavailable|temporarily suspended)|under construction|coming soon|launching soon|future home of|has not (?:yet )?(?:uploaded|been published|been set up)|no (?:web ?site|content) (?:has been|is) (?:configured|uploaded|published)|web ?site (?:is )?(?:on its way|being built|coming)|index of \/|iis windows server|plesk|cpanel|placeholder page|hosting (?:account|package) (?:is|has been)|your new (?:web ?site|hosting)|successfully (?:installed|deployed)|if you are the (?:owner|webmaster) of this)/i

const FICTIONAL =
  /\b(?:fictional|fictitious|imaginary|made[ -]up|not a real|isn['’]t a real|does not (?:really )?exist|mock) (?:business|company|organi[sz]ation|shop|brand|firm|web ?site|product)|\bnot a real (?:company|business|shop)\b|\b(?:as|for|my|our|a|university|college|school|final[ -]year) (?:coursework|student project|class project|assignment|dissertation)|\bcoursework (?:for|by)|\b(?:demo|demonstration|sample|template|prototype|portfolio) (?:web ?site|site|store|shop|project)\b|\bfor (?:demonstration|educational|training|testing) purposes only|\bstudent project\b|\bpurely fictional\b|\ball (?:names|companies)[^.]{0,40}(?:fictional|fictitious|invented)/i

const FRANCHISE =
  /\bfranchis(?:es?|ed|ees?|ors?|ing)\b(?! (?:ltd|limited|plc|llp|uk|group|holdings|company)\b)[^.\n]{0,120}|\bindependently owned and operated\b|\brun under licen[cs]e\b|\blicen[cs]es the \S+ name\b/i

const NOT_COMPANY =
  /\b(?:is|am|as|are|a|trading as a|registered) (?:a )?(?:sole[ -]trader|self[ -]employed|sole proprietor)|\bsole[ -]trader\b|\bis not (?:a|an) (?:limited|registered|incorporated) company\b|\bnot a limited company\b|\bproprietors?: (?:mr|mrs|ms|miss|dr)?\.? ?\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){1,3}(?!\s+(?:ltd|limited))|\b(?:an? )?(?:ordinary|general|traditional) partnership\b|\bpartners?: \p{Lu}\S+ \p{Lu}\S+ and \p{Lu}/iu

const PUBLIC_BODY =
  /\b(?:parish|town|city|county|borough|district|community) council\b|\bnhs (?:foundation )?trust\b|\blocal authority\b|\bgovernment (?:agency|department)\b|\bvoluntary aided\b|\bmaintained by \S+ council\b|\bincorporated by royal charter\b|\bestablished by (?:royal charter|act of parliament)\b|\bgp (?:surgery|practice)\b|\bpolice (?:force|and crime)\b/i

const PUBLIC_DOMAIN = /\.(?:gov|nhs|police|sch|mod|parliament)\.uk$|\.gov\.(?:scot|wales)$|\.llyw\.cymru$/

const CLUB =
  /\bunincorporated (?:association|body|charity|club|society|trust)|\b(?:hon(?:orary|\.)? )?(?:secretary|treasurer|chair(?:man|person|woman)?): \p{Lu}\S+|\bour (?:committee|club rules|constitution)\b|\brun (?:entirely )?by volunteers\b|\b(?:members['’]|owners['’]|supporters['’]) club\b|\bthe club (?:is|was|has|meets)\b|\b(?:annual )?subscription (?:is|for members)\b/iu

const COMMENTARY_LABEL =
  /(?:reviews?|fans?|fanclub|ownersclub|owners|watch|complaints?|victims?|scam|voucher(?:s|codes)?|coupons?|discounts?|deals|unofficial|campaign|action|truth|alternatives?|vs)$/

const COMMENTARY =
  /\b(?:unofficial|independent (?:review|guide|fan|information)|fan ?(?:site|page|club)|not (?:affiliated|connected|associated|endorsed) (?:with|by|to)|affiliate (?:links?|commission|disclosure)|we (?:may )?(?:earn|receive) (?:a )?commission|our (?:honest )?(?:review|verdict|rating)|review of|reviewed by|is it (?:legit|any good)|pros and cons|campaign (?:against|to save))/i

export function readSiteKind(identity: SiteIdentity, pages: readonly CrawledPage[]): SiteKind {
  const home = pages[0]
  const homeText = home ? visibleText(home) : ''
  const all = pages.map(visibleText).join('\n')
  const find = (pattern: RegExp, text: string) => pattern.exec(text)?.[0].trim() ?? null
  const thin = (home?.document.visibleCharacters ?? 0) < THIN
  return {
    placeholder: thin ? (find(FOR_SALE, homeText) ?? find(DEFAULT_PAGE, homeText)) : null,
    fictional: find(FICTIONAL, all),
    franchise: find(FRANCHISE, all),
    notCompany: find(NOT_COMPANY, all),
    publicBody: PUBLIC_DOMAIN.test(identity.domain) ? identity.domain : find(PUBLIC_BODY, all),
    club: find(CLUB, all),
    commentary: find(COMMENTARY_LABEL, identity.label) ?? find(COMMENTARY, homeText),
  }
}

export function visibleText(page: CrawledPage): string {
  return [page.document.title, ...page.document.blocks.map(({ text }) => text)].join('\n')
}
