/**
 * The wordings that give a company its role in a sentence, as data. Code branches on the ids, never on the words. A pattern
 * is matched against the text right before the name of the company (it ends where the name begins) or right after it.
 */

/**
 * The role that a sentence gives a named company.
 *
 * `operator`: the sentence states that the company runs the site. `denied`: it states the contrary. `related`: a parent,
 * franchisor, agent or affiliate of the operator. `third_party`: a supplier, or a company that is only written about.
 * `stated`: the name without a sentence, as in a footer; other facts must show whose it is. `named`: mentioned in passing,
 * and the name is the site's own.
 */
export type Role = 'operator' | 'stated' | 'named' | 'related' | 'third_party' | 'denied'

/**
 * What a sentence is about. `site`: the site, or the people who speak on it. `terms`: one kind of dealing, such as a contract
 * or personal data, which a company may do for another. `label`: a heading or label, which may introduce any company.
 * `company`: the company itself, or its tie to another one.
 */
export type Scope = 'site' | 'terms' | 'label' | 'company'

export interface Cue {
  id: string
  side: 'before' | 'after'
  role: Role
  scope: Scope
  /** A company that ran the site in the past does not run it now. */
  tense: 'present' | 'past'
  pattern: RegExp
  /** Words that it matches, with X for the company. */
  example: string
  /** The world whose sites taught it, for a wording that no other world and no catalogue has. */
  taughtBy?: string
}

/** Words with which a site refers to itself. */
const SITE =
  '(?:(?:(?:this|the|our|these) )?(?:(?:entire|whole|present) )?(?:web ?sites?|web pages?|sites?|online (?:shop|store|business)|e-?shop|web ?shop)|(?:this|our|these) (?:pages?|shop|store|apps?|platform|portal|business|practice|services?|brand|blog|newspaper|magazine|domain|surgery|clinic|hotel|restaurant|school|nursery|show|event|festival))'

/** Text between the site and "by". With one of these words the sentence is about that, not about the site. */
const GAP =
  '(?:(?!\\b(?:hosting|hosted|payments?|cards?|deliver\\w*|cookies?|e-?mails?|servers?|analytics|design\\w*|images?|photograph\\w*|newsletters?|bookings?|orders?|insurance|security|fulfil\\w*|cover|credit|finance|checkout|advert\\w*)\\b)[^.;]){0,60}'

const VERB =
  '(?:owned|operated|run|carried on|managed|provided|made available|published|controlled|administered|produced|supplied|offered|edited|issued|presented|organi[sz]ed|staged|promoted|brewed|distilled|roasted|baked|brought to you|looked after|put together)'
const HOW = '(?:now |jointly |wholly |solely |proudly |also |independently |separately )?'
const WHERE = '(?: (?:jointly|together|independently|on licence|under licen[cs]e|in the uk))?'
const AND_VERB =
  '(?:(?:,| and| &| or|/|, and) ?(?:is |are )?(?:independently )?(?:owned|operated|run|managed|maintained|controlled|published|provided|administered|looked after|licensed))*'

/** "owned and operated by", "is run jointly by". */
export const RUN_BY = `(?:,? ${HOW}${VERB})${WHERE}${AND_VERB}(?: (?:and maintained|in the uk|under licen[cs]e|on licence))?,? (?:by|through)[,:]?`

/** The end of the text before the name, with an optional description: "by the exclusive distributor, Example Ltd". */
export const END = '\\s*(?:(?:the|our|my|its|an?) [^,.;:()]{3,60}[,:]\\s*)?(?:the )?$'
const THE_END = '\\s*(?:the )?$'
const OPEN_END = '[\\s,:(-]*$'

/** Words for the company itself in terms and policies. */
const OWN_TERM =
  '(?:we|us|our|ours|the company|company|the supplier|supplier|the organi[sz]ers?|organi[sz]er|the host|host|the seller|seller|the operator|operator|the licensor|the provider|provider|service provider|the agency|the publisher|publisher|the firm|the promoter|the trader|the vendor|the school|the college|the trust|the charity|the society|the employment business|employment business|the business|the practice|the owner|the hotel|the shop|the retailer|the carrier|the club|the landlord|the lessor|the contractor)'
const QUOTE = '["“\'‘”’]'

