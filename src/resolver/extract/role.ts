import { lazy } from '../../lib/lazy.ts'
import { type Cue, END, type Role, RUN_BY, type Scope } from './cue.ts'
import {
  BOILERPLATE_WORDS,
  COPYRIGHT,
  CUES,
  NAME_OF,
  NEWS_VERB,
  OTHERS_WORK,
  OWNED,
  SERVICE,
  TRADING_AS,
} from './cues.ts'
import type { Span } from './sentences.ts'

export interface RoleReading {
  role: Role
  /** The id of the cue or of the shape of the sentence that decided the role. */
  cue: string
  scope: Scope
  /** The words that matched; empty if there are none. */
  words: string
  /** False if only the shape of the sentence decided it. That is no objection to a company with the site's name. */
  isExplicit: boolean
}

/** Shapes of sentences that name this site: "Acme is a trading name of Example Ltd". Copied terms do not. */
export const NAMES_SITE: ReadonlySet<string> = new Set([
  'trading_name_of',
  'trading_as',
  'site_is',
  'company_of',
  'brand_made_by',
  'brand_run_by',
  'owns_brand_of_site',
])

export interface Sentence {
  text: string
  /** The offsets of the name in `text`. */
  name: Span
  /** True if a text is a name of this site: its brand, its domain. */
  isOwnName: (text: string) => boolean
  /** True if a text is a word of such a name: the town in "Chalk & Thatch Hitchin". */
  isOwnWord: (text: string) => boolean
}

const select = (role: Role, side: Cue['side']): Cue[] => CUES.filter((cue) => cue.role === role && cue.side === side)

const DENIED_BEFORE = select('denied', 'before')
const DENIED_AFTER = select('denied', 'after')
const OPERATOR_BEFORE = select('operator', 'before')
const OPERATOR_AFTER = select('operator', 'after')
const RELATED_BEFORE = select('related', 'before')
const RELATED_AFTER = select('related', 'after')
const MADE_BY = select('third_party', 'before')

/** Cues that a measurement switches off. */
const switchedOff = new Set<string>()

/** Returns the ids of the cues that a world taught. */
export const listCuesOf = (world: string): string[] =>
  CUES.filter(({ taughtBy }) => taughtBy === world).map(({ id }) => id)

/** Switches off the cues that a world taught, to measure how the others do on it. */
export function switchOffCuesOf(world: string): void {
  for (const id of listCuesOf(world)) switchedOff.add(id)
}

/** Reads the role of the named company from the sentence around it; without denials, as if it denied nothing. */
export function readRole(sentence: Sentence, denials: 'with' | 'without' = 'with'): RoleReading {
  const before = sentence.text.slice(0, sentence.name.start)
  // A company in administration must print that after its name; it still runs its site.
  const after = sentence.text.slice(sentence.name.end).replace(IN_PROCEEDINGS, ' ')
  const plainAfter = withoutCompanyDetails(after)
  const tradingName = lazy(() => readTradingName(sentence, before, after))
  return (
    (denials === 'with' ? readDenial(before, after, plainAfter) : null) ??
    readAgent(sentence, after) ??
    matchFirst(OPERATOR_AFTER, after) ??
    readMaker(before) ??
    (tradingName()?.role === 'operator' ? tradingName() : null) ??
    readOperatorBefore(sentence, before) ??
    matchFirst(OPERATOR_AFTER, plainAfter) ??
    tradingName() ??
    matchFirst(RELATED_AFTER, plainAfter) ??
    matchFirst(RELATED_AFTER, after) ??
    readCopyright(before) ??
    matchFirst(RELATED_BEFORE, before) ??
    readShape(before, plainAfter)
  )
}

const readDenial = (before: string, after: string, plainAfter: string): RoleReading | null =>
  matchFirst(DENIED_BEFORE, before) ?? matchFirst(DENIED_AFTER, after) ?? matchFirst(DENIED_AFTER, plainAfter)

const IN_PROCEEDINGS =
  /^\s*[([]\s*in (?:(?:creditors['’]?|members['’]?) voluntary |compulsory )?(?:administration|liquidation|administrative receivership)\s*[)\]]/i

function matchFirst(cues: readonly Cue[], text: string): RoleReading | null {
  for (const { id, role, scope, pattern } of cues) {
    if (switchedOff.has(id)) continue
    const match = pattern.exec(text)
    if (match) return { role, cue: id, scope, words: match[0].trim().slice(-80), isExplicit: true }
  }
  return null
}

const toReading = (role: Role, cue: string, words: string, scope: Scope = 'site'): RoleReading => ({
  role,
  cue,
  scope,
  words: words.trim().slice(-80),
  isExplicit: true,
})

