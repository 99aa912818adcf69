import {
  BOILERPLATE_WORDS,
  COPYRIGHT,
  DENIED_AFTER,
  DENIED_BEFORE,
  END,
  MADE_BY,
  NAME_OF,
  NEWS_VERB,
  OPERATOR_AFTER,
  OPERATOR_BEFORE,
  OTHERS_WORK,
  OWNED,
  RELATED_AFTER,
  RELATED_BEFORE,
  RELATED_BRACKET,
  RUN_BY,
  SERVICE,
  TRADING_AS,
} from './role-cues.ts'
import type { Span } from './sentences.ts'

/**
 * What a sentence says a named company is to the web site.
 *
 * `operator`: it says so outright. `denied`: it says the contrary. `related`: a parent, franchisor, agent or affiliate of
 * whoever runs the site. `third_party`: somebody who does something for it, or is merely talked about. `stated`: the
 * name stands by itself, as in a footer, and whose it is must be told from elsewhere. `named`: a sentence speaks of it in
 * passing, and its name is the site's own.
 */
export type Role = 'operator' | 'stated' | 'named' | 'related' | 'third_party' | 'denied'

export interface RoleReading {
  role: Role
  /** The words that said so; empty when there were none. */
  cue: string
  /** False when only the shape of the sentence speaks against the company: for the site's own name that is no objection. */
  isExplicit: boolean
}

export interface Sentence {
  text: string
  /** The name inside `text`. */
  name: Span
  /** Says whether a piece of text is a name of this site: its brand, its domain. */
  isOwnName: (text: string) => boolean
  /** Says whether it is a word of such a name: the place in "Chalk & Thatch Hitchin". */
  isOwnWord: (text: string) => boolean
}

/** Reads the role of the named company from the sentence around it. */
export function readRole(sentence: Sentence): RoleReading {
  const before = sentence.text.slice(0, sentence.name.start)
  // A company in administration must say so after its name, and runs its site all the same.
  const after = sentence.text.slice(sentence.name.end).replace(IN_PROCEEDINGS, ' ')
  const plainAfter = withoutParticulars(after)
  return (
    first(DENIED_BEFORE, before, 'denied') ??
    first(DENIED_AFTER, after, 'denied') ??
    first(DENIED_AFTER, plainAfter, 'denied') ??
    first(OPERATOR_AFTER, after, 'operator') ??
    readMaker(before) ??
    first(OPERATOR_BEFORE, before, 'operator') ??
    first(OPERATOR_AFTER, plainAfter, 'operator') ??
    readTradingName(sentence, before, after) ??
    first(RELATED_AFTER, plainAfter, 'related') ??
    first([RELATED_BRACKET], after, 'related') ??
    readCopyright(before) ??
    first(RELATED_BEFORE, before, 'related') ??
    readSurroundings(before, plainAfter)
  )
}

const IN_PROCEEDINGS = /^\s*[([]\s*in (?:administration|liquidation|administrative receivership)\s*[)\]]/i

function first(patterns: RegExp[], text: string, role: Role): RoleReading | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text)
    if (match) return { role, cue: match[0].trim().slice(-80), isExplicit: true }
  }
  return null
}

const says = (role: Role, cue: string, isExplicit = true): RoleReading => ({
  role,
  cue: cue.trim().slice(-60),
  isExplicit,
})

const readMaker = (before: string): RoleReading | null =>
  OWNED.test(before) ? null : first(MADE_BY, before, 'third_party')

function readCopyright(before: string): RoleReading | null {
  const copyright = COPYRIGHT.exec(before)
  if (!copyright) return null
  const work = OTHERS_WORK.exec(before.slice(0, copyright.index))
  return work ? says('third_party', work[0]) : says('stated', '©')
}

/** The cue of a brand that is said to be part of a company. */
export const PART_OF = 'a part of'
/** The cue of a company that owns a mark, and need not run the site. */
export const TRADE_MARK = 'trade mark of'

