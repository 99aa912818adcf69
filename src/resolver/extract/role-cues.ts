/**
 * The words that give a company its role in a sentence. Each pattern is matched against the text right before the name, or
 * right after it.
 */

/** Words with which a site refers to itself. */
const SITE =
  '(?:(?:this|the|our|these) )?(?:(?:entire|whole|present) )?(?:web ?sites?|web pages?|sites?|online (?:shop|store|business)|e-?shop|web ?shop)|(?:this|our|these) (?:pages?|shop|store|apps?|platform|portal|business|practice|services?|brand|blog|newspaper|magazine|domain|surgery|clinic|hotel|restaurant|school|nursery|show|event|festival)'

/** Text between the site and "by". With one of these words the sentence is about that, not about the site. */
const GAP =
  '(?:(?!\\b(?:hosting|hosted|payments?|cards?|deliver\\w*|cookies?|e-?mails?|servers?|analytics|design\\w*|images?|photograph\\w*|newsletters?|bookings?|orders?|insurance|security|fulfil\\w*|cover|credit|finance|checkout|advert\\w*)\\b)[^.;]){0,60}'

const VERB =
  '(?:owned|operated|run|managed|provided|made available|published|controlled|administered|produced|supplied|offered|edited|issued|presented|organi[sz]ed|staged|promoted|brewed|distilled|roasted|baked|brought to you|looked after|put together)'

/** "owned and operated by", "is run jointly by". */
export const RUN_BY = `(?:,? (?:now |jointly |wholly |solely |proudly |also |independently |separately )?${VERB})(?: (?:jointly|together|independently|on licence|under licen[cs]e|in the uk))?(?:(?:,| and| &| or|/|, and) ?(?:is |are )?(?:independently )?(?:owned|operated|run|managed|maintained|controlled|published|provided|administered|looked after|licensed))*(?: (?:and maintained|in the uk|under licen[cs]e|on licence))?,? (?:by|through),?`

/** The end of the text before the name, with an optional description: "by the exclusive distributor, Example Ltd". */
export const END = '\\s*(?:(?:the|our|my|its|an?) [^,.;:()]{3,60}[,:]\\s*)?(?:the )?$'

/** The company has nothing, or no longer anything, to do with the site. */
export const DENIED_BEFORE = [
  /\b(?:not|never|no longer|neither|nor|isn['’]t|aren['’]t)\b[^.;]{0,40}\b(?:connected|affiliated|associated|endorsed|sponsored|linked|related|part of|owned|operated|run|authorised|a subsidiary|to be confused)\b[^.;]{0,40}$/i,
  /\b(?:no (?:connection|affiliation|association|relationship|link)s? (?:with|to)|unconnected (?:with|to)|independent of|unrelated to|different from|separate from|not to be confused with|nothing to do with)\b[^.;]{0,30}$/i,
  /\b(?:is|are) (?:a |an )?(?:entirely |wholly |quite )?(?:separate|different|unrelated|unconnected) (?:company|business|firm|organi[sz]ation|legal entity|entity)[,:]?\s*$/i,
  /\b(?:formerly|previously|once|until (?:\w+ ){0,3}\d{4}|before \d{4})\b[^.;]{0,30}\b(?:owned|operated|run|managed|traded?|known|published|part|a division)\b[^.;]{0,20}$/i,
  /\b(?:copy|copied|clone|imitation|screenshot|example) (?:of|from)\b[^.;]{0,30}$/i,
  /\b(?:took over|acquired|bought|purchased|succeeded to|continues|carries on|inherited) (?:the )?(?:entire |whole )?(?:business|trade|assets|undertaking|practice|goodwill)(?:,? (?:and|&) [a-z]+)? (?:of|from)(?: the)?\s*$/i,
  /\b(?:successors? to|acquired from|bought (?:the \w+ )?from|took over from|purchased from|assets of|liquidators? of|administrators? of|the former|the old|the previous|defunct|now[- ]dissolved|predecessor,?|formerly)\s*(?:the )?$/i,
]

