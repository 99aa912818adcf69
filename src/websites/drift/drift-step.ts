import type { CheckResult, WebsiteCheck } from '../../resolution/index.ts'
import { type Observation, wordOf } from './observation.ts'

export interface Step extends CheckResult {
  isNews: boolean
}

/**
 * Bad news is reported when a second check, so many days after the first, does not find the site well either. A server
 * that is moved shows the host's page or a neighbour's site for some hours, and a bill paid late has a domain suspended for
 * as long: a day is enough for both. A site that is rebuilt, or redirects for a while, gets a week.
 */
const BELIEVED_AFTER_DAYS = { other_company: 1, parked: 1, gone: 1, moved: 7, unnamed: 7 }

/** These mean only that the site is not as it was, which is no news after a worse report. */
const VAGUE: ReadonlySet<Observation['kind']> = new Set(['moved', 'unnamed'])

/**
 * A site that cannot be read is checked again the next day, and after so many days at the usual time. That is never
 * reported: sites refuse programs, or ours, for years while people see them.
 */
const FAILURES_MAX = 3
const AFTER_FAILURE_DAYS = 1

/** Returns what follows from an observation: whether to report it, the state to store, and when to check again. */
export function takeStep(check: WebsiteCheck, observation: Observation): Step {
  const { domain, leadsTo, state, doubt } = check
  if (observation.kind === 'unread') {
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
  if (isProvenMove(observation)) return settle({ domain: observation.to, leadsTo: null, state: 'same' }, true)
  // Silently, so that the next change is reported again.
  if (observation.kind === 'same') return settle({ state: 'same' }, false)
  const word = wordOf(observation)
  if (word === state || (state !== 'same' && VAGUE.has(observation.kind))) return settle({}, false)
  if (doubt !== null) return settle({ state: word }, true)
  const next = { domain, leadsTo, state, doubt: word, failures: 0 }
  return { next, isNews: false, lookAgainDays: BELIEVED_AFTER_DAYS[observation.kind] }
}

function isProvenMove(observation: Observation): observation is Extract<Observation, { kind: 'moved' }> {
  return observation.kind === 'moved' && observation.isProven
}
