/** Wordings that make a company another party, or say that it does not run the site. */
import { type Cue, cue, OPEN_END, THE_END } from './cue.ts'

const deniedBefore = cue('before', 'denied', 'site')
const deniedAfter = cue('after', 'denied', 'company')
const relatedBefore = cue('before', 'related', 'company')
const relatedAfter = cue('after', 'related', 'company')
const madeBefore = cue('before', 'third_party', 'terms')

/** The company has nothing, or no longer anything, to do with the site. */
export const DENIED: Cue[] = [
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
    'previous_owner',
    'drawn up by the previous owner, X',
    `\\b(?:previous|former|last|old|original) (?:owners?|operators?|proprietors?|publishers?|company|business)(?: (?:was|were|is))?[,:]?${THE_END}`,
    { tense: 'past' },
  ),
  deniedBefore(
    'made_before',
    'Contracts made before that date with X',
    `\\b(?:made|placed|agreed|entered into) (?:before|until|up to)\\b[^.;]{0,40}\\b(?:with|by)${THE_END}`,
    { tense: 'past' },
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
    'owned_until',
    'X owned this website until 2025',
    '^[^.;]{0,60}\\b(?:owned|operated|ran|published|traded (?:here|as))\\b[^.;]{0,60}\\buntil\\b',
    { tense: 'past' },
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

/** A parent, franchisor, principal, agent or affiliate of the operator. */
export const RELATED: Cue[] = [
  relatedBefore(
    'parent_of_site',
    'our parent company, X',
    `\\b(?:ultimate |immediate |our |its |their )?(?:parent|holding|group|sister|associated?|affiliate[d]?|subsidiar(?:y|ies)|fellow|related)(?: (?:company|companies|undertaking|charity|organisation|business|entity|firm|parent))?(?: (?:is|are|,|:|\\(|in the uk is))?${OPEN_END}`,
  ),
  relatedBefore(
    'sister_of_site',
    'our sister business down the lane, X',
    `\\bour sister (?:company|business|firm|shop|site|brand|restaurant|practice|hotel|school)\\b[^.;]{0,40}${OPEN_END}`,
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
    'Orders shipped to the EU are handled by X',
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
export const MADE: Cue[] = [
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