export const DENIED_AFTER = [
  /^[^.;]{0,80}\b(?:is|are|was|has|does|do|did) (?:not|no longer|never)\b[^.;]{0,40}\b(?:connected|affiliated|associated|responsible|involved|linked|party|trading|trade|sell|operate|run|own|endorse)/i,
  /^[^.;]{0,60}\b(?:went into|is (?:now )?in|entered|was placed (?:in|into)|has entered|in) (?:creditors['’]? voluntary |compulsory |members['’]? voluntary )?(?:liquidation|administration|receivership)\b/i,
  /^[^;]{0,90}\b(?:and (?:was )?|was |has been )(?:wound up|dissolved|struck off|closed) in \d{4}\b/i,
  /^[^.;]{0,60}\b(?:ceased (?:trading|to trade)|has ceased to trade|was (?:dissolved|struck off|wound up|transferred|acquired|sold)|no longer trades|which (?:previously|formerly)|closed (?:in|on)|merged (?:into|with)|(?:has |was )?transferred (?:its|the|all|to)|is (?:now )?dissolved|\(dissolved|has its own (?:web ?)?site)\b/i,
  /^[^.;]{0,40}\b(?:not a real company|fictional|fictitious|made[ -]up|does not exist)\b/i,
]

/** A parent, franchisor, principal, agent or affiliate of the operator. */
export const RELATED_BEFORE = [
  /\b(?:ultimate |immediate |our |its |their )?(?:parent|holding|group|sister|associated?|affiliate[d]?|subsidiar(?:y|ies)|fellow|related)(?: (?:company|companies|undertaking|charity|organisation|business|entity|firm|parent))?(?: (?:is|are|,|:|\(|in the uk is))?[\s,:(-]*$/i,
  /\b(?:subsidiar(?:y|ies)|members?|part|arm|affiliates?) of(?: the)?[\s,:(-]*$/i,
  /\b(?:wholly|majority|ultimately|fully|100%)[ -]owned by[\s,:(-]*$/i,
  /\b(?:appointed representatives?|agents?|dealers?|distributors?|resellers?|franchisees?|licensees?|introducers?|introducer appointed representative|partners?|members?) (?:of|for|to)[\s,:(-]*$/i,
  /\b(?:franchisors?|franchisees?|managing agents?|licensors?|landlords?|freeholders?|principal|insurers?|underwriters?|lenders?|importer|manufacturer|(?:UK|EU|article 27|GDPR) representative|responsible person|affiliate|nominated adviser|auditors?|registrars?|brokers?|bankers?|solicitors|accountants?)\b(?: (?:is|are|of|for))?[\s,:(-]*$/i,
  /\b(?:the )?["“']?group["”']? (?:means?|accounts|parent)\b[^.;]{0,60}$/i,
  /\b(?:on behalf of|in association with|in partnership with|under licen[cs]e from|licensed (?:from|by|to)|with permission (?:from|of)|local affiliate,?|profits to(?: its)?(?: parent)?,?)[\s,:(-]*$/i,
  /\b(?:fulfilled|delivered|shipped|despatched|dispatched|supplied|sold)\b[^.;]{0,40}\b(?:in|to|within|outside) (?:the )?(?:eu|europe|european union|republic of ireland|ireland|usa|united states|us)\b[^.;]{0,40}$/i,
]

/** Matched against the text after the name, without the company's details. */
export const RELATED_AFTER = [
  /^[\s,()]*(?:is|as|,)? ?(?:the|our|its|an?|which is (?:the|our))? ?(?:ultimate |group |immediate )?(?:parent|holding)(?: (?:company|undertaking|of))?\b/i,
  /^[^.;]{0,40}\b(?:licen[cs]es|franchises|grants)\b[^.;]{0,40}\b(?:name|brand|mark|rights|franchisees?)\b/i,
  /^[^.;]{0,60}\bowns? the [^.;]{2,30}(?:name|brand|trade ?mark)s?\b/i,
  /^[\s,()]*and its (?:subsidiaries|group|affiliates|associated)/i,
  /^[\s,()]*(?:acts?|acting) (?:only |solely |throughout )?as (?:our |its |an? )?(?:agents?|processor|representative|broker|guarantor)\b/i,
]
export const RELATED_BRACKET =
  /^[^.;]{0,40}\((?:[^)]{0,40}\b)?(?:group parent|parent|franchisor|holding company|ultimate parent)\b/i

/** The company made or hosts the site, or supplies its content. */
export const MADE_BY = [
  /\b(?:designed|built|developed|created|crafted|hosted|powered|coded|printed|maintained|optimi[sz]ed|photographed|illustrated|themed|drawn|dreamt up)\b[^.;|]{0,40}\bby\s*(?:the )?$/i,
  /\b(?:web ?site|site|page|^)\W*(?:lovingly |proudly |hand)?(?:made|powered|built) (?:with \S+ )?(?:by|with)\s*(?:the )?$/i,
  /\b(?:web ?site|site|web|page|theme|template|graphic|logo)(?: (?:design|development|build|hosting|maintenance|production)(?:,? (?:and|&) \w+)?)? by\s*(?:the )?$/i,
  /(?:^|[|•·.;\n]\s*)(?:web ?site|site|web|theme|template)(?: (?:design|development|build|hosting|maintenance|production)(?:,? (?:and|&) \w+)?)?\s*:\s*$/i,
  /\b(?:design|development|hosting|photography|theme|seo|marketing|branding|copy|content|illustration|print(?:ing)?)(?:,? (?:and|&) \w+)?(?: by|\s*:)\s*(?:the )?$/i,
]
/** "Owned and maintained by" is not the credit of a web designer. */
export const OWNED = /\b(?:owned|operated|run|belongs)\b[^.;|]{0,40}$/i

/** Services that others do for a site. A company in such a sentence is a third party, even with the site's name. */
export const SERVICE =
  /\b(?:processed|handled|delivered|fulfilled|underwritten|insured|arranged|hosted|stored|employed|cooked|made|cut|leased|let|rented|collected|cleaned|audited|maintained|printed|administered by our|distributed|carried|shipped|posted|booked|ticketed|catered|guaranteed|sponsored|supported|funded|payable)\b[^.;]{0,30}\b(?:by|through|via|with|from|to)\s*(?:the )?$|\b(?:bursar\w*|sponsor\w*|catering|lunch|insurance|finance|credit|cover|payments?|deliver\w*|checkout|weddings?|camps?) (?:is |are )?(?:by|from|with|through)\s*(?:the )?$/i

/** A copyright line mostly names the site's owner, sometimes the author of a theme or a photograph. */
export const COPYRIGHT =
  /(?:©|\(c\)|\bcopyright\b|\bhawlfraint\b)[\s©:,]*(?:(?:19|20)\d\d(?:\s*[-–/]\s*(?:(?:19|20)?\d\d|present))?)?[\s,.:-]*(?:by )?$/i
export const OTHERS_WORK =
  /\b(?:theme|template|photos?|photographs?|images?|icons?|map data|fonts?|software|illustrations?|video|music|artwork)\b[^.;|\n]{0,40}$/i

/** Words for the company itself in terms and policies. */
const OWN_TERMS =
  '(?:we|us|our|ours|the company|company|the supplier|supplier|the organi[sz]ers?|organi[sz]er|the host|host|the seller|seller|the operator|operator|the licensor|the provider|provider|service provider|the agency|the publisher|publisher|the firm|the promoter|the trader|the vendor|the school|the college|the trust|the charity|the society|the employment business|employment business|the business|the practice|the owner|the hotel|the shop|the retailer|the carrier|the club|the landlord|the lessor|the contractor)'

export const OPERATOR_BEFORE = [
  new RegExp(
    `\\b(?:${SITE})(?: ${GAP})?(?: (?:is|are|was|has been|have been|it['’]s|they['’]re)|,|: (?:it|they)['’]?(?:s|re)?)${RUN_BY}${END}`,
    'i',
  ),
  new RegExp(
    `\\b(?:${SITE})(?: ${GAP})? (?:is|are) (?:the )?(?:responsibility|property|work) of(?: [^.;]{0,40}, (?:namely|i\\.?e\\.?|being))?,?${END}`,
    'i',
  ),
  new RegExp(
    `\\b(?:${SITE}) (?:is|are) (?:maintained|run|managed|operated|hosted|provided|published|kept) (?:for|on behalf of)${END}`,
    'i',
  ),
  new RegExp(`\\b(?:the )?(?:marketplace|platform|magazine|charity) (?:is|are)${RUN_BY}${END}`, 'i'),
  /\bangaben gem(?:äß|aess|\.) § ?\d+ \w+\s*:?\s*$/iu,
  new RegExp(`\\b(?:${SITE}|pages? at this address)(?:[ ,]${GAP})? belongs? to${END}`, 'i'),
  new RegExp(
    `\\b(?:responsible for|operators? of|owners? of|publishers? of|proprietors? of|behind|who runs?|which runs?|that runs?|runs?|running) (?:${SITE})[^.;]{0,30}?(?:\\s*:|,? (?:is|are|being|namely))?,?${END}`,
    'i',
  ),
  /^\W*(?:(?:web ?site|site|shop|store)? ?(?:owned|operated|run|published|owned and (?:operated|run|managed)|operated and owned)) by,?\s*(?:the )?$/i,
  /\b(?:we are|we're|we’re|we,|us,|i am|you are dealing with|you deal with|the company we now are:?)\s+(?:the )?$/i,
  /\bwe,[^.;]{0,40}, are\s*(?:the )?$/i,
  new RegExp(
    `["“'‘]\\s*${OWN_TERMS}\\s*["”'’][^.;]{0,60}\\b(?:means?|refers? to|are to|is to|is|are|shall mean)\\s*:?${END}`,
    'i',
  ),
  new RegExp(`["“'‘]\\s*${OWN_TERMS}\\s*["”'’]\\s*[:–—-]${END}`, 'i'),
  /\breferences? to ["“'‘]?(?:we|us|our)\b[^.;]{0,60}\b(?:are to|is to|means?|are references to)\s*:?\s*(?:the )?$/i,
  /\b(?:we|us|our) means?\s*(?:the )?$/i,
  /["“'‘](?:we|us|our)["”'’][^.;]{0,50}\b(?:refers? (?:only |solely )?to|stands? for|means? (?:only )?)\s*(?:the )?$/i,
  /\b(?:is|are) (?:the|a) (?:business|shop|studio|practice|work|name over the door|trade) of\s*(?:the )?$/i,
  /\b(?:people|company|team|firm|business) who (?:run|own|operate|publish) [^.;,]{2,40},\s*(?:the )?$/i,
  /\bwhen we say\b[^.;]{0,80}\bwe mean\s*$/i,
  /\b(?:(?:data )?controller|organi[sz]ation responsible|company responsible|entity responsible|responsible (?:for|party)|seller|contracting party|merchant|trader|service provider|rheolydd data)\b[^.;]{0,80}\b(?:is|are|means?|yw)\b:?\s*(?:the )?$/i,
  /\b(?:business|company|people|team|firm|name|outfit) (?:behind|that runs|who run|which runs|running) (?:it|this|us|them|[\w’' &]{2,40}?)(?: is| are|:)\s*(?:the )?$/i,
  /\b(?:(?:data )?controller|site operator|website operator|operator|owner|site owner|proprietors?|publishers?|imprint|company name|legal (?:name|entity)|legally|registered (?:company )?name(?: (?:&|and) number)?|business name|full (?:company |legal )?name|trading entity|trader|name of (?:the )?company|registered as|company information|company details|legal information|registered company|our (?:full |legal |company )?name is|who we are|pwy ydym ni|(?:and|this|our|the) (?:web ?)?site|the (?:supplier|seller|organi[sz]er|provider|operator|publisher|licensor|promoter)|(?:^|\n)\s*(?:supplier|seller|organi[sz]er|provider|service provider|licensor|promoter)|editeur(?: du site)?|éditeur(?: du site)?|(?:^|\n)\s*(?:company|name)|enw['’]r cwmni|account name|payee|cheques payable to)\s*[:–—|-]?\s*$/i,
  /\b(?:your |personal )(?:data|information)\b[^.;]{0,40}\b(?:controlled|collected|held|handled) by\s*(?:the )?$/i,
  /\bis in law\s*$|\b(?:your |our )?(?:invoices?|bills?|receipts?) (?:will )?(?:comes?|are|is)(?: sent| issued| raised)? (?:from|by)\s*(?:the )?$|\b(?:this|our) (?:statement|policy|notice|report) (?:is|was) (?:made|given|issued|published|adopted) by\s*(?:the )?$/i,
  /\b(?:your |these |our |this |all )?(?:contracts?|agreements?|orders?|bookings?|dealing|licen[cs]e|purchases?|tickets?|stay|tuition)\b[^.;]{0,70}\b(?:(?:is|are|be|made|entered into|concluded|formed|granted|issued)(?: only| solely)? (?:with|by)|with|between you(?: \([^)]*\))? and|between (?:the )?(?:customer|user|client|buyer)s? and|accepted by)\s*(?:the )?$/i,
  /\b(?:these|our|the) (?:terms|conditions)(?: (?:and|&) conditions)?(?: of \w+)? (?:apply|govern|relate|cover)\b[^.;]{0,60}\b(?:by|with|from)\s*(?:the )?$/i,
  /(?:^|[.;:]\s+)(?:the )?(?:promoter|organi[sz]er|operator|supplier|seller|provider|proprietor|publisher|licensor|hirer|carrier|host) is\s*(?:the )?$/i,
  /\ba (?:web ?site|site|blog|podcast) (?:of|owned by|run by|operated by|from)\s*(?:the )?$/i,
  /\b(?:brands?|names?|trade ?names?|trading names?)\b[^.;]{0,120}\b(?:belongs? to|belonging to|are owned by|is owned by|are used by|is used by)\s*(?:the )?$/i,
  /\b(?:sold|supplied|distributed|supported|marketed|serviced|imported|brought to britain)(?:,? (?:and|&|\w+,) [\w ]{0,40})*(?: in (?:the )?(?:uk|united kingdom|great britain)(?: and ireland)?| here) (?:exclusively )?by\s*(?:the )?$/i,
  /\b(?:treatment|care|services?|courses?|products?|goods|tuition|advice|holidays|insurance|policies|work)\b[^.;]{0,50}\b(?:this|these|our|the) (?:web ?)?sites?\b[^.;]{0,40}\b(?:by|with)\s*(?:the )?$/i,
]

/** Text between a name and its verb, without the name of another company. */
const ASIDE = '(?:(?!\\b(?:ltd|limited|plc|llp)\\b)[^.;]){0,160}'

/** Matched against the text after the name. */
export const OPERATOR_AFTER = [
  /^[^.;]{0,10}\(?["“'‘](?:we|us|our|the (?:company|supplier|seller|organi[sz]er|school|trust|operator|publisher|firm))["”'’]/i,
  new RegExp(
    `^${ASIDE}\\b(?:owns|operates|runs|manages|publishes|puts up|looks after|provides|trades (?:as|through))(?:(?:,| and| &) (?:owns|operates|runs|manages|maintains|puts up))* (?:and (?:operates|runs) )?(?:${SITE})\\b`,
    'i',
  ),
  new RegExp(`^${ASIDE}\\b(?:is|are|yw['’]r) (?:the )?(?:(?:data )?controllers?|rheolydd data)\\b`, 'i'),
  /^\s*(?:production|publication)\b/i,
  new RegExp(
    `^[^.;]{0,60}\\b(?:is|are) (?:the )?(?:operators?|owners?|publishers?|proprietors?) of (?:${SITE})\\b`,
    'i',
  ),
  new RegExp(`^${ASIDE}\\b(?:keeps|maintains|updates|writes|edits) (?:${SITE})\\b`, 'i'),
  new RegExp(
    `^${ASIDE}\\b(?:who|which)(?: [^.;]{0,80})? (?:runs?|owns?|operates?|manages?|publish(?:es)?|looks? after|maintains?) (?:${SITE})\\b`,
    'i',
  ),
  /^[\s,]*the company behind\b/i,
  /^[^.;]{0,60}["“'(‘]we["”'’]/i,
  /^[^.;]{0,90}\b(?:and )?the (?:web ?)?(?:site|pages) (?:at this address )?(?:is|are) its own\b/i,
  /^[^.;]{0,90}\breferred to (?:below |here )?as ["“'‘]?(?:we|us)\b/i,
  /^\s*(?:takes?|respects?|values?) (?:your|the) privacy/i,
  /^[^.;]{0,60}["“'‘](?:we|us)["”'’]/i,
]

export const NAME_OF =
  '(?:(?:a|the|one|each)? ?(?:registered )?(?:trading|working|business|brand|operating|trade)[ -]?(?:names?|styles?|divisions?)|(?:a|the) (?:names?|brands?|divisions?|trading arm|business units?|service|product|website|site|publication|workshop|home|shop|studio)) (?:of|used by|owned by|belonging to|owned and operated by|operated by|from|by)'

export const TRADING_AS =
  /^[\s,(]*(?:\([^)]*\)[\s,]*)?(?:t\/as?|(?:(?:which|who) )?(?:trading|trades) (?:here |online |locally )?(?:as|under the name)|dba|d\/b\/a|doing business as|operating as|also known as|known as|sy['’]n masnachu fel)\b/i

/** Verbs of news articles; disclosures do not use them. */
export const NEWS_VERB =
  /^[\s,]*(?:has|had|have|was (?!incorporated|registered|formed|founded|established)|were|said|says|announced|wants?|will|plans?|went|launched|supplied|won|reported|told|made|saved|helped|faces?|owes?|expects?|denied|declined|opened|closed|bought|sold|appointed|dismissed|pleaded|admitted|collect|who|is (?:to|planning|expected|said|facing|seeking))\b/i

/** Words before a name that belong to a disclosure and do not show the role. */
export const BOILERPLATE_WORDS =
  /\b(?:terms (?:of (?:use|service|sale|business|trade)|(?:and|&) conditions)|conditions of (?:use|sale)|privacy (?:policy|notice)|cookie (?:policy|settings|preferences)|modern slavery statement|site ?map|accessibility|back to top|follow us|faqs?|sign in|newsletter|e&oe|copyright|hawlfraint|all rights reserved|registered(?: in)?(?: england(?: (?:and|&) wales)?| wales| scotland| northern ireland| the uk)?(?: as)?|registered office|trading since|est(?:ablished|d)?\.?|part of the furniture|since|in|the|mae|legal|terms|privacy|cookies?|contact|home|address|email|uk company|company|number|no|vat|reg\w*|footer|about)\b/gi
