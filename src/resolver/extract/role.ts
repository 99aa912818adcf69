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
 * The role that a sentence gives a named company.
 *
 * `operator`: the sentence states that the company runs the site. `denied`: it states the contrary. `related`: a parent,
 * franchisor, agent or affiliate of the operator. `third_party`: a supplier, or a company that is only written about.
 * `stated`: the name without a sentence, as in a footer; other facts must show whose it is. `named`: mentioned in passing,
 * and the name is the site's own.
 */
export type Role = 'operator' | 'stated' | 'named' | 'related' | 'third_party' | 'denied'

export interface RoleReading {
  role: Role
  /** The words that decided the role; empty if there are none. */
  cue: string
  /** False if only the shape of the sentence decided it. That is no objection to a company with the site's name. */
  isExplicit: boolean
}

interface Sentence {
  text: string
  /** The offsets of the name in `text`. */
  name: Span
  /** True if a text is a name of this site: its brand, its domain. */
  isOwnName: (text: string) => boolean
  /** True if a text is a word of such a name: the town in "Chalk & Thatch Hitchin". */
  isOwnWord: (text: string) => boolean
}

/** Reads the role of the named company from the sentence around it. */
export function readRole(sentence: Sentence): RoleReading {
  const before = sentence.text.slice(0, sentence.name.start)
  // A company in administration must print that after its name; it still runs its site.
  const after = sentence.text.slice(sentence.name.end).replace(IN_PROCEEDINGS, ' ')
  const plainAfter = withoutCompanyDetails(after)
  return (
    matchFirst(DENIED_BEFORE, before, 'denied') ??
    matchFirst(DENIED_AFTER, after, 'denied') ??
    matchFirst(DENIED_AFTER, plainAfter, 'denied') ??
    matchFirst(OPERATOR_AFTER, after, 'operator') ??
    readMaker(before) ??
    matchFirst(OPERATOR_BEFORE, before, 'operator') ??
    matchFirst(OPERATOR_AFTER, plainAfter, 'operator') ??
    readTradingName(sentence, before, after) ??
    matchFirst(RELATED_AFTER, plainAfter, 'related') ??
    matchFirst([RELATED_BRACKET], after, 'related') ??
    readCopyright(before) ??
    matchFirst(RELATED_BEFORE, before, 'related') ??
    readShape(before, plainAfter)
  )
}

const IN_PROCEEDINGS = /^\s*[([]\s*in (?:administration|liquidation|administrative receivership)\s*[)\]]/i

function matchFirst(patterns: RegExp[], text: string, role: Role): RoleReading | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text)
    if (match) return { role, cue: match[0].trim().slice(-80), isExplicit: true }
  }
  return null
}

const toReading = (role: Role, cue: string, isExplicit = true): RoleReading => ({
  role,
  cue: cue.trim().slice(-60),
  isExplicit,
})

const readMaker = (before: string): RoleReading | null =>
  OWNED.test(before) ? null : matchFirst(MADE_BY, before, 'third_party')

function readCopyright(before: string): RoleReading | null {
  const copyright = COPYRIGHT.exec(before)
  if (!copyright) return null
  const work = OTHERS_WORK.exec(before.slice(0, copyright.index))
  return work ? toReading('third_party', work[0]) : toReading('stated', '©')
}

/** The cue for a brand that is part of a company. */
export const PART_OF = 'a part of'
/** The cue for a company that owns a trade mark; it may not run the site. */
export const TRADE_MARK = 'trade mark of'