/** Text between a name and its verb, without the name of another company. */
const ASIDE = '(?:(?!\\b(?:ltd|limited|plc|llp)\\b)[^.;]){0,160}'

/** Text that does not restrict the sentence to one kind of dealing: "for tickets". */
const WHOLE = '(?:(?!\\bfor (?!the purposes?\\b|this\\b|our\\b|your\\b|these\\b|all\\b|any\\b))[^.;]){0,70}'

type Extra = { scope?: Scope; tense?: Cue['tense']; taughtBy?: string }

const cue =
  (side: Cue['side'], role: Role, scope: Scope) =>
  (id: string, example: string, pattern: string, extra: Extra = {}): Cue => ({
    id,
    side,
    role,
    scope,
    tense: 'present',
    pattern: new RegExp(pattern, 'iu'),
    example,
    ...extra,
  })

const deniedBefore = cue('before', 'denied', 'site')
const deniedAfter = cue('after', 'denied', 'company')
const runsBefore = cue('before', 'operator', 'site')
const dealsBefore = cue('before', 'operator', 'terms')
const labelBefore = cue('before', 'operator', 'label')
const runsAfter = cue('after', 'operator', 'site')
const relatedBefore = cue('before', 'related', 'company')
const relatedAfter = cue('after', 'related', 'company')
const madeBefore = cue('before', 'third_party', 'terms')

/** The company has nothing, or no longer anything, to do with the site. */
const DENIED: Cue[] = [
  deniedBefore(
    'not_connected',
    'This site is not affiliated with X',
    "\\b(?:not|never|no longer|neither|nor|isn['’]t|aren['’]t)\\b[^.;]{0,40}\\b(?:connected|affiliated|associated|endorsed|sponsored|linked|related|part of|owned|operated|run|authorised|a subsidiary|to be confused)\\b[^.;]{0,40}$",
  ),
  deniedBefore(
    'no_connection',
    'We have no connection with X',
    '\\b(?:no (?:connection|affiliation|association|relationship|link)s? (?:with|to)|unconnected (?:with|to)|independent of|unrelated to|different from|separate from|not to be confused with|nothing to do with)\\b[^.;]{0,30}$',
  ),
  deniedBefore(
    'separate_company',
    'There is a quite separate company, X',
    '\\b(?:is|are) (?:a |an )?(?:entirely |wholly |quite )?(?:separate|different|unrelated|unconnected) (?:company|business|firm|organi[sz]ation|legal entity|entity)[,:]?\\s*$',
  ),
  deniedBefore(
    'formerly_run',
    'The shop was formerly owned by X',
    '\\b(?:formerly|previously|once|until (?:\\w+ ){0,3}\\d{4}|before \\d{4})\\b[^.;]{0,30}\\b(?:owned|operated|run|managed|traded?|known|published|part|a division)\\b[^.,;]{0,20}$',
    { tense: 'past' },
  ),
  deniedBefore(
    'until_year',
    'Until 2019 the site was that of X',
    '\\b(?:until|up to) (?:the )?(?:\\w+ ){0,3}\\d{4}\\b[^.;]{0,60}\\b(?:was|were|had been)\\b[^.;]{0,40}$',
    { tense: 'past' },
  ),
  deniedBefore(
    'used_to_be',
    'The mill used to be run by X',
    '\\bused to be (?:an? )?(?:owned|operated|run|managed|part|trading name)\\b[^.;]{0,20}$',
    {
      tense: 'past',
    },
  ),
  deniedBefore(
    'copy_of',
    'This is a copy of X',
    '(?:\\b(?:is|as|was) (?:an? )?(?:copy|clone|imitation|screenshot|example) of|\\bcopied from|^\\W*(?:an? )?(?:copy|clone|screenshot) of)\\b[^.;]{0,30}$',
  ),
  deniedBefore(
    'took_over',
    'In 2020 we took over the business of X',
    '\\b(?:took over|acquired|bought|purchased|succeeded to|continues|carries on|inherited) (?:the )?(?:entire |whole )?(?:business|trade|assets|undertaking|practice|goodwill)(?:,? (?:and|&) [a-z]+)? (?:of|from)(?: the)?\\s*$',
    { tense: 'past' },
  ),
  deniedBefore(
    'predecessor',
    'successors to X',
    '\\b(?:successors? to|acquired from|bought (?:the \\w+ )?from|took over from|purchased from|assets of|liquidators? of|administrators? of|the former|the old|the previous|defunct|now[- ]dissolved|predecessor,?|formerly)\\s*(?:the )?$',
    { tense: 'past' },
  ),
  deniedAfter(
    'is_not',
    'X is not connected with this site',
    '^[^.;]{0,80}\\b(?:is|are|was|has|does|do|did) (?:not|no longer|never)\\b[^.;]{0,40}\\b(?:connected|affiliated|associated|responsible|involved|linked|party|trading|trade|sell|operate|run|own|endorse)',
    { scope: 'site' },
  ),
  deniedAfter(
    'nothing_to_do',
    'X, which is nothing to do with us',
    '^[^.;]{0,60}\\b(?:is|are|has|have) (?:nothing to do|no connection) with\\b',
    {
      scope: 'site',
    },
  ),
  deniedAfter(
    'in_insolvency',
    'X went into liquidation',
    "^[^.;]{0,60}\\b(?:went into|is (?:now )?in|entered|was placed (?:in|into)|has entered|in) (?:creditors['’]? voluntary |compulsory |members['’]? voluntary )?(?:liquidation|administration|receivership)\\b",
    { tense: 'past' },
  ),
  deniedAfter(
    'was_dissolved',
    'X was wound up in 2018',
    '^[^;]{0,90}\\b(?:and (?:was )?|was |has been )(?:wound up|dissolved|struck off|closed) in \\d{4}\\b',
    { tense: 'past' },
  ),
  deniedAfter(
    'ceased_trading',
    'X ceased trading',
    '^[^.;]{0,60}\\b(?:ceased (?:trading|to trade)|has ceased to trade|was (?:dissolved|struck off|wound up|transferred|acquired|sold)|no longer trades|which (?:previously|formerly)|closed (?:in|on)|merged (?:into|with)|(?:has |was )?transferred (?:its|the|all|to)|is (?:now )?dissolved|\\(dissolved|has its own (?:web ?)?site)\\b',
    { tense: 'past' },
  ),
  deniedAfter(
    'not_real',
    'X is fictional',
    '^[^.;]{0,40}\\b(?:not a real company|fictional|fictitious|made[ -]up|does not exist)\\b',
  ),
]