const toShape = (role: Role, cue: string, words: string): RoleReading => ({
  role,
  cue,
  scope: 'company',
  words: words.trim().slice(-60),
  isExplicit: false,
})

const readMaker = (before: string): RoleReading | null => (OWNED.test(before) ? null : matchFirst(MADE_BY, before))

function readCopyright(before: string): RoleReading | null {
  const copyright = COPYRIGHT.exec(before)
  if (!copyright) return null
  const work = OTHERS_WORK.exec(before.slice(0, copyright.index))
  return work
    ? toReading('third_party', 'others_work', work[0], 'terms')
    : toReading('stated', 'copyright', '©', 'label')
}

/** "The page is managed by Example Ltd on behalf of Acme", where Acme is the site. */
function readAgent({ text, name, isOwnName }: Sentence, after: string): RoleReading | null {
  if (isOwnName(text.slice(name.start, name.end))) return null
  const principal = /^(?:\s*\([^)]{0,80}\))?,? (?:for and )?on behalf of\s+(?:the )?(.{2,80})/i.exec(after)?.[1]
  if (principal === undefined || !beginsWithOwnName(principal.replace(/[.,;].*$/, ''), isOwnName)) return null
  return toReading('related', 'acts_on_behalf', 'on behalf of', 'company')
}

/** A sentence about brands is about the site if it names the site's. */
function readOperatorBefore({ isOwnName }: Sentence, before: string): RoleReading | null {
  const reading = matchFirst(OPERATOR_BEFORE, before)
  const isSites = reading?.cue === 'brands_belong_to' && mentionsOwnName(before, isOwnName)
  return reading && isSites ? { ...reading, scope: 'site' } : reading
}

