import { type Sight, type SiteBefore, wordOf } from './observation.ts'

/** What is remembered of a site between two looks. */
export interface WebsiteCheck extends SiteBefore {
  /** What its watchers know: the word of a sight. */
  state: string
  /** What the last look saw, where that is not yet believed. */
  doubt: string | null
  failures: number
  checkedAt: Date
}

export interface Step {
  next: Pick<WebsiteCheck, 'domain' | 'leadsTo' | 'state' | 'doubt' | 'failures'>
  isNews: boolean
  /** Null: after the usual time. */
  lookAgainDays: number | null
}

/**
 * Bad news is told when a second look does not find the site well either, so many days after the first. A server that is
 * moved shows the host's page or a neighbour's site for some hours, and a bill paid late has a domain suspended for as
 * long: a day tells them apart. A site that is rebuilt, or sends its readers elsewhere for a while, gets a week.
 */
const BELIEVED_AFTER_DAYS = { other_company: 1, parked: 1, gone: 1, moved: 7, unnamed: 7 }

/** These say no more than that the site is not as it was, which is no news once something worse was told. */
const VAGUE: ReadonlySet<Sight['kind']> = new Set(['moved', 'unnamed'])

/**
 * A site that cannot be read is looked at again the next day, and after so many days at the usual time. That is never
 * told: sites refuse programs, or ours, for years while people see them.
 */
const FAILURES_MAX = 3
const AFTER_FAILURE_DAYS = 1

/** What follows from a look: whether it is told, what is remembered, and when to look again. */
export function takeStep(check: WebsiteCheck, sight: Sight): Step {
  const { domain, leadsTo, state, doubt } = check
  if (sight.kind === 'unread') {
    const failures = (check.failures + 1) % FAILURES_MAX
    const lookAgainDays = failures === 0 ? null : AFTER_FAILURE_DAYS
    return { next: { domain, leadsTo, state, doubt, failures }, isNews: false, lookAgainDays }
  }
  const settle = (next: Partial<Step['next']>, isNews: boolean): Step => ({
    next: { domain, leadsTo, state, doubt: null, failures: 0, ...next },
    isNews,
    lookAgainDays: null,
  })
  // From then on the new domain is the verified one.
  if (isProvenMove(sight)) return settle({ domain: sight.to, leadsTo: null, state: 'same' }, true)
  // Silently, so that the next change is told again.
  if (sight.kind === 'same') return settle({ state: 'same' }, false)
  const word = wordOf(sight)
  if (word === state || (state !== 'same' && VAGUE.has(sight.kind))) return settle({}, false)
  if (doubt !== null) return settle({ state: word }, true)
  const next = { domain, leadsTo, state, doubt: word, failures: 0 }
  return { next, isNews: false, lookAgainDays: BELIEVED_AFTER_DAYS[sight.kind] }
}

function isProvenMove(sight: Sight): sight is Extract<Sight, { kind: 'moved' }> {
  return sight.kind === 'moved' && sight.isProven
}