/** The sentence states that the company runs the site, before its name. */
const RUNS_BEFORE: Cue[] = [
  runsBefore(
    'site_run_by',
    'This website is owned and operated by X',
    `\\b${SITE}(?: ${GAP})?(?: (?:is|are|was|has been|have been|it['’]s|they['’]re)|,|: (?:it|they)['’]?(?:s|re)?)${RUN_BY}${END}`,
  ),
  runsBefore(
    'site_property_of',
    'This site is the responsibility of X',
    `\\b${SITE}(?: ${GAP})? (?:is|are) (?:the )?(?:responsibility|property|work) of(?: [^.;]{0,40}, (?:namely|i\\.?e\\.?|being))?,?${END}`,
  ),
  runsBefore(
    'site_run_for',
    'This site is maintained on behalf of X',
    `\\b${SITE} (?:is|are) (?:maintained|run|managed|operated|hosted|provided|published|kept) (?:for|on behalf of)${END}`,
  ),
  runsBefore(
    'platform_run_by',
    'The magazine is published by X',
    `\\b(?:the )?(?:marketplace|platform|magazine|charity) (?:is|are)${RUN_BY}${END}`,
  ),
  runsBefore('german_imprint', 'Angaben gemäß § 5 TMG: X', '\\bangaben gem(?:äß|aess|\\.) § ?\\d+ \\w+\\s*:?\\s*$'),
  runsBefore(
    'site_belongs_to',
    'This site belongs to X',
    `\\b(?:${SITE}|pages? at this address)(?:[ ,]${GAP})? belongs? to${END}`,
  ),
  runsBefore(
    'responsible_for_site',
    'The company responsible for this website is X',
    `\\b(?:responsible for|operators? of|owners? of|publishers? of|proprietors? of|behind|who runs?|which runs?|that runs?|runs?|running) ${SITE}[^.;]{0,30}?(?:\\s*:|,? (?:is|are|being|namely))?,?${END}`,
  ),
  runsBefore(
    'owned_by_alone',
    'Owned and operated by X',
    '^\\W*(?:(?:web ?site|site|shop|store)? ?(?:owned|operated|run|published|owned and (?:operated|run|managed)|operated and owned)) by,?\\s*(?:the )?$',
  ),
  runsBefore(
    'we_are',
    'We are X',
    `\\b(?:we are|we're|we’re|we,|us,|i am|you are dealing with|you deal with|the company we now are:?)\\s+(?:the )?$`,
  ),
  runsBefore('we_aside_are', 'We, the people of the mill, are X', '\\bwe,[^.;]{0,40}, are\\s*(?:the )?$'),
  runsBefore(
    'we_means',
    '“We” means X',
    `${QUOTE}\\s*${OWN_TERM}\\s*${QUOTE}[^.;]{0,60}\\b(?:means?|refers? (?:only |solely )?to|stands? for|are to|is to|is|are|shall mean)\\s*:?${END}`,
  ),
  runsBefore('we_colon', '“We”: X', `${QUOTE}\\s*${OWN_TERM}\\s*${QUOTE}\\s*[:–—-]${END}`),
  runsBefore(
    'references_to_us',
    'References to “us” are to X',
    `\\breferences? to ${QUOTE}?(?:we|us|our)\\b[^.;]{0,60}\\b(?:are to|is to|means?|are references to)\\s*:?${THE_END}`,
  ),
  runsBefore('we_means_unquoted', 'In this notice we means X', `\\b(?:we|us|our) means?${THE_END}`),
  runsBefore(
    'is_the_business_of',
    'The Old Mill is the shop of X',
    `\\b(?:is|are) (?:the|a) (?:business|shop|studio|practice|work|name over the door|trade) of${THE_END}`,
  ),
  runsBefore(
    'people_who_run',
    'the people who run the mill, X',
    `\\b(?:people|company|team|firm|business) who (?:run|own|operate|publish) [^.;,]{2,40},${THE_END}`,
  ),
  runsBefore('when_we_say', 'When we say “we”, we mean X', '\\bwhen we say\\b[^.;]{0,80}\\bwe mean\\s*$'),
  runsBefore(
    'company_behind',
    'The company behind The Old Mill is X',
    `\\b(?:business|company|people|team|firm|name|outfit) (?:behind|that runs|who run|which runs|running) (?:it|this|us|them|[\\w’' &]{2,40}?)(?: is| are|:)${THE_END}`,
  ),
  runsBefore(
    'site_of',
    'a website of X',
    `\\ba (?:web ?site|site|blog|podcast) (?:of|owned by|run by|operated by|from)${THE_END}`,
  ),
  runsBefore(
    'our_name_is',
    'Our legal name is X',
    '\\bour (?:full |legal |registered |company |proper ){1,2}name(?: is(?: actually)?|,)\\s*$',
  ),
  runsBefore(
    'site_content_of',
    'Site content © X',
    '\\b(?:web ?)?site (?:text and )?contents?,? (?:is )?(?:©|\\(c\\)|copyright)\\s*(?:of )?(?:[\\d\\s–-]*)$',
  ),
  runsBefore('is_in_law', 'The Old Mill is in law X', '\\bis in law\\s*$'),
  runsBefore(
    'brands_belong_to',
    'The brands shown here belong to X',
    `\\b(?:brands?|names?|trade ?names?|trading names?)\\b[^.;]{0,120}\\b(?:belongs? to|belonging to|are owned by|is owned by|are used by|is used by)${THE_END}`,
    { scope: 'terms' },
  ),
]