const QUOTES = '["”\'’®™]{0,2}'
const TRADING_NAME_OF = new RegExp(
  `^(.*?)${QUOTES},? (is|are|was|were|being) (?:all )?${NAME_OF}:?\\s*(?:the )?$`,
  'is',
)
/** "Acme is the name under which Example Ltd sells". */
const NAME_UNDER_WHICH = new RegExp(`^(.*?)${QUOTES},? is the (?:trading )?name under which\\s*(?:the )?$`, 'is')
const SITE_IS = new RegExp(`^(.*?)${QUOTES},? is\\s*$`, 'is')
const BRACKETED_NAME_OF =
  /[(,;:–—-]\s*(?:(?:a|the) )?(?:registered )?(?:(?:trading|business|brand) (?:name|style)|division|brand|trading arm|service|(?:online )?(?:shop|store)) (?:of|used by|from|by)\s*(?:the )?$/i
const BRACKETED_TRADING_NAME = /\b(?:trading|business|brand) (?:name|style)\b/i
const SAYS_TRADING_NAME = /\b(?:trading|working|business|operating)[ -]?(?:names?|styles?)\b/i
const SITE_RUN_BY = new RegExp(
  `^(.*?)${QUOTES}(?:,? (?:is|are|has been|have been|belongs? to and is)(?: an? [^.;,]{3,50},)?|,)${RUN_BY}${END}`,
  'is',
)

/** Reads "Acme is a trading name of Example Ltd", "Example Ltd t/a Acme", "Acme is run by Example Ltd", where Acme is the site. */
function readTradingName(
  { text, name: { start, end }, isOwnName, isOwnWord }: Sentence,
  before: string,
  after: string,
) {
  const name = text.slice(start, end)
  const tradingNameOf = TRADING_NAME_OF.exec(before)
  if (tradingNameOf) {
    const [, subject = '', verb = ''] = tradingNameOf
    const words = before.slice(-80)
    if (/^w/i.test(verb)) return { ...toReading('denied', 'was_trading_name', words), isExplicit: true }
    if (mentionsOwnName(subject, isOwnName)) return toReading('operator', 'trading_name_of', words)
    // The name of something else: "PayQuick is a trading name of PQ Payments Ltd".
    return SAYS_TRADING_NAME.test(before.slice(subject.length))
      ? toReading('third_party', 'trading_name_of_other', words)
      : toReading('stated', 'product_of', words, 'company')
  }
  const underWhich = NAME_UNDER_WHICH.exec(before)
  if (underWhich && mentionsOwnName(underWhich[1] ?? '', isOwnName))
    return toReading('operator', 'trading_name_of', before.slice(-80))
  // "Your local Choremates is Lamley Cleaning Ltd."
  const siteIs = SITE_IS.exec(before)
  if (siteIs && endsWithOwnName(siteIs[1] ?? '', isOwnName) && /^\s*(?:[.,;(]|$)/.test(after))
    return toReading('operator', 'site_is', before.slice(-60))
  const bracketed = BRACKETED_NAME_OF.exec(before)
  if (bracketed) {
    if (endsWithOwnName(before.slice(0, bracketed.index), isOwnName))
      return toReading('operator', 'trading_name_of', bracketed[0])
    if (BRACKETED_TRADING_NAME.test(bracketed[0]))
      return toReading('third_party', 'trading_name_of_other', bracketed[0])
  }
  // "Acme, an Example Ltd company".
  const ownedBy = /^(.*?),? an?\s*$/is.exec(before)
  if (ownedBy && /^\s+(?:company|business|brand)\b/i.test(after) && endsWithOwnName(ownedBy[1] ?? '', isOwnName))
    return toReading('operator', 'company_of', 'a company of')
  const tradingAs = TRADING_AS.exec(after)
  if (tradingAs) {
    const names = after.slice(tradingAs[0].length).replace(/^[\s"“'‘:]+/, '')
    return mentionsOwnName(names.slice(0, 160), isOwnName, beginsWithOwnName)
      ? toReading('operator', 'trading_as', tradingAs[0])
      : toReading('third_party', 'trading_as_other', tradingAs[0])
  }
  // "“Abbot & Lyle” on this website means Abbot & Lyle LLP".
  const means = /^(.*?)["”'’®™]{0,2}(?: (?:on|in) (?:this|our) (?:web ?)?site)?,? (?:means|refers to)\s*$/is.exec(
    before,
  )
  if (means && endsWithOwnName(means[1] ?? '', isOwnName))
    return toReading('operator', 'brand_means', before.slice(-60))
  // "Tidypenny is made by Example Ltd": an app.
  const made = /^(.*?)["”'’®™]{0,2},? (?:is|are) made by\s*$/is.exec(before)
  if (made && endsWithOwnName(made[1] ?? '', isOwnName))
    return toReading('operator', 'brand_made_by', before.slice(-60))
  const welsh = /\byn enw masnachu (?:i|ar gyfer)\s*$/i.exec(before)
  if (welsh) return toReading('operator', 'trading_name_of', welsh[0])
  const runBy = SITE_RUN_BY.exec(before)
  if (runBy && isSiteSubject(runBy[1]?.trim() ?? '', isOwnName, isOwnWord))
    return toReading('operator', 'brand_run_by', before.slice(-80))
  return readOwnedBrand(name, before, after, isOwnName)
}

function readOwnedBrand(name: string, before: string, after: string, isOwnName: Sentence['isOwnName']) {
  // "X Ltd owns and operates Acme, Beta and Gamma": one of them is this site.
  const owns = /^[^.;]{0,60}\b(?:owns?(?: and operates?)?|operates?|runs?|trades as)\b\s+(.{2,160})/i.exec(after)
  if (owns?.[1]?.split(/,|\band\b|\/|&/).some((piece) => isOwnName(piece.trim())))
    return toReading('operator', 'owns_brand_of_site', owns[0].slice(0, 60))
  // A brand that is part of a company belongs to it; part of a group, to an unknown company of the group.
  const partOf = /^(.*?)["”'’®™]{0,2} (?:is|are) (?:a )?(?:proud )?part of\s*(?:the )?$/i.exec(before)
  if (partOf && endsWithOwnName(partOf[1] ?? '', isOwnName) && !/\b(?:group|holdings?|plc)\b/i.test(name))
    return toReading('stated', 'part_of', 'a part of', 'company')
  // The owner of a trade mark may not run the site.
  if (
    /\b(?:trade ?marks?|registered marks?|marks?)(?: \([^)]{0,40}\))? (?:of|owned by|belonging to)\s*(?:the )?$/i.test(
      before,
    )
  ) {
    return toReading('stated', 'trade_mark', 'trade mark of', 'company')
  }
  // A school is part of the trust that runs it; a shop that is part of a group is not run by the group.
  if (/\b(?:school|academy|college|nursery)\b[^.;]{0,60}\bpart of(?: the)?\s*$/i.test(before))
    return toReading('operator', 'school_part_of', 'part of')
  return null
}

/** "Acme cards are issued by": something of the site's, not the site. */
const PART_OF_OFFER =
  /\b(?:cards?|polic(?:y|ies)|accounts?|insurance|cover|credit|finance|loans?|tickets?|payments?|deliver(?:y|ies)|bookings?|orders?|vouchers?|e-?money|guarantees?|hosting|newsletters?)$/i

function isSiteSubject(subject: string, isOwnName: Sentence['isOwnName'], isOwnWord: Sentence['isOwnWord']): boolean {
  if (PART_OF_OFFER.test(subject)) return false
  if (endsWithOwnName(subject, isOwnName) || /\bname\b/i.test(subject)) return true
  // "The Hitchin office", on the site of Chalk & Thatch Hitchin.
  if (/(?:^|[.;] )(?:it|they)$|\band$/i.test(subject) && subject.length <= 160 && beginsWithOwnName(subject, isOwnName))
    return true
  // "The hotel", on the site of the Black Priory Hotel.
  const businessKind = /(?:^|[.;,] )the (\p{L}{3,20})$/iu.exec(subject)
  if (businessKind?.[1] !== undefined && isOwnWord(businessKind[1])) return true
  const branch =
    /\b(?:the|this|our|your) (.{2,30}?) (?:office|branch|shop|store|franchise|practice|clinic|studio|school|centre|team)$/i.exec(
      subject,
    )
  return branch?.[1] !== undefined && isOwnWord(branch[1])
}

/** Compares only the last words: legal text often has no full stops ("… HG2 6FG The Harrowgill Shop is run by"). */
function endsWithOwnName(text: string, isOwnName: Sentence['isOwnName']): boolean {
  const words = text.trim().split(/\s+/)
  for (let count = 1; count <= Math.min(8, words.length); count += 1) {
    if (isOwnName(words.slice(-count).join(' '))) return true
  }
  return false
}

function beginsWithOwnName(text: string, isOwnName: Sentence['isOwnName']): boolean {
  const words = text.trim().split(/\s+/)
  for (let count = 1; count <= Math.min(8, words.length); count += 1) {
    if (isOwnName(words.slice(0, count).join(' '))) return true
  }
  return false
}

/** True if one of several names is the site's: "A, B and C are trading names of". */
function mentionsOwnName(text: string, isOwnName: Sentence['isOwnName'], has = endsWithOwnName): boolean {
  if (has(text, isOwnName)) return true
  return text
    .split(/,|\band\b|&|\/|\bor\b|[.;:|·•—–-]\s/i)
    .some((piece) => piece.trim() !== '' && has(piece, isOwnName))
}

/** Reads the role from the shape of the sentence if no cue decides it. */
function readShape(before: string, plainAfter: string): RoleReading {
  if (
    /\bgroup(?: of companies)? (?:comprises?|includes?|consists of)(?: the following)?:?\s*$|\bgroup companies(?: are|:)?\s*$/i.test(
      before,
    )
  ) {
    return toReading('stated', 'group_of_companies', 'a group of companies', 'company')
  }
  if (/\bjoint venture (?:between|of|by)\s*(?:the )?$/i.test(before)) {
    const isSecond = /\b(?:ltd|limited|plc|llp)\b/i.test(before)
    return toReading(isSecond ? 'related' : 'stated', 'joint_venture', 'a joint venture', 'company')
  }
  const lead = before.replace(/^.*[.;!?]\s+(?=\S)/s, '').trim()
  const verb = NEWS_VERB.exec(plainAfter)
  if (isBoilerplate(lead)) {
    return verb ? toShape('third_party', 'news', verb[0]) : toReading('stated', 'alone', '', 'label')
  }
  if (SERVICE.test(before)) return toReading('third_party', 'service', lead, 'terms')
  if (
    /(?:\b(?:by|through|via|with|from|to|of|for|using|at|between|than|like|behind|about|against|and|or|that|as|in|on|use|uses)|,)(?:\s+(?:the|our|its))?$/i.test(
      lead,
    )
  ) {
    return toShape('third_party', 'in_a_sentence', lead)
  }
  if (/(?:\b(?:is|are|was|were|means?|called)|:)$/i.test(lead)) return toShape('third_party', 'in_a_sentence', lead)
  if (lead.split(/\s+/).length > 6 || verb) return toShape('third_party', 'in_a_sentence', lead)
  return toReading('stated', 'after_words', lead, 'label')
}

/** Returns the text after a name without the company's details in brackets and numbers. */
function withoutCompanyDetails(after: string): string {
  return after
    .replaceAll(/\([^)]{0,120}\)/g, ' ')
    .replace(
      /^[\s,]*(?:(?:a|an) (?:private |charitable |limited )?company|company|registered|reg\b|uk|no\b\.?|number)[^,.;]{0,90}(?:,|(?= (?:is|are)\b))/i,
      ' ',
    )
}

/** Numbers with letters: companies of Scotland, of Northern Ireland and of special kinds. */
const PREFIXED_NUMBER = /\b[A-Z]{2}[ .]?\d+/g

function isBoilerplate(lead: string): boolean {
  return lead.length <= 120 && !/\p{L}/u.test(lead.replaceAll(BOILERPLATE_WORDS, '').replaceAll(PREFIXED_NUMBER, ''))
}
