/** Defines a cue, and the pieces of which patterns are made. */

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
 * The subject of a sentence. `site`: the site, or the people who speak on it. `terms`: one kind of dealing, such as a contract
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
  taughtBy: string | null
}

/** Words with which a site refers to itself. */
export const SITE =
  '(?:(?:(?:this|the|our|these) )?(?:(?:entire|whole|present) )?(?:web ?sites?|web pages?|sites?|online (?:shop|store|business)|e-?shop|web ?shop)|(?:this|our|these) (?:pages?|shop|store|apps?|platform|portal|business|practice|services?|brand|blog|newspaper|magazine|domain|surgery|clinic|hotel|restaurant|school|nursery|show|event|festival))'

/** Text between the site and "by". With one of these words the sentence is about that, not about the site. */
export const GAP =
  '(?:(?!\\b(?:hosting|hosted|payments?|cards?|deliver\\w*|cookies?|e-?mails?|servers?|analytics|design\\w*|images?|photograph\\w*|newsletters?|bookings?|orders?|insurance|security|fulfil\\w*|cover|credit|finance|checkout|advert\\w*)\\b)[^.;]){0,60}'

export const VERB =
  '(?:owned|operated|run|carried on|managed|provided|made available|published|controlled|administered|produced|supplied|offered|edited|issued|presented|organi[sz]ed|staged|promoted|brewed|distilled|roasted|baked|brought to you|looked after|put together)'
export const HOW = '(?:now |jointly |wholly |solely |proudly |also |independently |separately )?'
export const WHERE = '(?: (?:jointly|together|independently|on licence|under licen[cs]e|in the uk))?'
export const AND_VERB =
  '(?:(?:,| and| &| or|/|, and) ?(?:is |are )?(?:independently )?(?:owned|operated|run|managed|maintained|controlled|published|provided|administered|looked after|licensed))*'

/** "owned and operated by", "is run jointly by". */
export const RUN_BY = `(?:,? ${HOW}${VERB})${WHERE}${AND_VERB}(?: (?:and maintained|in the uk|under licen[cs]e|on licence))?,? (?:by|through)[,:]?`

/** The end of the text before the name, with an optional description: "by the exclusive distributor, Example Ltd". */
export const END = '\\s*(?:(?:the|our|my|its|an?) [^,.;:()]{3,60}[,:]\\s*)?(?:the )?$'
export const THE_END = '\\s*(?:the )?$'
export const OPEN_END = '[\\s,:(-]*$'

/** Words for the company itself in terms and policies. */
export const OWN_TERM =
  '(?:we|us|our|ours|the company|company|the supplier|supplier|the organi[sz]ers?|organi[sz]er|the host|host|the seller|seller|the operator|operator|the licensor|the provider|provider|service provider|the agency|the publisher|publisher|the firm|the promoter|the trader|the vendor|the school|the college|the trust|the charity|the society|the employment business|employment business|the business|the practice|the owner|the hotel|the shop|the retailer|the carrier|the club|the landlord|the lessor|the contractor)'
export const QUOTE = '["“\'‘”’]'

/** Text between a name and its verb, without the name of another company. */
export const ASIDE = '(?:(?!\\b(?:ltd|limited|plc|llp)\\b)[^.;]){0,160}'

/** Text that does not restrict the sentence to one kind of dealing: "for tickets". */
export const WHOLE = '(?:(?!\\bfor (?!the purposes?\\b|this\\b|our\\b|your\\b|these\\b|all\\b|any\\b))[^.;]){0,70}'

type Extra = { scope?: Scope; tense?: Cue['tense'] }

export const cue =
  (side: Cue['side'], role: Role, scope: Scope) =>
  (id: string, example: string, pattern: string, extra: Extra = {}): Cue => ({
    id,
    side,
    role,
    scope,
    tense: 'present',
    taughtBy: null,
    // With `u`, a pattern that ignores case takes several times longer to compile, which is when a worker stalls.
    pattern: new RegExp(pattern, pattern.includes('\\p{') ? 'iu' : 'i'),
    example,
    ...extra,
  })
