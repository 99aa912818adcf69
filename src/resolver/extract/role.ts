import type { Span } from './sentences.ts'

/**
 * What a sentence says a named company is to the web site.
 *
 * `operator`: it says so outright. `denied`: it says the contrary. `related`: a parent, franchisor, agent or affiliate of
 * whoever runs the site. `third_party`: somebody who does something for it, or is merely talked about. `stated`: the
 * name stands by itself, as in a footer, and whose it is must be told from elsewhere.
 */
export type Role = 'operator' | 'stated' | 'related' | 'third_party' | 'denied'

export interface RoleReading {
  role: Role
  /** The words that said so; empty when there were none. */
  cue: string
}

export interface Sentence {
  text: string
  /** The name inside `text`. */
  name: Span
  /** Says whether a piece of text is a name of this site: its brand, its domain. */
  isOwnName: (text: string) => boolean
}

/** Reads the role of the named company from the sentence around it. */
export function readRole(sentence: Sentence): RoleReading {
  const before = sentence.text.slice(0, sentence.name.start)
  const after = sentence.text.slice(sentence.name.end)
  return (
    first(DENIED_BEFORE, before, 'denied') ??
    first(DENIED_AFTER, after, 'denied') ??
    readOwnership(sentence, before, after) ??
    first(RELATED_AFTER, after, 'related') ??
    first(RELATED_BEFORE, before, 'related') ??
    readSurroundings(before, after)
  )
}

function first(patterns: RegExp[], text: string, role: Role): RoleReading | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text)
    if (match) return { role, cue: match[0].trim() }
  }
  return null
}

const SITE =
  '(?:(?:this|the|our|these) )?(?:(?:entire|whole|present) )?(?:web ?sites?|web pages?|sites?|online (?:shop|store|business)|e-?shop|web ?shop)|(?:this|our|these) (?:shop|store|apps?|platform|portal|business|practice|services?|brand|blog|newspaper|magazine|domain|surgery|clinic|hotel|restaurant|school|nursery)'
/** What a sentence about the site may turn to before it says "by": then it is about that. */
const GAP =
  '(?:(?!\\b(?:hosting|hosted|payments?|cards?|deliver\\w*|cookies?|e-?mails?|servers?|analytics|design\\w*|images?|photograph\\w*|newsletters?|bookings?|orders?|insurance|security|domain|fulfil\\w*|cover|credit|finance)\\b)[^.;]){0,60}'
const VERB =
  '(?:owned|operated|run|managed|provided|published|controlled|administered|produced|supplied|offered|edited|issued|presented|organi[sz]ed|staged)'
const RUN_BY = `(?:,? (?:now |jointly |wholly |solely |proudly |also )?${VERB})(?:(?:,| and| &| or|/|, and) ?(?:is |are )?(?:owned|operated|run|managed|maintained|controlled|published|provided|administered))*(?: (?:and maintained|in the uk|on licence|under licen[cs]e))?,? by,?`

const DENIED_BEFORE = [
  /\b(?:not|never|no longer|neither|nor|isn['’]t|aren['’]t)\b[^.;]{0,40}\b(?:connected|affiliated|associated|endorsed|sponsored|linked|related|part of|owned|operated|run|authorised|a subsidiary|to be confused)\b[^.;]{0,40}$/i,
  /\b(?:no (?:connection|affiliation|association|relationship|link)s? (?:with|to)|unconnected (?:with|to)|independent of|unrelated to|different from|not to be confused with)\b[^.;]{0,30}$/i,
  /\b(?:formerly|previously|once|until (?:\w+ ){0,2}\d{4}|before \d{4})\b[^.;]{0,30}\b(?:owned|operated|run|managed|traded?|known|published|part|a division)\b[^.;]{0,20}$/i,
  /\b(?:successors? to|acquired from|bought (?:the \w+ )?from|took over from|purchased from|assets of)\b[^.;]{0,30}$/i,
]