/** Reads "Acme is a trading name of Example Ltd", "Example Ltd t/a Acme", "Acme is run by Example Ltd". */
function readTradingName(
  { text, name: { start, end }, isOwnName, isOwnWord }: Sentence,
  before: string,
  after: string,
): RoleReading | null {
  const name = text.slice(start, end)
  const tradingNameOf = new RegExp(
    `^(.*?)["”'’®™]{0,2},? (?:is|are|was|being) (?:all )?${NAME_OF}:?\\s*(?:the )?$`,
    'is',
  ).exec(before)
  if (tradingNameOf) {
    const subject = tradingNameOf[1] ?? ''
    const saysTradingName = /\b(?:trading|working|business|operating)[ -]?(?:names?|styles?)\b/i.test(
      before.slice(subject.length),
    )
    return toReading(saysTradingName || endsWithOwnName(subject, isOwnName) ? 'operator' : 'stated', before.slice(-80))
  }
  // "Your local Choremates is Lamley Cleaning Ltd."
  const siteIs = /^(.*?)["”'’®™]{0,2},? is\s*$/is.exec(before)
  if (siteIs && endsWithOwnName(siteIs[1] ?? '', isOwnName) && /^\s*(?:[.,;(]|$)/.test(after))
    return toReading('operator', before.slice(-60))
  const bracketed =
    /[(,;:–—-]\s*(?:a|the) (?:registered )?(?:trading|business|brand) (?:name|style) (?:of|used by)\s*(?:the )?$/i.exec(
      before,
    )
  if (bracketed) return toReading('operator', bracketed[0])
  const tradingAs = TRADING_AS.exec(after)
  if (tradingAs) return toReading('operator', tradingAs[0])
  const welsh = /\byn enw masnachu (?:i|ar gyfer)\s*$/i.exec(before)
  if (welsh) return toReading('operator', welsh[0])
  const runBy = new RegExp(
    `^(.*?)["”'’®™]{0,2}(?:,? (?:is|are|has been|have been|was|belongs? to and is)(?: an? [^.;,]{3,50},)?)${RUN_BY}${END}`,
    'is',
  ).exec(before)
  const subject = runBy?.[1]?.trim() ?? ''
  if (runBy && isSiteSubject(subject, isOwnName, isOwnWord)) return toReading('operator', before.slice(-80))
  // "X Ltd owns and operates Acme, Beta and Gamma": one of them is this site.
  const owns = /^[^.;]{0,60}\b(?:owns?(?: and operates?)?|operates?|runs?|trades as)\b\s+(.{2,160})/i.exec(after)
  if (owns?.[1]?.split(/,|\band\b|\/|&/).some((piece) => isOwnName(piece.trim())))
    return toReading('operator', owns[0].slice(0, 60))
  // A brand that is part of a company belongs to it; part of a group, to an unknown company of the group.
  const partOf = /^(.*?)["”'’®™]{0,2} (?:is|are) (?:a )?(?:proud )?part of\s*(?:the )?$/i.exec(before)
  if (partOf && endsWithOwnName(partOf[1] ?? '', isOwnName) && !/\b(?:group|holdings?|plc)\b/i.test(name))
    return toReading('stated', PART_OF)
  // The owner of a trade mark may not run the site.
  if (
    /\b(?:trade ?marks?|registered marks?|marks?)(?: \([^)]{0,40}\))? (?:of|owned by|belonging to)\s*(?:the )?$/i.test(
      before,
    )
  ) {
    return toReading('stated', TRADE_MARK)
  }
  // A school is part of the trust that runs it; a shop that is part of a group is not run by the group.
  if (/\b(?:school|academy|college|nursery)\b[^.;]{0,60}\bpart of(?: the)?\s*$/i.test(before))
    return toReading('operator', 'part of')
  return null
}

function isSiteSubject(subject: string, isOwnName: Sentence['isOwnName'], isOwnWord: Sentence['isOwnWord']): boolean {
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

/** Reads the role from the shape of the sentence if no cue decides it. */
function readShape(before: string, plainAfter: string): RoleReading {
  if (
    /\bgroup(?: of companies)? (?:comprises?|includes?|consists of)(?: the following)?:?\s*$|\bgroup companies(?: are|:)?\s*$/i.test(
      before,
    )
  ) {
    return toReading('stated', 'a group of companies')
  }
  if (/\bjoint venture (?:between|of|by)\s*(?:the )?$/i.test(before)) {
    return toReading(/\b(?:ltd|limited|plc|llp)\b/i.test(before) ? 'related' : 'stated', 'a joint venture')
  }
  const lead = before.replace(/^.*[.;!?]\s+(?=\S)/s, '').trim()
  const verb = NEWS_VERB.exec(plainAfter)
  if (isBoilerplate(lead)) return verb ? toReading('third_party', verb[0], false) : toReading('stated', '')
  if (SERVICE.test(before)) return toReading('third_party', lead)
  if (
    /(?:\b(?:by|through|via|with|from|to|of|for|using|at|between|than|like|behind|about|against|and|or|that|as|in|on|use|uses)|,)(?:\s+(?:the|our|its))?$/i.test(
      lead,
    )
  ) {
    return toReading('third_party', lead, false)
  }
  if (/(?:\b(?:is|are|was|were|means?|called)|:)$/i.test(lead)) return toReading('third_party', lead, false)
  return lead.split(/\s+/).length > 6 || verb ? toReading('third_party', lead, false) : toReading('stated', lead)
}

/** Returns the text after a name without the company's details in brackets and numbers. */
function withoutCompanyDetails(after: string): string {
  return after
    .replaceAll(/\([^)]{0,120}\)/g, ' ')
    .replace(
      /^[\s,]*(?:(?:a|an) (?:private |charitable |limited )?company|company|registered|reg\b|uk)[^,.;]{0,90},/i,
      ' ',
    )
}

/** Numbers with letters: companies of Scotland, of Northern Ireland and of special kinds. */
const PREFIXED_NUMBER = /\b[A-Z]{2}[ .]?\d+/g

function isBoilerplate(lead: string): boolean {
  return lead.length <= 120 && !/\p{L}/u.test(lead.replaceAll(BOILERPLATE_WORDS, '').replaceAll(PREFIXED_NUMBER, ''))
}
