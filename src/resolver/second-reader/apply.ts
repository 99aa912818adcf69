import { withoutInvisible } from '../../lib/text/invisible-characters.ts'
import { isOwnName } from '../extract/relate-names.ts'
import type { Case, Verdict } from '../match/case.ts'
import { present } from '../match/present.ts'
import { FITTED, stateAs, UNMEASURED } from '../match/weigh.ts'
import type { Decision, EvidenceItem, Explanation, SecondReading } from '../resolution.ts'
import type { CheckAnswer, FindAnswer, GivenAnswer } from './task.ts'
import { findQuote, type Refusal, type Verified, verifyChecked, verifyFound } from './verify.ts'

/** The decision after a second reader's answer, or why the decision of the rules is kept as it is. */
export type Applied = { decision: Decision } | { refused: Refusal }

type Ruled = { verdict: Verdict; site: Case }

export function applyAnswer(ruled: Ruled, given: GivenAnswer): Applied {
  const { answer } = given
  if (answer.task === 'find') return applyFound(ruled, answer, given)
  return answer.decision === 'confirm' ? applyConfirmation(ruled, answer, given) : applyObjection(ruled, answer, given)
}

/** Returns a match that the second reader found. */
function applyFound(ruled: Ruled, answer: FindAnswer, { readerCase, by }: GivenAnswer): Applied {
  const { verdict, site } = ruled
  const verified = verifyFound(answer, ruled, readerCase)
  if (!verified.holds) return { refused: verified.why }
  const { dossier } = verified
  const others = verdict.candidates.filter((one) => one !== dossier)
  const found: Verdict = {
    outcome: 'matched',
    situation: 'proven',
    reason: `The site names ${dossier.company.name} as its operator: a second reader found the words, and we found them on the page.`,
    candidates: [dossier, ...others],
  }
  const { own_name, named_stranger } = FITTED.caps
  const cap = isOwnName(dossier.relation) ? own_name : named_stranger
  const confidence = Math.min(cap, by.foundConfidence)
  const reading = toReading({ task: 'find', decision: 'match', why: answer.why }, verified, by)
  return { decision: withReading(present(found, site), verified, { reading, confidence, strength: 'strong' }) }
}

/** Returns a match that goes to a person, because the second reader objects to it. */
function applyObjection({ verdict, site }: Ruled, answer: CheckAnswer, { by }: GivenAnswer): Applied {
  const ruled = present(verdict, site)
  const verified = verifyChecked(answer, site, ruled.company?.number ?? '')
  if (!verified.holds) return { refused: verified.why }
  const reading = toReading({ task: 'check', decision: 'object', why: answer.why }, verified, by)
  const objected: Decision = {
    ...ruled,
    outcome: 'needs_review',
    situation: 'objected',
    company: null,
    claim: null,
    reason: 'The rules and the second reader disagree. Read the words of both.',
  }
  return { decision: withReading(objected, verified, { reading, confidence: UNMEASURED, strength: 'against' }) }
}

/** Returns the match as it is, and that the second reader agrees. Its quote is kept if it is on a page. */
function applyConfirmation({ verdict, site }: Ruled, answer: CheckAnswer, { by }: GivenAnswer): Applied {
  const ruled = present(verdict, site)
  if (answer.company_number !== ruled.company?.number) return { refused: 'no_candidate' }
  const quoted = findQuote(answer.quote, site)
  const secondReading = toReading(
    { task: 'check', decision: 'confirm', why: answer.why },
    'why' in quoted ? null : quoted,
    by,
  )
  return { decision: { ...ruled, secondReading } }
}

interface Reading {
  reading: SecondReading
  confidence: number
  strength: EvidenceItem['strength']
}

function toReading(
  { task, decision, why }: Pick<SecondReading, 'task' | 'decision' | 'why'>,
  quoted: Pick<Verified & { holds: true }, 'quote' | 'page'> | null,
  { model, promptVersion }: GivenAnswer['by'],
): SecondReading {
  const words = { quote: quoted?.quote ?? null, url: quoted?.page.url ?? null }
  return { task, decision, why: toSentence(why), ...words, model, promptVersion }
}

/** Adds the quote to the evidence, and a line to the argument that makes its sum the stated confidence. */
function withReading(decision: Decision, verified: Verified & { holds: true }, given: Reading): Decision {
  const { dossier, page, quote } = verified
  const { reading, confidence, strength } = given
  const says = reading.why
  const [best, ...others] = decision.candidates
  const against = [...(strength === 'against' ? [says] : []), ...(best?.against ?? [])]
  return {
    ...decision,
    secondReading: reading,
    confidence,
    candidates: best ? [{ ...best, confidence, reasons: [says, ...best.reasons], against }, ...others] : [],
    explanation: stateAs(withCheck(decision.explanation, strength !== 'against'), confidence, {
      kind: strength === 'against' ? 'veto' : 'evidence',
      name: 'second_reader',
      level: strength === 'against' ? 'objects' : 'found',
      says,
      found: quote,
      registered: dossier.company.name,
    }),
    evidence: [
      {
        kind: 'second_reader',
        supports: dossier.company.number,
        strength,
        says,
        quote,
        url: page.url,
        fetchedAt: page.fetchedAt,
        contentSha256: page.sha256,
      },
      ...decision.evidence.filter((item) => strength === 'against' || !isSameWords(item, verified)),
    ],
  }
}

/** The reader answers the question that the rules could not, or doubts their answer. */
const withCheck = (explanation: Explanation, isMet: boolean): Explanation => ({
  ...explanation,
  checklist: explanation.checklist.map((check) =>
    check.name === 'runs_site' ? { ...check, isMet, says: RUNS_SITE[isMet ? 'found' : 'doubted'] } : check,
  ),
})

const RUNS_SITE = {
  found: 'The second reader found the words by which this company runs the site.',
  doubted: 'The second reader doubts that this company runs the site.',
}

/** The rules quote the same words against the company, because they could not say whose it is. */
const isSameWords = (item: EvidenceItem, { dossier, quote }: Verified & { holds: true }): boolean =>
  item.supports === dossier.company.number &&
  item.strength === 'against' &&
  (quote.includes(item.quote) || item.quote.includes(quote))

const WHY_MAX = 300

/** Numbers and addresses are not repeated: a page may have asked the reader to write them. */
const NOT_REPEATED = /\d(?:\P{L}?\d){4}|https?:|www\.|@|[\p{L}\p{N}-]\.[\p{L}]{2}/iu

/** The reader's reason as plain text that ends with a full stop. */
function toSentence(why: string): string {
  const words = withoutInvisible(why.normalize('NFKC'))
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, WHY_MAX)
  if (NOT_REPEATED.test(words)) return 'The second reader’s reason has numbers or addresses, which we do not repeat.'
  return /[.!?]$/.test(words) ? words : `${words}.`
}