/** The sentence makes the company a party to something that the site's operator usually does. */
const DEALS_BEFORE: Cue[] = [
  dealsBefore(
    'controller_is',
    'The data controller is X',
    `\\b(?:(?:data )?controller|organi[sz]ation responsible|company responsible|entity responsible|responsible (?:for|party)|seller|contracting party|merchant|trader|service provider|rheolydd data)\\b(?:(?!\\bfor (?!the purposes?\\b|this\\b|our\\b|your\\b|these\\b|all\\b|any\\b|data\\b|personal\\b))[^.;]){0,80}\\b(?:is|are|means?|yw)\\b:?${THE_END}`,
  ),
  dealsBefore(
    'data_held_by',
    'Your data is held by X',
    `\\b(?:your |personal )(?:data|information)\\b[^.;]{0,40}\\b(?:controlled|collected|held|handled) by${THE_END}`,
  ),
  dealsBefore(
    'invoices_from',
    'Invoices come from X',
    `\\b(?:your |our )?(?:invoices?|bills?|receipts?) (?:will )?(?:comes?|are|is)(?: sent| issued| raised)? (?:from|by)${THE_END}`,
  ),
  dealsBefore(
    'statement_by',
    'This statement is made by X',
    `\\b(?:this|our) (?:statement|policy|notice|report) (?:is|was) (?:made|given|issued|published|adopted) by${THE_END}`,
  ),
  dealsBefore(
    'contract_with',
    'Your contract is with X',
    `(?<!\\bfor )\\b(?:your |these |our |this |all )?(?:contracts?|agreements?|orders?|bookings?|dealing|licen[cs]e|purchases?|tickets?|stay|tuition)\\b${WHOLE}\\b(?:(?:is|are|be|made|entered into|concluded|formed|granted|issued)(?: only| solely)? (?:with|by)|with|between you(?: \\([^)]*\\))? and|between (?:the )?(?:customer|user|client|buyer)s? and|accepted by)${THE_END}`,
  ),
  dealsBefore(
    'terms_apply',
    'These terms apply to all work done by X',
    `\\b(?:these|our|the) (?:terms|conditions)(?: (?:and|&) conditions)?(?: of \\w+)? (?:apply|govern|relate|cover)\\b[^.;]{0,60}\\b(?:by|with|from)${THE_END}`,
  ),
  dealsBefore(
    'promoter_is',
    'The promoter is X',
    `(?:^|[.;:]\\s+)(?:the )?(?:promoter|organi[sz]er|operator|supplier|seller|provider|proprietor|publisher|licensor|hirer|carrier|host) is:?${THE_END}`,
  ),
  dealsBefore(
    'provider_of',
    'The registered provider of The Old Mill is X',
    `\\b(?:registered provider|proprietor|licen[cs]e holder|licensee|operator|owner|publisher|governing body|legal entity)(?: (?:of|behind|for) [^.;]{2,60}?(?: is|:)| is)${THE_END}`,
  ),
  dealsBefore(
    'sold_in_uk_by',
    'Sold and supported in the UK by X',
    `\\b(?:sold|supplied|distributed|supported|marketed|serviced|imported|brought to britain)(?:,? (?:and|&|\\w+,) [\\w ]{0,40})*(?: in (?:the )?(?:uk|united kingdom|great britain)(?: and ireland)?| here) (?:exclusively )?by${THE_END}`,
  ),
  dealsBefore(
    'services_on_site_by',
    'All courses on this site are given by X',
    `\\b(?:treatment|care|services?|sales?|courses?|products?|goods|tuition|advice|holidays|insurance|policies|work)\\b[^.;]{0,50}\\b(?:this|these|our|the) (?:web ?)?sites?\\b[^.;]{0,40}\\b(?:by|with)${THE_END}`,
  ),
]