/** "Acme is a trading name of Example Ltd", "Example Ltd t/a Acme", "Acme is run by Example Ltd". */
function readTradingName(
  { text, name: { start, end }, isOwnName, isOwnWord }: Sentence,
  before: string,
  after: string,
): RoleReading | null {
  const name = text.slice(start, end)
  const nameOf = new RegExp(
    `^(.*?)["”'’®™]{0,2},? (?:is|are|was|being) (?:all )?${NAME_OF}:?\\s*(?:the )?$`,
    'is',
  ).exec(before)
  if (nameOf) {
    const subject = nameOf[1] ?? ''
    const isNamed = /\b(?:trading|working|business|operating)[ -]?(?:names?|styles?)\b/i.test(
      before.slice(subject.length),
    )
    return says(isNamed || endsWithOwnName(subject, isOwnName) ? 'operator' : 'stated', before.slice(-80))
  }
  // "Your local Choremates is Lamley Cleaning Ltd."
  const isIt = /^(.*?)["”'’®™]{0,2},? is\s*$/is.exec(before)
  if (isIt && endsWithOwnName(isIt[1] ?? '', isOwnName) && /^\s*(?:[.,;(]|$)/.test(after))
    return says('operator', before.slice(-60))
  const bracketed =
    /[(,;:–—-]\s*(?:a|the) (?:registered )?(?:trading|business|brand) (?:name|style) (?:of|used by)\s*(?:the )?$/i.exec(
      before,
    )
  if (bracketed) return says('operator', bracketed[0])
  const tradingAs = TRADING_AS.exec(after)
  if (tradingAs) return says('operator', tradingAs[0])
  const welsh = /\byn enw masnachu (?:i|ar gyfer)\s*$/i.exec(before)
  if (welsh) return says('operator', welsh[0])
  const runBy = new RegExp(
    `^(.*?)["”'’®™]{0,2}(?:,? (?:is|are|has been|have been|was|belongs? to and is)(?: an? [^.;,]{3,50},)?)${RUN_BY}${END}`,
    'is',
  ).exec(before)
  const subject = runBy?.[1]?.trim() ?? ''
  if (runBy && isSubjectOfSite(subject, isOwnName, isOwnWord)) return says('operator', before.slice(-80))
  // "X Ltd owns and operates Acme, Beta and Gamma": one of them is this site.
  const owns = /^[^.;]{0,60}\b(?:owns?(?: and operates?)?|operates?|runs?|trades as)\b\s+(.{2,160})/i.exec(after)
  if (owns?.[1]?.split(/,|\band\b|\/|&/).some((piece) => isOwnName(piece.trim())))
    return says('operator', owns[0].slice(0, 60))
  // A brand that is part of a company is that company's; part of a group, some company's of it.
  const partOf = /^(.*?)["”'’®™]{0,2} (?:is|are) (?:a )?(?:proud )?part of\s*(?:the )?$/i.exec(before)
  if (partOf && endsWithOwnName(partOf[1] ?? '', isOwnName) && !/\b(?:group|holdings?|plc)\b/i.test(name))
    return says('stated', PART_OF)
  // A mark belongs to a company that need not run the site.
  if (
    /\b(?:trade ?marks?|registered marks?|marks?)(?: \([^)]{0,40}\))? (?:of|owned by|belonging to)\s*(?:the )?$/i.test(
      before,
    )
  ) {
    return says('stated', TRADE_MARK)
  }
  // A school is part of the trust that runs it; a shop that is part of a group is not run by the group.
  if (/\b(?:school|academy|college|nursery)\b[^.;]{0,60}\bpart of(?: the)?\s*$/i.test(before))
    return says('operator', 'part of')
  return null
}

function isSubjectOfSite(subject: string, isOwnName: Sentence['isOwnName'], isOwnWord: Sentence['isOwnWord']): boolean {
  if (endsWithOwnName(subject, isOwnName) || /\bname\b/i.test(subject)) return true
  // "The Hitchin office", on the site of Chalk & Thatch Hitchin.
  if (/(?:^|[.;] )(?:it|they)$|\band$/i.test(subject) && subject.length <= 160 && beginsWithOwnName(subject, isOwnName))
    return true
  // "The hotel", on the site of the Black Priory Hotel.
  const kind = /(?:^|[.;,] )the (\p{L}{3,20})$/iu.exec(subject)
  if (kind?.[1] !== undefined && isOwnWord(kind[1])) return true
  const branch =
    /\b(?:the|this|our|your) (.{2,30}?) (?:office|branch|shop|store|franchise|practice|clinic|studio|school|centre|team)$/i.exec(
      subject,
    )
  return branch?.[1] !== undefined && isOwnWord(branch[1])
}

/** Small print often runs on without a stop: "… HG2 6FG The Harrowgill Shop is run by". */
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

/** What the shape of the sentence says, where no word does. */
function readSurroundings(before: string, plainAfter: string): RoleReading {
  if (
    /\bgroup(?: of companies)? (?:comprises?|includes?|consists of)(?: the following)?:?\s*$|\bgroup companies(?: are|:)?\s*$/i.test(
      before,
    )
  ) {
    return says('stated', 'a group of companies')
  }
  if (/\bjoint venture (?:between|of|by)\s*(?:the )?$/i.test(before)) {
    return says(/\b(?:ltd|limited|plc|llp)\b/i.test(before) ? 'related' : 'stated', 'a joint venture')
  }
  const lead = before.replace(/^.*[.;!?]\s+(?=\S)/s, '').trim()
  const verb = NEWS_VERB.exec(plainAfter)
  if (isBoilerplate(lead)) return verb ? says('third_party', verb[0], false) : says('stated', '')
  if (SERVICE.test(before)) return says('third_party', lead)
  if (
    /(?:\b(?:by|through|via|with|from|to|of|for|using|at|between|than|like|behind|about|against|and|or|that|as|in|on|use|uses)|,)(?:\s+(?:the|our|its))?$/i.test(
      lead,
    )
  ) {
    return says('third_party', lead, false)
  }
  if (/(?:\b(?:is|are|was|were|means?|called)|:)$/i.test(lead)) return says('third_party', lead, false)
  return lead.split(/\s+/).length > 6 || verb ? says('third_party', lead, false) : says('stated', lead)
}

/** The sentence after a name, without the brackets and numbers of its particulars. */
function withoutParticulars(after: string): string {
  return after
    .replaceAll(/\([^)]{0,120}\)/g, ' ')
    .replace(
      /^[\s,]*(?:(?:a|an) (?:private |charitable |limited )?company|company|registered|reg\b|uk)[^,.;]{0,90},/i,
      ' ',
    )
}

/** Companies of Scotland, Northern Ireland and other kinds have letters in their numbers. */
const PREFIXED_NUMBER = /\b[A-Z]{2}[ .]?\d+/g

function isBoilerplate(lead: string): boolean {
  return lead.length <= 120 && !/\p{L}/u.test(lead.replaceAll(BOILERPLATE_WORDS, '').replaceAll(PREFIXED_NUMBER, ''))
}