const DENIED_AFTER = [
  /^[^.;]{0,80}\b(?:is|are|was|has) (?:not|no longer|never)\b[^.;]{0,40}\b(?:connected|affiliated|associated|responsible|involved|linked|party|trading|sell|operate|run)/i,
  /^[^.;]{0,60}\b(?:went into|is in|entered|was placed (?:in|into)|has entered) (?:creditors['’]? voluntary |compulsory )?(?:liquidation|administration)\b/i,
  /^[^.;]{0,60}\b(?:ceased trading|has ceased to trade|was (?:dissolved|struck off|wound up)|no longer trades|which (?:previously|formerly))\b/i,
  /^[^.;]{0,40}\b(?:not a real company|fictional|fictitious|made[ -]up|does not exist)\b/i,
]

const RELATED_BEFORE = [
  /\b(?:ultimate |immediate |our |its |their )?(?:parent|holding|group|sister|associated?|affiliate[d]?|subsidiary|fellow|related)(?: (?:company|companies|undertaking|charity|organisation|business|entity|firm|parent))?(?: (?:is|are|,|:|\(|in the uk is))?[\s,:(-]*$/i,
  /\b(?:subsidiar(?:y|ies)|members?|part|division|arm|affiliates?) of(?: the)?[\s,:(-]*$/i,
  /\b(?:wholly|majority|ultimately|fully|100%)[ -]owned by[\s,:(-]*$/i,
  /\b(?:appointed representatives?|agents?|dealers?|distributors?|resellers?|franchisees?|licensees?|introducers?|introducer appointed representative|partners?|members?) (?:of|for|to)[\s,:(-]*$/i,
  /\b(?:franchisors?|franchisees?|managing agents?|licensors?|landlords?|freeholders?|principal|insurers?|lenders?|importer|manufacturer|UK representative|EU representative|affiliate)\b(?: (?:is|are|of|for))?[\s,:(-]*$/i,
  /\b(?:the )?["“']?group["”']? (?:means?|accounts|parent)\b[^.;]{0,60}$/i,
  /\b(?:on behalf of|in association with|in partnership with|under licen[cs]e (?:from|by)|licensed (?:from|by|to)|with permission (?:from|of)|local affiliate,?|profits to(?: its)?(?: parent)?,?)[\s,:(-]*$/i,
  /\b(?:fulfilled|delivered|shipped|despatched|dispatched|supplied|sold)\b[^.;]{0,40}\b(?:in|to|within|outside) (?:the )?(?:eu|europe|european union|republic of ireland|ireland|usa|united states|us)\b[^.;]{0,40}$/i,
]

const RELATED_AFTER = [
  /^[\s,()]*(?:is|as|,)? ?(?:the|our|its|an?|which is (?:the|our))? ?(?:ultimate |group |immediate )?(?:parent|holding)(?: (?:company|undertaking|of))?\b/i,
  /^[^.;]{0,40}\((?:[^)]{0,40}\b)?(?:group parent|parent|franchisor|holding company)\b/i,
  /^[^.;]{0,40}\b(?:licen[cs]es|franchises|grants)\b[^.;]{0,40}\b(?:name|brand|mark|rights|franchisees?)\b/i,
  /^[\s,()]*and its (?:subsidiaries|group|affiliates|associated)/i,
]

/** A line of copyright names whose work a page is: mostly the site's owner, now and then a theme's or a photographer's. */
const COPYRIGHT =
  /(?:©|\(c\)|\bcopyright\b|\bhawlfraint\b)[\s©:,]*(?:(?:19|20)\d\d(?:\s*[-–/]\s*(?:(?:19|20)?\d\d|present))?)?[\s,.:-]*(?:by )?$/i
const OTHERS_WORK =
  /\b(?:theme|template|photos?|photographs?|images?|icons?|map data|fonts?|software|illustrations?|video|music|artwork)\b[^.;|\n]{0,40}$/i

/** Words that end in "by" without saying who runs the site. */
const MADE_BY = [
  /\b(?:designed|built|developed|created|crafted|hosted|powered|coded|printed|maintained|optimi[sz]ed|photographed|illustrated|themed)\b[^.;|]{0,40}\bby\s*(?:the )?$/i,
  /\b(?:web ?site|site|page|^)\W*(?:lovingly |proudly |hand)?(?:made|powered|built) (?:with \S+ )?(?:by|with)\s*(?:the )?$/i,
  /\b(?:web ?site|site|web|page|theme|template|graphic|logo)(?: (?:design|development|build|hosting|maintenance|production)(?:,? (?:and|&) \w+)?)?(?: by|\s*:)\s*(?:the )?$/i,
  /\b(?:design|development|hosting|photography|theme|seo|marketing|branding|copy|content|illustration|print(?:ing)?)(?:,? (?:and|&) \w+)?(?: by|\s*:)\s*(?:the )?$/i,
]

function readOwnership(sentence: Sentence, before: string, after: string): RoleReading | null {
  const made = first(MADE_BY, before, 'third_party')
  if (made) return made
  const copyright = COPYRIGHT.exec(before)
  if (copyright) {
    const work = OTHERS_WORK.exec(before.slice(0, copyright.index))
    return work ? { role: 'third_party', cue: work[0].trim() } : { role: 'stated', cue: '©' }
  }
  const says = first(OPERATOR_BEFORE, before, 'operator') ?? first(OPERATOR_AFTER, after, 'operator')
  if (says) return says
  return readTradingName(sentence, before, after)
}

const OPERATOR_BEFORE = [
  new RegExp(`\\b(?:${SITE})(?: ${GAP})?(?: (?:is|are|was|has been|have been)|,)${RUN_BY}\\s*(?:the )?$`, 'i'),
  /^\W*(?:(?:web ?site|site|shop|store)? ?(?:owned|operated|run|published|owned and (?:operated|run|managed)|operated and owned)) by,?\s*(?:the )?$/i,
  /\b(?:we are|we're|we,|us,|i am)\s+(?:the )?$/i,
  /["“'‘](?:we|us|our)["”'’][^.;]{0,60}\b(?:means?|refers? to|are to|is to|is|are)\s*:?\s*(?:the )?$/i,
  /\breferences? to ["“'‘]?(?:we|us|our)\b[^.;]{0,60}\b(?:are to|is to|means?|are references to)\s*:?\s*(?:the )?$/i,
  /\b(?:we|us|our) means?\s*(?:the )?$/i,
  /\bwhen we say\b[^.;]{0,80}\bwe mean\s*$/i,
  /\b(?:(?:data )?controller|organi[sz]ation responsible|company responsible|entity responsible|responsible (?:for|party)|seller|contracting party|merchant|trader|service provider)\b[^.;]{0,80}\b(?:is|are|means?)\b:?\s*(?:the )?$/i,
  /\b(?:(?:data )?controller|site operator|website operator|operator|owner|site owner|proprietors?|publishers?|published by|imprint|company name|legal (?:name|entity)|registered (?:company )?name(?: (?:&|and) number)?|business name|full (?:company |legal )?name|trading entity|trader|name of (?:the )?company|registered as|company information|company details|legal information|registered company|our (?:full |legal |company )?name is|(?:^|\n)\s*(?:company|name)|enw['’]r cwmni)\s*[:–—-]\s*$/i,
  /\b(?:your |personal )(?:data|information)\b[^.;]{0,40}\b(?:controlled|collected|held|handled) by\s*(?:the )?$/i,
  /\b(?:contracts?|agreements?|orders?|terms|bookings?|dealing|deal|trading|purchas\w+|policy|notice|statement|site|privacy policy)\b[^.;]{0,70}\b(?:(?:is|are|be|made|entered into|concluded|formed)(?: only| solely)? (?:with|by)|with|between you(?: \([^)]*\))? and|between (?:the )?(?:customer|user|client|buyer)s? and|accepted by|applies to|covers?)\s*(?:the )?$/i,
  /\b(?:brands?|names?|trade ?names?|trading names?)\b[^.;]{0,120}\b(?:belongs? to|are owned by|is owned by|are used by|is used by)\s*(?:the )?$/i,
  /\b(?:sold|supplied|distributed|supported|marketed|serviced|imported)(?:,? (?:and|&) \w+)* in (?:the )?(?:uk|united kingdom|great britain)(?: and ireland)? (?:exclusively )?by\s*(?:the )?$/i,
  /\b(?:treatment|care|services?|courses?|products?|goods|tuition|advice|holidays|insurance|policies|work)\b[^.;]{0,50}\b(?:this|these|our|the) (?:web ?)?sites?\b[^.;]{0,40}\b(?:by|with)\s*(?:the )?$/i,
]

const OPERATOR_AFTER = [
  /^[^.;]{0,10}\(?["“'‘](?:we|us|our|the company|[A-Z][\w ]{1,20})["”'’]/,
  new RegExp(
    `^[^.;]{0,90}\\b(?:owns?|operates?|runs?|manages?|publishes|provides?|trades? (?:as|through)|sells?)(?:(?:,| and| &) (?:owns?|operates?|runs?|manages?|maintains?))* (?:and (?:operates?|runs?) )?(?:${SITE})\\b`,
    'i',
  ),
  /^[^.;]{0,60}\b(?:is|are) (?:the )?(?:(?:data )?controllers?|operators?|owners?|publishers?|proprietors?)\b(?: (?:of|for|in respect of))?/i,
  /^[\s,]*the company behind\b/i,
  /^[^.;]{0,60}["“'(‘]we["”'’]/i,
  /^[^.;]{0,90}\bare (?:committed|registered as a data controller)/i,
  /^\s*(?:takes?|respects?|values?) (?:your|the) privacy/i,
]

const NAME_OF =
  '(?:(?:a|the|one|each)? ?(?:registered )?(?:trading|working|business|brand|operating|trade)[ -]?(?:names?|styles?|divisions?)|(?:a|the) (?:names?|brands?|divisions?|trading arm|business units?|service|product|website|site|publication)) (?:of|used by|owned by|belonging to|owned and operated by|operated by|from|by)'

/** "Acme is a trading name of Example Ltd", "Example Ltd t/a Acme", "Acme is run by Example Ltd". */
function readTradingName({ isOwnName }: Sentence, before: string, after: string): RoleReading | null {
  const nameOf = new RegExp(`^(.*?)["”'’]?,? (?:is|are|was|being) (?:all )?${NAME_OF}\\s*(?:the )?$`, 'is').exec(before)
  if (nameOf) return { role: 'operator', cue: before.slice(-80).trim() }
  const tradingAs =
    /^[\s,(]*(?:\([^)]*\)[\s,]*)?(?:t\/as?|trading as|trades as|dba|d\/b\/a|doing business as|operating as|also known as|known as|sy['’]n masnachu fel)\b/i.exec(
      after,
    )
  if (tradingAs) return { role: 'operator', cue: tradingAs[0].trim() }
  const welsh = /\byn enw masnachu (?:i|ar gyfer)\s*$/i.exec(before)
  if (welsh) return { role: 'operator', cue: welsh[0].trim() }
  const runBy = new RegExp(`^(.*?)["”'’®™]{0,2},? (?:is|are|has been|have been|was)${RUN_BY}\\s*(?:the )?$`, 'is').exec(
    before,
  )
  const subject = runBy?.[1]?.trim() ?? ''
  if (runBy && (endsWithOwnName(subject, isOwnName) || /\bname\b/i.test(subject)))
    return { role: 'operator', cue: before.slice(-80).trim() }
  // "X Ltd owns and operates Acme, Beta and Gamma": one of them is this site.
  const owns = /^[^.;]{0,60}\b(?:owns?(?: and operates?)?|operates?|runs?|trades as)\b\s+(.{2,160})/i.exec(after)
  if (owns?.[1] && owns[1].split(/,|\band\b|\/|&/).some((piece) => isOwnName(piece.trim()))) {
    return { role: 'operator', cue: owns[0].slice(0, 80).trim() }
  }
  // A mark belongs to a company that need not run the site.
  if (/\b(?:trade ?marks?|registered marks?|marks?) (?:of|owned by|belonging to)\s*(?:the )?$/i.test(before)) {
    return { role: 'stated', cue: 'trade mark of' }
  }
  // A school is part of the trust that runs it; a shop that is part of a group is not run by the group.
  if (/\b(?:school|academy|college|nursery)\b[^.;]{0,60}\bpart of(?: the)?\s*$/i.test(before))
    return { role: 'operator', cue: 'part of' }
  return null
}

/** Small print often runs on without a stop: "… HG2 6FG The Harrowgill Shop is run by". */
function endsWithOwnName(text: string, isOwnName: Sentence['isOwnName']): boolean {
  const words = text.split(/\s+/)
  for (let count = 1; count <= Math.min(8, words.length); count += 1) {
    if (isOwnName(words.slice(-count).join(' '))) return true
  }
  return false
}

/** Endings of a sentence's beginning after which a name is somebody who does something, or is talked about. */
function readSurroundings(before: string, after: string): RoleReading {
  if (
    /\bgroup(?: of companies)? (?:comprises?|includes?|consists of)(?: the following)?:?\s*$|\bgroup companies(?: are|:)?\s*$/i.test(
      before,
    )
  ) {
    return { role: 'stated', cue: 'a group of companies' }
  }
  const lead = before.replace(/^.*[.;!?]\s+(?=\S)/s, '').trim()
  if (isBoilerplate(lead)) {
    const verb = NEWS_VERB.exec(withoutParticulars(after))
    return verb ? { role: 'third_party', cue: verb[0].trim() } : { role: 'stated', cue: '' }
  }
  if (
    /\b(?:by|through|via|with|from|to|of|for|using|at|between|than|like|behind|about|against|and|or|that|,)\s*(?:the )?$/i.test(
      lead,
    )
  ) {
    return { role: 'third_party', cue: lead.slice(-60) }
  }
  if (/(?:\b(?:is|are|was|were)|:)\s*$/i.test(lead)) return { role: 'third_party', cue: lead.slice(-60) }
  return { role: lead.split(/\s+/).length > 6 ? 'third_party' : 'stated', cue: lead.slice(-60) }
}

/** What stories say of companies; disclosures do not. */
const NEWS_VERB =
  /^[\s,]*(?:has|had|have|was|were|said|says|announced|wants?|will|plans?|went|launched|supplied|won|reported|told|made|saved|helped|faces?|owes?|expects?|denied|declined|opened|closed|bought|sold|appointed|dismissed|who|is (?:to|planning|expected|said|facing|seeking))\b/i

/** The sentence after a name, without the brackets and numbers of its particulars. */
function withoutParticulars(after: string): string {
  return after
    .replaceAll(/\([^)]{0,120}\)/g, ' ')
    .replace(/^[\s,]*(?:(?:a )?company|registered|reg\b|uk)[^,.;]{0,60},/i, ' ')
}

/** Leads that belong to a disclosure and say nothing about who. */
const BOILERPLATE_WORDS =
  /\b(?:e&oe|copyright|hawlfraint|all rights reserved|registered(?: in)?(?: england(?: (?:and|&) wales)?| wales| scotland| northern ireland| the uk)?(?: as)?|registered office|trading since|est(?:ablished|d)?\.?|part of the furniture|since|in|the|mae|legal|terms|privacy|cookies?|contact|home|address|email|uk company|company|number|no|vat|reg\w*|footer|about)\b/gi

function isBoilerplate(lead: string): boolean {
  return lead.length <= 120 && !/[\p{L}]/u.test(lead.replaceAll(BOILERPLATE_WORDS, ''))
}