const LABEL_END = '\\s*[:–—|-]?\\s*$'

/** A label before the name. */
const LABELS: Cue[] = [
  labelBefore(
    'operator_label',
    'Site owner: X',
    `(?<![\\p{L}])(?:site operator|website operator|operator|owner|site owner|proprietors?|publishers?|imprint|editeur(?: du site)?|éditeur(?: du site)?|(?:and|this|our|the) (?:web ?)?site)${LABEL_END}`,
  ),
  labelBefore('controller_label', 'Data controller: X', `\\b(?:data )?controller${LABEL_END}`, { scope: 'terms' }),
  labelBefore(
    'legal_name_label',
    'Company name: X',
    `\\b(?:company name|legal (?:name|entity)|legally|registered (?:company )?name(?: (?:&|and) number)?|business name|full (?:company |legal )?name|trading entity|name of (?:the )?company|registered as|registered company|enw['’]r cwmni)${LABEL_END}|(?:^|\\n)\\s*(?:company|name)${LABEL_END}`,
  ),
  labelBefore(
    'company_details_label',
    'Company details: X',
    `\\b(?:company information|company details|legal information|who we are|pwy ydym ni)${LABEL_END}`,
  ),
  labelBefore(
    'seller_label',
    'The seller: X',
    `\\b(?:trader|the (?:supplier|seller|organi[sz]er|provider|operator|publisher|licensor|promoter))${LABEL_END}|(?:^|\\n)\\s*(?:supplier|seller|organi[sz]er|provider|service provider|licensor|promoter)${LABEL_END}`,
  ),
  labelBefore('payee_label', 'Cheques payable to X', `\\b(?:account name|payee|cheques payable to)${LABEL_END}`),
]

