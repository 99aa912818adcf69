/** Wordings that make a company the one that runs the site, or a party to its dealings. */
import { ASIDE, type Cue, cue, END, GAP, OWN_TERM, QUOTE, RUN_BY, SITE, THE_END, WHOLE } from './cue.ts'

const runsBefore = cue('before', 'operator', 'site')
const dealsBefore = cue('before', 'operator', 'terms')
const labelBefore = cue('before', 'operator', 'label')
const runsAfter = cue('after', 'operator', 'site')

/** The sentence states that the company runs the site, before its name. */
export const RUNS_BEFORE: Cue[] = [
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
export const DEALS_BEFORE: Cue[] = [
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
    `(?<!\\bfor )\\b(?:your |these |our |this |all )?(?:contracts?|agreements?|orders?|bookings?|dealing|licen[cs]e|purchases?|tickets?|stay|tuition)\\b${WHOLE}\\b(?:(?:is|are|be|made|entered into|concluded|formed|granted|issued)(?: only| solely)? (?:with|by)|with|between you(?: \\([^)]*\\))? and|between (?:the )?(?:customer|user|client|buyer)s? and|(?:accepted|taken) by)${THE_END}`,
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
export const LABELS: Cue[] = [
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
export const RUNS_AFTER: Cue[] = [
  runsAfter(
    'called_we',
    'X (“we”)',
    `^[^.;]{0,10}\\(?["“'‘](?:we|us|our|the (?:company|supplier|seller|organi[sz]er|school|trust|operator|publisher|firm))["”'’]`,
  ),
  runsAfter(
    'runs_site',
    'X operates this website',
    `^${ASIDE}\\b(?!owns the site\\b)(?:owns|operates|runs|manages|publishes|puts up|looks after|provides|trades (?:as|through))(?:(?:,| and| &) (?:owns|operates|runs|manages|maintains|puts up))* (?:and (?:operates|runs) )?${SITE}\\b`,
  ),
  runsAfter(
    'is_controller',
    'X is the data controller',
    `^${ASIDE}\\b(?:is|are|yw['’]r) (?:the )?(?:(?:data )?controllers?|rheolydd data)\\b(?! in (?:its|their) own right)`,
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