/** The sentence states that the company runs the site, after its name. */
const RUNS_AFTER: Cue[] = [
  runsAfter(
    'called_we',
    'X (“we”)',
    `^[^.;]{0,10}\\(?["“'‘](?:we|us|our|the (?:company|supplier|seller|organi[sz]er|school|trust|operator|publisher|firm))["”'’]`,
  ),
  runsAfter(
    'runs_site',
    'X operates this website',
    `^${ASIDE}\\b(?:owns|operates|runs|manages|publishes|puts up|looks after|provides|trades (?:as|through))(?:(?:,| and| &) (?:owns|operates|runs|manages|maintains|puts up))* (?:and (?:operates|runs) )?${SITE}\\b`,
  ),
  runsAfter(
    'is_controller',
    'X is the data controller',
    `^${ASIDE}\\b(?:is|are|yw['’]r) (?:the )?(?:(?:data )?controllers?|rheolydd data)\\b`,
    { scope: 'terms' },
  ),
  runsAfter('production', 'an X production', '^\\s*(?:production|publication)\\b'),
  runsAfter(
    'is_operator_of_site',
    'X is the owner of this site',
    `^[^.;]{0,60}\\b(?:is|are) (?:the )?(?:operators?|owners?|publishers?|proprietors?) of ${SITE}\\b`,
  ),
  runsAfter('keeps_site', 'X maintains this site', `^${ASIDE}\\b(?:keeps|maintains|updates|writes|edits) ${SITE}\\b`),
  runsAfter(
    'who_runs_site',
    'X, who run this site',
    `^${ASIDE}\\b(?:who|which)(?: [^.;]{0,80})? (?:runs?|owns?|operates?|manages?|publish(?:es)?|looks? after|maintains?) ${SITE}\\b`,
  ),
  runsAfter('the_company_behind', 'X, the company behind the mill', '^[\\s,]*the company behind\\b'),
  runsAfter('later_called_we', 'X of Ripon (“we”)', `^[^.;]{0,60}["“'(‘](?:we|us)["”'’]`),
  runsAfter(
    'site_is_its_own',
    'X made the bridge, and the site is its own',
    '^[^.;]{0,90}\\b(?:and )?the (?:web ?)?(?:site|pages) (?:at this address )?(?:is|are) its own\\b',
  ),
  runsAfter(
    'is_our_name',
    'X, which is our registered name',
    `^${ASIDE}\\b(?:which|that) is our (?:registered |legal |full |company )*name\\b`,
  ),
  runsAfter('that_is_us', 'You will see X on your statement – that’s us', `^${ASIDE}[–—-]\\s*that['’]s us\\b`),
  runsAfter(
    'referred_to_as_we',
    'X, referred to as “we”',
    '^[^.;]{0,90}\\breferred to (?:below |here )?as ["“\'‘]?(?:we|us)\\b',
  ),
  runsAfter('respects_privacy', 'X respects your privacy', '^\\s*(?:takes?|respects?|values?) (?:your|the) privacy'),
]

/** A parent, franchisor, principal, agent or affiliate of the operator. */
const RELATED: Cue[] = [
  relatedBefore(
    'parent_of_site',
    'our parent company, X',
    `\\b(?:ultimate |immediate |our |its |their )?(?:parent|holding|group|sister|associated?|affiliate[d]?|subsidiar(?:y|ies)|fellow|related)(?: (?:company|companies|undertaking|charity|organisation|business|entity|firm|parent))?(?: (?:is|are|,|:|\\(|in the uk is))?${OPEN_END}`,
  ),
  relatedBefore(
    'subsidiary_of',
    'a subsidiary of X',
    `\\b(?:subsidiar(?:y|ies)|part|arm|affiliates?) of(?: the)?${OPEN_END}`,
  ),
  relatedBefore('member_of', 'a member of X', `\\bmembers? of(?: the)?${OPEN_END}`),
  relatedBefore(
    'wholly_owned_by',
    'wholly owned by X',
    `\\b(?:wholly|majority|ultimately|fully|100%)[ -]owned by${OPEN_END}`,
  ),
  relatedBefore(
    'representative_of',
    'an appointed representative of X',
    `\\b(?:appointed representatives?|agents?|dealers?|distributors?|resellers?|franchisees?|licensees?|introducers?|introducer appointed representative|partners?|members?) (?:of|for|to)${OPEN_END}`,
  ),
  relatedBefore('managing_agent', 'managing agents: X', `\\bmanaging agents?\\b(?: (?:is|are|of|for))?${OPEN_END}`),
  relatedBefore(
    'superior',
    'the franchisor is X',
    `\\b(?:franchisors?|licensors?|principal)\\b(?: (?:is|are|of|for))?${OPEN_END}`,
  ),
  relatedBefore(
    'adviser',
    'our insurers are X',
    `\\b(?:franchisees?|landlords?|freeholders?|insurers?|underwriters?|lenders?|importer|manufacturer|(?:UK|EU|article 27|GDPR) representative|responsible person|affiliate|nominated adviser|auditors?|registrars?|brokers?|bankers?|solicitors|accountants?)\\b(?: (?:is|are|of|for))?${OPEN_END}`,
  ),
  relatedBefore(
    'group_means',
    '“Group” means X',
    '\\b(?:the )?["“\']?group["”\']? (?:means?|accounts|parent)\\b[^.;]{0,60}$',
  ),
  relatedBefore(
    'group_accounts',
    'Consolidated accounts are prepared by X',
    `\\b(?:consolidated|group) accounts\\b[^.;]{0,40}\\b(?:by|of|for)${OPEN_END}`,
  ),
  relatedBefore('on_behalf_of', 'on behalf of X', `\\bon behalf of${OPEN_END}`),
  relatedBefore(
    'under_licence_from',
    'under licence from X',
    `\\b(?:under licen[cs]e from|licensed (?:from|by|to)|with permission (?:from|of))${OPEN_END}`,
  ),
  relatedBefore(
    'in_association_with',
    'in association with X',
    `\\b(?:in association with|in partnership with|local affiliate,?|profits to(?: its)?(?: parent)?,?)${OPEN_END}`,
  ),
  relatedBefore(
    'delivers_abroad',
    'Orders to the EU are shipped by X',
    '\\b(?:fulfilled|delivered|shipped|despatched|dispatched|supplied|sold)\\b[^.;]{0,40}\\b(?:in|to|within|outside) (?:the )?(?:eu|europe|european union|republic of ireland|ireland|usa|united states|us)\\b[^.;]{0,40}$',
  ),
  relatedAfter(
    'is_parent',
    'X is the parent company',
    '^[\\s,()]*(?:is|as|,)? ?(?:the|our|its|an?|which is (?:the|our))? ?(?:ultimate |group |immediate )?(?:parent|holding)(?: (?:company|undertaking|of))?\\b',
  ),
  relatedAfter(
    'licenses_name',
    'X licenses the name',
    '^[^.;]{0,40}\\b(?:licen[cs]es|franchises|grants)\\b[^.;]{0,40}\\b(?:name|brand|mark|rights|franchisees?)\\b',
  ),
  relatedAfter(
    'owns_brand',
    'X owns the Mill brand',
    '^[^.;]{0,60}\\bowns? the [^.;]{2,30}(?:name|brand|trade ?mark)s?\\b',
  ),
  relatedAfter(
    'and_its_group',
    'X and its subsidiaries',
    '^[\\s,()]*and its (?:subsidiaries|group|affiliates|associated)',
  ),
  relatedAfter(
    'acts_as_agent',
    'X acts as our agent',
    '^[\\s,()]*(?:acts?|acting) (?:only |solely |throughout )?as (?:our |its |an? )?(?:agents?|processor|representative|broker|guarantor)\\b',
  ),
  relatedAfter(
    'in_brackets_parent',
    'X (the group parent)',
    '^[^.;]{0,40}\\((?:[^)]{0,40}\\b)?(?:group parent|parent|franchisor|holding company|ultimate parent)\\b',
  ),
]

/** The company made or hosts the site, or supplies its content. */
const MADE: Cue[] = [
  madeBefore(
    'designed_by',
    'Designed and built by X',
    `\\b(?:designed|built|developed|created|crafted|hosted|powered|coded|printed|maintained|optimi[sz]ed|photographed|illustrated|themed|drawn|dreamt up)\\b[^.;|]{0,40}\\bby${THE_END}`,
  ),
  madeBefore(
    'site_made_by',
    'Website made with care by X',
    `\\b(?:web ?site|site|page|^)\\W*(?:lovingly |proudly |hand)?(?:made|powered|built) (?:with \\S+ )?(?:by|with)${THE_END}`,
  ),
  madeBefore(
    'site_design_by',
    'Website design by X',
    `\\b(?:web ?site|site|web|page|theme|template|graphic|logo)(?: (?:design|development|build|hosting|maintenance|production)(?:,? (?:and|&) \\w+)?)? by${THE_END}`,
  ),
  madeBefore(
    'site_design_label',
    'Website: X',
    '(?:^|[|•·.;\\n]\\s*)(?:web ?site|site|web|theme|template)(?: (?:design|development|build|hosting|maintenance|production)(?:,? (?:and|&) \\w+)?)?\\s*:\\s*$',
  ),
  madeBefore(
    'design_by',
    'Photography by X',
    `\\b(?:design|development|hosting|photography|theme|seo|marketing|branding|copy|content|illustration|print(?:ing)?)(?:,? (?:and|&) \\w+)?(?: by|\\s*:)${THE_END}`,
  ),
]

export const CUES: readonly Cue[] = [
  ...DENIED,
  ...RUNS_BEFORE,
  ...DEALS_BEFORE,
  ...LABELS,
  ...RUNS_AFTER,
  ...RELATED,
  ...MADE,
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

export const NAME_OF =
  '(?:(?:a|the|one|each)? ?(?:registered )?(?:trading|working|business|brand|operating|trade)[ -]?(?:names?|styles?|divisions?)|(?:a|the) (?:names?|brands?|divisions?|trading arm|business units?|service|product|website|site|publication|workshop|home|(?:online )?(?:shop|store)|studio|brands?)) (?:of|used by|owned by|belonging to|owned and operated by|operated by|from|by)'

export const TRADING_AS =
  /^[\s,(]*(?:\([^)]*\)[\s,]*)?(?:t\/as?|(?:(?:which|who) )?(?:trading|trades) (?:here |online |locally )?(?:as|under the name)|dba|d\/b\/a|doing business as|operating as|also known as|known as|sy['’]n masnachu fel)\b/i

/** Verbs of news articles; disclosures do not use them. */
export const NEWS_VERB =
  /^[\s,]*(?:has|had|have|was (?!incorporated|registered|formed|founded|established)|were|said|says|announced|wants?|will|plans?|went|launched|supplied|won|reported|told|made|saved|helped|faces?|owes?|expects?|denied|declined|opened|closed|bought|sold|appointed|dismissed|pleaded|admitted|collect|who|is (?:to|planning|expected|said|facing|seeking))\b/i

/** Words before a name that belong to a disclosure and do not show the role. */
export const BOILERPLATE_WORDS =
  /\b(?:terms (?:of (?:use|service|sale|business|trade)|(?:and|&) conditions)|conditions of (?:use|sale)|privacy (?:policy|notice)|cookie (?:policy|settings|preferences)|modern slavery statement|site ?map|accessibility|back to top|follow us|faqs?|sign in|newsletter|e&oe|copyright|hawlfraint|all rights reserved|registered(?: in)?(?: england(?: (?:and|&) wales)?| wales| scotland| northern ireland| the uk)?(?: as)?|registered office|trading since|est(?:ablished|d)?\.?|part of the furniture|since|in|the|mae|legal|terms|privacy|cookies?|contact|home|address|email|uk company|company|number|no|vat|reg\w*|footer|about|postal|correspondence|and|head office|principal place of business)\b/gi
